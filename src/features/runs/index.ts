import type { LaunchedEngine } from '../../platform/scripts/launch-engine';
import { ownAddresses } from '../../config/own-addresses';
import { createEngine } from './execution/create-engine';
import type { RunEngine } from './execution/run-engine';
import { startPolyglot } from './execution/start-polyglot';
import { createRunService } from './run.service';
import type { Feature } from '../../feature';
import { LogResolver } from './logs/log.graphql';
import { documentedLogs } from './logs/log.presenter';
import { logRoutes } from './logs/log.rest';
import { logDestinations } from './logs/log.stomp';
import { RetriesOfRunResolver, RunRepairResolver } from './run-repair.graphql';
import { RunEventResolver, RunLogResolver, RunResolver, RunValueResolver } from './run.graphql';
import { documentedRuns } from './run.presenter';
import { runRoutes } from './run.rest';
import { RunsChangedResolver } from './runs-changed.graphql';
import { RunsOfWorkflowResolver, WorkflowOfRunResolver } from './workflow-runs.graphql';

declare module '../../platform/context' {
  interface Services {
    engine: RunEngine;
    /** The polyglot engine, if this service has started it. */
    polyglot: { launched: LaunchedEngine | null };
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
    polyglot: () => ({ launched: null }),
    runs: ({
      core: { store, bus, clock, log },
      config,
      services,
      vault,
      runMarks,
      port,
      runLeases,
      contained,
    }) =>
      createRunService({
        store,
        bus,
        clock,
        config,
        engine: services.engine,
        audit: services.audit,
        jobs: services.jobs,
        workflows: services.workflows,
        secrets: services.secretValues,
        connectors: services.runConnectors,
        aggregators: services.aggregatorCatalog,
        counters: services.runCounters,
        tests: services.testSchedules,
        schedules: services.scheduleEnds,
        marks: runMarks,
        webhooks: { startFromRun: (...of) => services.webhooks.startFromRun(...of) },
        vault,
        ownAddresses: ownAddresses(config.server, port),
        onFault: (error, runId) =>
          log.error({ err: error, runId }, 'A run failed because of an internal error.'),
        onLost: (runId) =>
          log.warn(
            { runId },
            'The lease of a run expired, and another process took the run over or ended it.',
          ),
        onRemoved: (removed) =>
          log.info({ runs: removed }, 'Deleted runs whose retention period has ended.'),
        onRequeued: (requeued) =>
          log.warn(
            { runs: requeued },
            'Runs of a process that died had sent nothing and were queued again.',
          ),
        times: runLeases,
        contained,
      }),
  },
  sealed: ({ runs }) => [runs.sealing],
  async prepare({ core: { log }, services: { runs } }) {
    const interrupted = await runs.recoverInterruptedRuns();
    if (interrupted > 0)
      log.warn({ runs: interrupted }, 'Runs of a process that died were marked as interrupted.');
  },
  start({ core: { log }, config, services: { engine, polyglot, runs } }) {
    polyglot.launched = startPolyglot(config, log);
    engine.warm();
    runs.takeUp();
    runs.startSweeping();
  },
  async stop({ services: { polyglot, runs } }) {
    await runs.stop();
    await polyglot.launched?.stop();
  },
  tags: {
    Logs: 'What executions sent and what came back, step by step.',
    Runs: 'Executions of workflows.',
  },
  resolvers: [
    LogResolver,
    RetriesOfRunResolver,
    RunEventResolver,
    RunLogResolver,
    RunRepairResolver,
    RunResolver,
    RunValueResolver,
    RunsChangedResolver,
    RunsOfWorkflowResolver,
    WorkflowOfRunResolver,
  ],
  presenters: { logs: documentedLogs, runs: documentedRuns },
  routes: ({ services, presenters }) => [
    ...logRoutes(services, presenters),
    ...runRoutes(services, presenters),
  ],
  destinations: ({ services, presenters }) => logDestinations(services, presenters),
};
