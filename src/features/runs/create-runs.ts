import type { Config } from '../../config/config';
import type { Contained } from '../../platform/contained/tasks';
import type { Core } from '../../platform/core';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import type { RunMarks } from '../../platform/crypto/run-marks';
import type { Vault } from '../../platform/crypto/vault';
import { ProcessorDemand } from '../../platform/processor-demand';
import type { AuditService } from '../audit/audit.service';
import type { JobService } from '../jobs/job.service';
import type { ScheduleRecords } from '../schedules/schedule-records';
import type { TestSchedules } from '../schedules/test-schedules';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowSnapshots } from '../workflows/versions/workflow-snapshots';
import type { WorkflowService } from '../workflows/workflow.service';
import { RunEventFeed } from './events/run-event-feed';
import { RunEventLog } from './events/run-event-log';
import { RunEvents, TestChannels } from './events/run-events.service';
import type { MaskTasks } from './execution/ruled-events';
import { RunEndings } from './execution/run-endings';
import type { RunEngine } from './execution/run-engine';
import { RunExecutor, RunTasks } from './execution/run-executor';
import type { RunResources, RunWebhooksPort } from './execution/run-executor';
import { RunWorker } from './execution/run-worker';
import { RunLeases } from './leases/run-leases';
import type { LeaseTimes } from './leases/run-leases';
import { RunRecovery } from './leases/run-recovery';
import { LogRetention } from './logs/log-retention';
import { LoggedRuns } from './logs/logged-runs';
import { RunLogFiles } from './logs/run-log-files';
import { RunLogs } from './logs/run-logs';
import { createAdmission } from './queue/fair-queue';
import { RunCancellation } from './queue/run-cancellation';
import { RunQueue } from './queue/run-queue';
import { ErrorRuns, RunStarter } from './queue/run-starter';
import { BlockedRuns, ScheduledRuns } from './queue/scheduled-runs';
import { RunParameters, RunRecords } from './run-records';
import { RunRetention } from './run-retention';
import { RunRetries } from './run-retries';
import { FAILURES } from './run.model';
import { RunService } from './run.service';
import { TestRuns } from './test-runs';

interface RunsDependencies {
  readonly core: Core;
  readonly config: Pick<Config, 'workflow' | 'runs'>;
  readonly engine: RunEngine;
  readonly audit: AuditService;
  readonly jobs: Pick<JobService, 'start'>;
  readonly workflows: WorkflowService;
  readonly snapshots: WorkflowSnapshots;
  readonly counters: RunCounters;
  readonly testSchedules: TestSchedules;
  readonly schedules: ScheduleRecords;
  readonly vault: Vault;
  readonly contained: Contained<MaskTasks>;
  readonly leaseTimes?: LeaseTimes;
}

/** What executes runs; the other services of runs work without it. */
interface WorkerDependencies {
  readonly resources: RunResources;
  readonly webhooks: RunWebhooksPort;
  readonly ownAddresses: readonly string[];
  readonly marks: RunMarks;
}

export interface Runs {
  readonly services: {
    readonly runs: RunService;
    readonly testRuns: TestRuns;
    readonly runRetries: RunRetries;
    readonly runEvents: RunEvents;
    readonly runLogs: RunLogs;
    readonly runLogFiles: RunLogFiles;
    readonly runRecovery: RunRecovery;
    readonly runRetention: RunRetention;
    readonly logRetention: LogRetention;
  };
  readonly scheduledRuns: ScheduledRuns;
  /** Sealed start parameters, for changing the vault key. */
  readonly sealing: SealedValues;
  /** Runs are queued from the beginning, and executed as soon as there is a worker. */
  startWorker(deps: WorkerDependencies): void;
  /** Takes up the runs that wait in the store, and starts to remove what is no longer kept. */
  start(): void;
  /** Ends the running runs and closes the engine. */
  stop(): Promise<void>;
}

export function createRuns({
  core,
  config,
  engine,
  audit,
  jobs,
  workflows,
  snapshots,
  counters,
  testSchedules,
  schedules,
  vault,
  contained,
  leaseTimes,
}: RunsDependencies): Runs {
  const { clock } = core;
  const records = new RunRecords({ core, audit });
  const parameters = new RunParameters(core.store, vault);
  const leases = new RunLeases(core, leaseTimes);
  const events = new RunEventLog(core);
  const channels = new TestChannels(core);
  const own = new ProcessorDemand(process.pid);
  const queue = new RunQueue({
    engine,
    limits: config.workflow,
    mayBegin: createAdmission({
      demands: { runs: () => engine.demands(), service: () => own.read() ?? 0 },
    }),
  });
  const starter = new RunStarter({ clock, records, parameters, leases, queue });
  const blocked = new BlockedRuns(records, starter);
  const errorRuns = new ErrorRuns({ records, workflows, snapshots, parameters, starter });
  const logRetention = new LogRetention({ core, events, keep: config.runs.logs });
  const endings = new RunEndings({
    clock,
    records,
    leases,
    events,
    logs: logRetention,
    effects: [
      (run, tx) => snapshots.end(run, tx),
      (run, tx) => schedules.recordEnd(run, tx),
      (_run, tx, before) => blocked.releaseAfter(before, tx),
      (run, tx) =>
        run.test
          ? testSchedules.end(run._id, tx)
          : counters.count(
              {
                workflowId: run.workflowId,
                startedAt: run.startedAt ?? run.queuedAt,
                failed: FAILURES.includes(run.state),
              },
              tx,
            ),
      (run, tx) => errorRuns.startFor(run, tx),
    ],
  });
  const cancellation = new RunCancellation({ core, records, queue, endings });
  const stopFollowing = cancellation.followDeletedWorkflows();
  const recovery = new RunRecovery({ core, records, leases, endings, events, queue });
  const retention = new RunRetention({
    core,
    records,
    snapshots,
    parameters,
    events,
    retentionDays: config.runs.retentionDays,
  });
  const feed = new RunEventFeed({ core, events, leases, records });
  const tests = new TestRuns({
    clock,
    snapshots,
    schedules: testSchedules,
    channels,
    queue,
    starter,
  });
  const logged = new LoggedRuns({ clock, records, events });
  let worker: RunWorker | null = null;

  return {
    services: {
      runs: new RunService({ core, records, snapshots, starter, queue, cancellation }),
      testRuns: tests,
      runRetries: new RunRetries({ records, jobs, snapshots, parameters, starter, tests }),
      runEvents: new RunEvents({ records, feed, log: events, channels }),
      runLogs: new RunLogs({ clock, records, events, logged }),
      runLogFiles: new RunLogFiles({ clock, records, events, logged, contained }),
      runRecovery: recovery,
      runRetention: retention,
      logRetention,
    },
    scheduledRuns: new ScheduledRuns({ snapshots, records, starter, blocked, queue, cancellation }),
    sealing: parameters.sealing,
    startWorker({ resources, webhooks, ownAddresses, marks }) {
      const tasks = new RunTasks({
        config: config.workflow,
        workflows,
        snapshots,
        resources,
        parameters,
        own: { addresses: ownAddresses, marks },
      });
      const executor = new RunExecutor({ engine, tasks, events, webhooks, log: core.log });
      worker = new RunWorker({ core, records, queue, leases, endings, executor });
      worker.start();
    },
    start() {
      void recovery.takeUp();
      retention.start();
      logRetention.start();
    },
    async stop() {
      stopFollowing();
      const swept = retention.stop();
      await worker?.stop();
      await recovery.stop();
      await Promise.all([swept, logRetention.stop()]);
      await engine.close();
    },
  };
}
