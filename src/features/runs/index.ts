import type { LaunchedEngine } from '../../platform/scripts/launch-engine';
import { ownAddresses } from '../../config/addresses';
import { createEngine, startPolyglot } from './execution/create-engine';
import type { RunEngine } from './execution/run-engine';
import { createRuns } from './create-runs';
import type { Runs } from './create-runs';
import type { Feature } from '../../feature';
import { LogResolver } from './logs/log.graphql';
import { documentedLogs } from './logs/log.presenter';
import { logRoutes } from './logs/log.rest';
import { logDestinations } from './logs/log.stomp';
import {
  RunEventResolver,
  RunEventsResolver,
  RunLogResolver,
  RunsChangedResolver,
  StoredRunEventsResolver,
} from './run-event.graphql';
import { RunLinksResolver, RunRetryResolver, RunsOfWorkflowResolver } from './run-links.graphql';
import { RunResolver, RunValueResolver } from './run.graphql';
import { documentedRuns } from './run.presenter';
import { runRoutes } from './run.rest';

declare module '../../platform/context' {
  interface Services {
    engine: RunEngine;
    /** The polyglot engine, if this service has started it. */
    polyglot: { launched: LaunchedEngine | null };
    runParts: Runs;
    scheduledRuns: Runs['scheduledRuns'];
  }
}

export const runsFeature: Feature = {
  services: {
    engine: ({ core: { clock }, config, outbound, programs }) =>
      createEngine({
        config,
        outbound,
        clock,
        program: programs.run,
        sandbox: programs.sandbox,
      }),
    logRetention: ({ services }) => services.runParts.services.logRetention,
    polyglot: () => ({ launched: null }),
    runEvents: ({ services }) => services.runParts.services.runEvents,
    runLogFiles: ({ services }) => services.runParts.services.runLogFiles,
    runLogs: ({ services }) => services.runParts.services.runLogs,
    runParts: ({ core, config, services, vault, runLeases, contained }) =>
      createRuns({
        core,
        config,
        engine: services.engine,
        audit: services.audit,
        jobs: services.jobs,
        workflows: services.workflows,
        snapshots: services.workflowSnapshots,
        counters: services.runCounters,
        testSchedules: services.testSchedules,
        schedules: services.scheduleRecords,
        vault,
        contained,
        leaseTimes: runLeases,
      }),
    runRecovery: ({ services }) => services.runParts.services.runRecovery,
    runRetention: ({ services }) => services.runParts.services.runRetention,
    runRetries: ({ services }) => services.runParts.services.runRetries,
    runs: ({ services }) => services.runParts.services.runs,
    scheduledRuns: ({ services }) => services.runParts.scheduledRuns,
    testRuns: ({ services }) => services.runParts.services.testRuns,
  },
  sealed: ({ runParts }) => [runParts.sealing],
  async prepare({ core: { log }, config, services, runMarks, port }) {
    services.runParts.startWorker({
      resources: {
        secrets: services.secretValues,
        connectors: services.runConnectors,
        aggregators: services.aggregatorCatalog,
      },
      webhooks: services.webhookCalls,
      ownAddresses: ownAddresses(config.server, port),
      marks: runMarks,
    });
    const interrupted = await services.runRecovery.recover();
    if (interrupted > 0)
      log.warn({ runs: interrupted }, 'Runs of a process that died were marked as interrupted.');
  },
  start({ core: { log }, config, services: { engine, polyglot, runParts } }) {
    polyglot.launched = startPolyglot(config, log);
    engine.warm();
    runParts.start();
  },
  async stop({ services: { polyglot, runParts } }) {
    await runParts.stop();
    await polyglot.launched?.stop();
  },
  tags: {
    Logs: 'Requests and responses of executions, step by step.',
    Runs: 'Executions of workflows.',
  },
  resolvers: [
    LogResolver,
    RunEventResolver,
    RunEventsResolver,
    RunLinksResolver,
    RunLogResolver,
    RunResolver,
    RunRetryResolver,
    RunsChangedResolver,
    RunsOfWorkflowResolver,
    RunValueResolver,
    StoredRunEventsResolver,
  ],
  presenters: { logs: documentedLogs, runs: documentedRuns },
  routes: ({ services, presenters }) => [
    ...logRoutes(services, presenters),
    ...runRoutes(services, presenters),
  ],
  destinations: ({ services, presenters }) => logDestinations(services, presenters),
};
