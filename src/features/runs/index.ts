import type { LaunchedEngine } from '../../platform/scripts/launch-engine';
import { ownAddresses } from '../../config/addresses';
import { createScripts } from '../../platform/scripts';
import { createEngine, scriptLimits, startPolyglot } from './execution/create-engine';
import type { RunEngine } from './execution/run-engine';
import { RunEventFeed } from './events/run-event-feed';
import { RunEventLog } from './events/run-event-log';
import { RunEvents } from './events/run-events.service';
import { TestChannels } from './events/test-channels.service';
import { endEffects } from './execution/end-effects';
import { RunEndings } from './execution/run-endings';
import { RunExecutor, RunTasks } from './execution/run-executor';
import { RunWorker } from './execution/run-worker';
import { RunLeases } from './leases/run-leases';
import type { LeaseTimes } from './leases/run-leases';
import { RunRecovery } from './leases/run-recovery';
import { LogRetention } from './logs/log-retention';
import { LoggedRuns } from './logs/logged-runs';
import { RunLogFiles } from './logs/run-log-files';
import { RunLogs } from './logs/run-logs';
import { RunCancellation } from './queue/run-cancellation';
import { RunQueue } from './queue/run-queue';
import { RunStarter } from './queue/run-starter';
import { BlockedRuns, ScheduledRuns } from './queue/scheduled-runs';
import { SharedQueue } from './queue/shared-queue';
import { runGauges } from './run-gauges';
import { RunExchanges } from './run-exchanges';
import { RunJournals } from './run-journals';
import { RunParameters, RunRecords } from './run-records';
import { RunRetention } from './run-retention';
import { RunRetries } from './run-retries';
import { RunUsage } from './run-usage.service';
import { RunService } from './run.service';
import { LoggedSamples } from './samples/logged-samples';
import { PreviewResolver } from './samples/preview.graphql';
import { PreviewService } from './samples/preview.service';
import { SampleResolver, SamplesOfWorkflowResolver } from './samples/sample.graphql';
import { TestParts } from './samples/test-parts';
import { SampleService } from './samples/sample.service';
import { TestRuns } from './test-runs';
import type { Feature } from '../../feature';
import type { Services } from '../../platform/context';
import { LogResolver } from './logs/log.graphql';
import { documentedLogs, releasedLogs } from './logs/log.presenter';
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
import { RunErrorResolver, RunResolver, RunValueResolver } from './run.graphql';
import { documentedRuns } from './run.presenter';
import { runRoutes } from './run.rest';

declare module '../../feature' {
  interface Foundation {
    /** Durations of the leases of runs. Default: see `LeaseTimes`. */
    readonly runLeases: LeaseTimes | undefined;
  }
}

declare module '../../platform/context' {
  interface Services {
    blockedRuns: BlockedRuns;
    engine: RunEngine;
    loggedRuns: LoggedRuns;
    loggedSamples: LoggedSamples;
    /** The polyglot engine, if this service has started it. */
    polyglot: { launched: LaunchedEngine | null };
    runCancellation: RunCancellation;
    runEndings: RunEndings;
    runEventLog: RunEventLog;
    runExchanges: RunExchanges;
    runJournals: RunJournals;
    runLeases: RunLeases;
    runParameters: RunParameters;
    runQueue: RunQueue;
    runRecords: RunRecords;
    runStarter: RunStarter;
    runWorker: RunWorker;
    scheduledRuns: ScheduledRuns;
    sharedQueue: SharedQueue;
    testChannels: TestChannels;
  }
}

/** When the first processes of runs are started, after the service is ready: they take the processors that a start needs. */
const WARM_AFTER_MS = 100;

/** What most services of runs need. */
const stored = (services: Services) => ({
  records: services.runRecords,
  parameters: services.runParameters,
  exchanges: services.runExchanges,
  journals: services.runJournals,
  leases: services.runLeases,
  events: services.runEventLog,
  queue: services.runQueue,
  snapshots: services.workflowSnapshots,
});

export const runsFeature: Feature = {
  gauges: ({ core, services }) => runGauges(core, services.runRecords),
  services: {
    blockedRuns: ({ services }) => new BlockedRuns(services.runRecords, services.runStarter),
    engine: ({ core: { clock }, config, outbound, metrics, tracing, programs }) =>
      createEngine({
        config,
        outbound,
        clock,
        metrics,
        tracing,
        program: programs.run,
        sandbox: programs.sandbox,
      }),
    loggedRuns: ({ core: { clock }, services }) =>
      new LoggedRuns({ clock, records: services.runRecords, events: services.runEventLog }),
    logRetention: ({ core, config, services }) =>
      new LogRetention({ core, events: services.runEventLog, keep: config.runs.logs }),
    polyglot: () => ({ launched: null }),
    runCancellation: ({ core, services }) =>
      new RunCancellation({ core, ...stored(services), endings: services.runEndings }),
    runEndings: ({ core: { clock }, metrics, services }) =>
      new RunEndings({
        clock,
        ...stored(services),
        logs: services.logRetention,
        effects: endEffects(services, metrics),
      }),
    runEventLog: ({ core }) => new RunEventLog(core),
    runEvents: ({
      core,
      services: { runRecords: records, runEventLog, runLeases, testChannels },
    }) =>
      new RunEvents({
        records,
        feed: new RunEventFeed({ core, events: runEventLog, leases: runLeases, records }),
        log: runEventLog,
        channels: testChannels,
      }),
    runExchanges: ({ core: { store } }) => new RunExchanges(store),
    runJournals: ({ core: { store, clock }, config, vault, services }) =>
      new RunJournals({
        store,
        clock,
        vault,
        events: services.runEventLog,
        ...config.runs.journal,
      }),
    runLeases: ({ core, config, processes, runLeases }) =>
      new RunLeases(
        core,
        {
          me: processes.name,
          isWorker: config.roles.includes('worker'),
          concurrentOfWorkflow: config.workflow.concurrentOfWorkflow,
        },
        runLeases,
      ),
    runLogFiles: ({ core: { clock }, contained, services }) =>
      new RunLogFiles({ clock, ...stored(services), logged: services.loggedRuns, contained }),
    runLogs: ({ core: { clock }, services }) =>
      new RunLogs({ clock, ...stored(services), logged: services.loggedRuns }),
    loggedSamples: ({ core: { clock }, services }) =>
      new LoggedSamples({ clock, ...stored(services), logged: services.loggedRuns }),
    previews: ({ config, contained, programs, services }) =>
      new PreviewService({
        workflows: services.workflows,
        samples: services.samples,
        contained,
        scripts: createScripts(scriptLimits(config), programs.sandbox),
      }),
    runParameters: ({ core: { store }, vault }) => new RunParameters(store, vault),
    runQueue: ({ core: { store }, config, services: { engine } }) =>
      new RunQueue({
        engine,
        limits: config.workflow,
        isWorker: config.roles.includes('worker'),
        isShared: !store.isExclusive,
      }),
    runRecords: ({ core, services: { audit } }) => new RunRecords({ core, audit }),
    runRecovery: ({ core, services }) =>
      new RunRecovery({
        core,
        ...stored(services),
        endings: services.runEndings,
        shared: services.sharedQueue,
      }),
    runRetention: ({ core, config, services }) =>
      new RunRetention({ core, ...stored(services), retentionDays: config.runs.retentionDays }),
    runUsage: ({ core: { store } }) => new RunUsage(store),
    runRetries: ({ core: { clock }, services }) =>
      new RunRetries({
        clock,
        ...stored(services),
        jobs: services.jobs,
        starter: services.runStarter,
        tests: services.testRuns,
      }),
    runs: ({ core, services }) =>
      new RunService({
        core,
        ...stored(services),
        starter: services.runStarter,
        cancellation: services.runCancellation,
      }),
    runStarter: ({ core: { clock }, services }) => new RunStarter({ clock, ...stored(services) }),
    runWorker: ({ core, config, services, runMarks, port }) =>
      new RunWorker({
        core,
        ...stored(services),
        endings: services.runEndings,
        executor: new RunExecutor({
          engine: services.engine,
          tasks: new RunTasks({
            config: config.workflow,
            recordFailures: config.runs.recordFailures,
            workflows: services.workflows,
            snapshots: services.workflowSnapshots,
            resources: {
              secrets: services.secretValues,
              connectors: services.runConnectors,
              aggregators: services.aggregatorCatalog,
            },
            parameters: services.runParameters,
            own: { addresses: ownAddresses(config.server, port), marks: runMarks },
          }),
          events: services.runEventLog,
          journals: services.runJournals,
          webhooks: services.webhookCalls,
          log: core.log,
        }),
        starts: services.notificationRecords,
      }),
    samples: ({ core, services }) =>
      new SampleService({
        core,
        audit: services.audit,
        workflows: services.workflows,
        writing: services.workflowWriter,
        records: services.sampleRecords,
        logged: services.loggedSamples,
      }),
    scheduledRuns: ({ services }) =>
      new ScheduledRuns({
        ...stored(services),
        starter: services.runStarter,
        blocked: services.blockedRuns,
        cancellation: services.runCancellation,
      }),
    sharedQueue: ({ core, services }) => new SharedQueue({ core, ...stored(services) }),
    testChannels: ({ core, services }) => new TestChannels(core, services.runRecords),
    testRuns: ({ services }) =>
      new TestRuns({
        snapshots: services.workflowSnapshots,
        testSnapshots: services.testSnapshots,
        schedules: services.testSchedules,
        channels: services.testChannels,
        starter: services.runStarter,
        parts: new TestParts(services.workflows, services.samples),
      }),
  },
  sealed: ({ runParameters, runJournals }) => [runParameters.sealing, runJournals.sealing],
  async prepare({
    core: { log },
    config,
    services: { runCancellation, runRecovery, runWorker, sharedQueue },
  }) {
    runCancellation.start();
    if (config.roles.includes('worker')) runWorker.start();
    const interrupted = await runRecovery.recover();
    sharedQueue.start();
    if (interrupted > 0)
      log.warn({ runs: interrupted }, 'Runs of a process that died were marked as interrupted.');
  },
  start({ core: { log }, config, services }) {
    services.polyglot.launched = startPolyglot(config, log);
    if (config.roles.includes('worker'))
      setTimeout(() => services.engine.warm(), WARM_AFTER_MS).unref();
    void services.sharedQueue.takeUp();
  },
  startRecurring({ services }) {
    services.runRetention.start();
    services.logRetention.start();
  },
  async stop({ services }) {
    services.runCancellation.stop();
    const swept = services.runRetention.stop();
    await services.sharedQueue.stop();
    await services.runWorker.stop();
    await services.runRecovery.stop();
    await Promise.all([swept, services.logRetention.stop()]);
    await services.engine.close();
    services.previews.close();
    await services.polyglot.launched?.stop();
  },
  tags: {
    Logs: 'Requests and responses of executions, step by step.',
    Runs: 'Executions of workflows.',
  },
  resolvers: [
    LogResolver,
    PreviewResolver,
    RunErrorResolver,
    RunEventResolver,
    RunEventsResolver,
    RunLinksResolver,
    RunLogResolver,
    RunResolver,
    RunRetryResolver,
    RunsChangedResolver,
    RunsOfWorkflowResolver,
    RunValueResolver,
    SampleResolver,
    SamplesOfWorkflowResolver,
    StoredRunEventsResolver,
  ],
  presenters: { logs: documentedLogs, runs: documentedRuns },
  releasedPresenters: { logs: releasedLogs },
  routes: ({ services, presenters }) => [
    ...logRoutes(services, presenters),
    ...runRoutes(services, presenters),
  ],
  destinations: ({ services, presenters }) => logDestinations(services, presenters),
};
