import type { Config } from '../../config/config';
import type { QueryFilter } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Contained } from '../../platform/contained/tasks';
import { RUN_HEADER } from '../../platform/crypto/run-marks';
import type { RunMarks } from '../../platform/crypto/run-marks';
import type { Vault } from '../../platform/crypto/vault';
import { Refused } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import { ProcessorDemand } from '../../platform/processor-demand';
import { createSharedTransactions } from '../../platform/store/shared-transactions';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { JobService } from '../jobs/job.service';
import type { ScheduleEnds } from '../schedules/schedule-ends';
import type { TestSchedules } from '../schedules/test-schedules';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowChanged } from '../workflows/workflow.events';
import { WORKFLOW_TOPIC } from '../workflows/workflow.events';
import type { WorkflowService } from '../workflows/workflow.service';
import { createLogReading } from './logs/log-reading';
import type { MaskTasks } from './logs/mask-task';
import { createLogRetention } from './logs/log-retention';
import type { RunEngine } from './execution/run-engine';
import { createAdmission } from './run-admission';
import { createBlockedRuns } from './blocked-runs';
import { createErrorRuns } from './error-runs';
import { createRunEndings, publishChange } from './run-endings';
import { createRunEventFeed } from './run-event-feed';
import { createRunEventLog } from './run-event-log';
import { createRunExecutor } from './run-executor';
import type {
  RunAggregatorsPort,
  RunConnectorsPort,
  RunSecretsPort,
  RunWebhooksPort,
} from './run-executor';
import { createRunLine } from './run-line';
import { createRunLives } from './run-lives';
import type { RunRecord } from './run.model';
import { runSchema } from './run.model';
import { createRunOwners, LEASE_TIMES, UNFINISHED } from './run-owners';
import type { LeaseTimes } from './run-owners';
import { BOTH_KINDS, maySee } from './run.policy';
import { createRunParameters } from './run-parameters';
import { createRunReading, runNotFound } from './run-reading';
import { createRunRetention } from './run-retention';
import { createRunsCancelling } from './runs-cancelling';
import { createRunsChanging } from './runs-changing';
import { createRunsOfSchedules } from './runs-of-schedules';
import { createRunsRepairing } from './runs-repairing';
import { createRunStarting } from './run-starting';
import type { RunWait } from './run-wait';
import { createTestChannels } from './test-channels';

declare module '../../platform/context' {
  interface Services {
    runs: RunService;
  }
}

export type RunService = ReturnType<typeof createRunService>;

export interface RunDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly config: Pick<Config, 'workflow' | 'runs'>;
  /** Closed by `stop`. */
  readonly engine: RunEngine;
  readonly audit: AuditService;
  readonly jobs: Pick<JobService, 'start'>;
  readonly workflows: WorkflowService;
  readonly secrets: RunSecretsPort;
  readonly connectors: RunConnectorsPort;
  readonly aggregators: RunAggregatorsPort;
  readonly counters: RunCounters;
  readonly tests: TestSchedules;
  readonly schedules: ScheduleEnds;
  readonly marks: RunMarks;
  readonly webhooks: RunWebhooksPort;
  readonly vault: Vault;
  /** Base URLs of the service. */
  readonly ownAddresses: readonly string[];
  /** Called with internal errors during a run; the caller of the run sees only the code. */
  readonly onFault: (error: unknown, runId: number) => void;
  /** Called with the number of old runs that were removed. */
  readonly onRemoved: (runs: number) => void;
  /**
   * Called with the number of runs of dead processes that are queued again, since they had sent
   * nothing.
   */
  readonly onRequeued: (runs: number) => void;
  /**
   * Called when another process has taken over or ended a run of this one, whose lease was not
   * renewed in time.
   */
  readonly onLost: (runId: number) => void;
  /** Times of run leases. */
  readonly times?: LeaseTimes;
  readonly contained: Contained<MaskTasks>;
}

const isUnfinished = ({ state }: RunRecord): boolean => UNFINISHED.includes(state);

/**
 * Runs. Starting, reading, queueing, ownership and ending have a file each; a run ends exactly
 * once.
 */
export function createRunService({
  store,
  bus,
  clock,
  config,
  engine,
  audit,
  jobs,
  workflows,
  secrets,
  connectors,
  aggregators,
  counters,
  tests,
  schedules,
  marks,
  webhooks,
  vault,
  ownAddresses,
  onFault,
  onLost,
  onRemoved,
  onRequeued,
  times = LEASE_TIMES,
  contained,
}: RunDependencies) {
  const runs = store.model<RunRecord>('Run', runSchema, 'runs');
  const parameters = createRunParameters({ store, vault });
  const log = createRunEventLog({ store, bus, clock });
  const channels = createTestChannels({ store, bus, clock });
  const turns = createSharedTransactions(store);
  const owners = createRunOwners({ store, clock, runs, times });
  const offerChanged = (run: RunRecord): void => {
    publishChange(bus, run);
    line.offer(run);
  };
  const errorRuns = createErrorRuns({
    store,
    clock,
    workflows,
    runs,
    parameters,
    owners,
    onQueued: offerChanged,
  });
  const blocked = createBlockedRuns({ runs, onReleased: offerChanged });
  const logRetention = createLogRetention({
    store,
    bus,
    clock,
    runs,
    log,
    keep: config.runs.logs,
    onFault,
  });
  const endings = createRunEndings({
    bus,
    clock,
    audit,
    workflows,
    counters,
    tests,
    schedules,
    runs,
    owners,
    log,
    errorRuns,
    blocked,
    logs: logRetention,
    turns,
  });
  const execute = createRunExecutor({
    config,
    workflows,
    secrets,
    connectors,
    aggregators,
    parameters,
    home: { addresses: ownAddresses, header: RUN_HEADER },
    marks,
    webhooks,
    log,
    onFault,
  });
  const own = new ProcessorDemand(process.pid);
  const line = createRunLine({
    store,
    bus,
    engine,
    runs,
    owners,
    endings,
    execute,
    concurrent: config.workflow.concurrentRuns,
    concurrentOfWorkflow: config.workflow.concurrentOfWorkflow,
    mayBegin: createAdmission({
      demands: { runs: () => engine.demands(), service: () => own.read() ?? 0 },
    }),
    onFault,
    onLost,
  });
  const lives = createRunLives({
    store,
    bus,
    clock,
    runs,
    owners,
    endings,
    log,
    line,
    times,
    onFault,
    onRequeued,
  });
  const retention = createRunRetention({
    bus,
    clock,
    workflows,
    runs,
    parameters,
    log,
    turns,
    retentionDays: config.runs.retentionDays,
    onRemoved,
    onFault,
  });
  const feed = createRunEventFeed({ bus, log, isElsewhere: owners.isElsewhere, get, onFault });

  const starting = createRunStarting({
    store,
    bus,
    clock,
    audit,
    workflows,
    runs,
    parameters,
    owners,
    tests,
    channels,
    line,
    turns,
  });

  async function get(id: number): Promise<RunRecord> {
    const run = await runs.findById(id).lean<RunRecord>();
    if (!run) throw runNotFound(id);
    return run;
  }

  async function unfinished(filter: QueryFilter<RunRecord> = {}): Promise<number[]> {
    const left = await runs
      .find({ ...filter, test: BOTH_KINDS, state: { $in: UNFINISHED } }, { _id: 1 })
      .sort({ queuedAt: 1, _id: 1 })
      .lean<Pick<RunRecord, '_id'>[]>();
    return left.map(({ _id }) => _id);
  }

  /** When a workflow is deleted, cancels its open runs and the tests of it. */
  const stopWatching = bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, ({ workflowId, change }) => {
    if (change !== 'deleted') return;
    void unfinished({ $or: [{ workflowId }, { logOf: workflows.testKeyOf(workflowId) }] })
      .then((left) => Promise.all(left.map((id) => line.cancel(id, null))))
      .catch((error: unknown) => onFault(error, 0));
  });

  return {
    ...createRunsChanging({ store, bus, runs }),
    ...createRunReading({ runs, feed, log, channels }),
    logs: createLogReading({ runs, log, clock, logKeyOf: workflows.testKeyOf, contained }),
    ...createRunsCancelling({ runs, line, turns, endings }),
    ...createRunsOfSchedules({
      store,
      bus,
      clock,
      audit,
      workflows,
      runs,
      owners,
      blocked,
      line,
      turns,
    }),
    ...createRunsRepairing({
      store,
      bus,
      clock,
      audit,
      jobs,
      workflows,
      runs,
      parameters,
      owners,
      line,
      starting,
      turns,
    }),
    ...starting,

    /** Why a run waits, as far as this process knows; null if it is not queued. */
    waitOf: (run: RunRecord): RunWait | null => line.waitOf(run),

    /** Sealed start parameters, for changing the vault key. */
    sealing: parameters.sealing,

    /** Removes old runs now. Returns how many were removed. */
    removeOld: (): Promise<number> => retention.removeOld(),

    /**
     * Cancels a run and returns its current record: CANCELLED, or still RUNNING while a step takes
     * time to end.
     * @throws NotFound EXECUTION_NOT_FOUND, also for tests of other users
     * @throws Refused  EXECUTION_ALREADY_FINISHED
     */
    async cancel(actor: Actor, id: number): Promise<RunRecord> {
      const before = await get(id);
      if (before.test && !maySee(actor, before)) throw runNotFound(id);
      if (isUnfinished(before)) await line.cancel(id, actor);
      const after = await get(id);
      if (!isUnfinished(before) || (!isUnfinished(after) && after.state !== 'CANCELLED')) {
        throw new Refused('EXECUTION_ALREADY_FINISHED', `Run ${id} has ended: ${after.state}.`, {
          path: ['id'],
        });
      }
      return after;
    },

    /**
     * Settles the runs of dead processes and starts watching those of this one. Call before serving
     * clients. Returns the number of interrupted runs.
     */
    recoverInterruptedRuns: (): Promise<number> => lives.recover(),

    /** Queues the runs that wait in the store. Call when the service is ready for clients. */
    takeUp: (): void => void lives.takeUp().catch((error: unknown) => onFault(error, 0)),

    /** Removes surplus logs now. */
    removeSurplusLogs: (): Promise<void> => logRetention.removeSurplus(),

    /** Starts the periodic removal of old runs and surplus logs. */
    startSweeping(): void {
      retention.sweeping.start();
      logRetention.start();
    },

    /**
     * Starts nothing more, lets running runs finish for a moment, then ends them and queued tests
     * as INTERRUPTED. Other runs stay queued.
     */
    async stop(graceMs?: number): Promise<void> {
      stopWatching();
      const swept = retention.sweeping.stop();
      await line.close(graceMs);
      await lives.stop();
      await Promise.all([swept, logRetention.stop()]);
      await engine.close();
    },
  };
}
