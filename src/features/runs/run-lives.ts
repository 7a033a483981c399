import { setTimeout as pause } from 'node:timers/promises';
import type { Model, QueryFilter } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store } from '../../platform/store/store';
import { isDuplicateKey } from '../../platform/store/store';
import type { RunEndings } from './run-endings';
import { interruptedError, RUN_CANCEL_TOPIC } from './run.events';
import type { RunCancelAsked } from './run.events';
import type { RunEventLog } from './run-event-log';
import type { RunLine, Waiting } from './run-line';
import type { RunRecord } from './run.model';
import type { LeaseTimes, Orphan, RunOwners } from './run-owners';
import { BOTH_KINDS } from './run.policy';

export interface RunLivesDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly runs: Model<RunRecord>;
  readonly owners: RunOwners;
  readonly endings: Pick<RunEndings, 'end' | 'requeue'>;
  readonly log: Pick<RunEventLog, 'lastSequence' | 'finishedSteps' | 'lastStep'>;
  readonly line: RunLine;
  readonly times: LeaseTimes;
  readonly onFault: (error: unknown, runId: number) => void;
  /**
   * Called with the number of runs of dead processes that are queued again, since they had sent
   * nothing.
   */
  readonly onRequeued: (runs: number) => void;
}

/**
 * A run queued for longer than this, ms, was left by the process that queued it: any process may
 * take it.
 */
const LEFT_MS = 5_000;
/** Rows per read. */
const READ_AT_ONCE = 1_000;
/** Attempts to end a run: a returning process may store events during an attempt. */
const ATTEMPTS = 3;

/** Retry interval after a failed renewal, ms: far below the lease time. */
const RENEW_AGAIN_MS = 1_000;

/**
 * Renews the leases of this process, ends runs of dead processes, and queues runs that no process
 * executes.
 */
export function createRunLives({
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
}: RunLivesDependencies) {
  const timers: NodeJS.Timeout[] = [];
  const opened: (() => void)[] = [];
  let renewing: Promise<void> | null = null;
  let beating: Promise<void> | null = null;
  let looking: Promise<void> | null = null;

  /** Retries until it succeeds, independently of the other checks. */
  async function renewLeases(): Promise<void> {
    for (let isReported = false; ; isReported = true) {
      try {
        return line.lose(await owners.renew());
      } catch (error) {
        if (!isReported) onFault(error, 0);
        if (timers.length === 0) return;
        await pause(RENEW_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  /**
   * Each change compares owner, fence and lease with the values read, so that an owner that returns
   * in between keeps its run.
   */
  async function settleOrphan(
    { run, isDead }: Orphan,
    attempts = ATTEMPTS,
  ): Promise<'requeued' | 'interrupted' | null> {
    const lease = { leaseUntil: run.leaseUntil };
    if (run.state === 'RUNNING' && (await endings.requeue({ $and: [owners.asUnsent(run), lease] })))
      return 'requeued';
    const why = run.state === 'QUEUED' ? 'waiting' : isDead ? 'died' : 'silent';
    try {
      const ended = await endings.end(
        { ...owners.as(run), ...lease },
        async ({ _id, firstSend }, tx) => {
          const place = (await log.lastStep(_id, tx)) ?? (firstSend?.index ? firstSend : null);
          return {
            state: 'INTERRUPTED',
            error: interruptedError(why, place),
            steps: await log.finishedSteps(_id, tx),
            sequence: (await log.lastSequence(_id, tx)) + 1,
          };
        },
      );
      return ended && 'interrupted';
    } catch (error) {
      if (attempts <= 1 || !isDuplicateKey(error)) throw error;
      return settleOrphan({ run, isDead }, attempts - 1);
    }
  }

  async function settleOrphans(): Promise<{ readonly interrupted: number }> {
    const settled = { requeued: 0, interrupted: 0 };
    for (const orphan of await owners.orphans()) {
      const outcome = await settleOrphan(orphan);
      if (outcome) settled[outcome] += 1;
    }
    if (settled.requeued > 0) onRequeued(settled.requeued);
    return settled;
  }

  /**
   * Offers all stored runs in queue order, also without free slots: the runs of one user must not
   * hide those of others.
   */
  async function takeUp(waiting: QueryFilter<RunRecord> = {}): Promise<void> {
    const found = runs
      .find(
        { ...waiting, test: false, state: 'QUEUED', isBlocked: { $exists: false } },
        { workflowId: 1, startedBy: 1, test: 1, trigger: 1 },
      )
      .sort({ queuedAt: 1, _id: 1 })
      .lean<Waiting[]>();
    for await (const run of found.cursor({ batchSize: READ_AT_ONCE })) line.offer(run);
  }

  /** Removes runs from the queue that other processes have begun or ended. */
  async function leaveToOthers(): Promise<void> {
    const ids = store.isExclusive ? [] : line.waiting();
    if (ids.length === 0) return;
    const begun = await runs
      .find({ _id: { $in: ids }, state: { $ne: 'QUEUED' } }, { _id: 1 })
      .lean<Pick<RunRecord, '_id'>[]>();
    line.withdraw(new Set(begun.map(({ _id }) => _id)));
  }

  /**
   * Counts first: reading thousands of runs that are already queued would cost a hundred times as
   * much.
   */
  async function takeUpLeft(): Promise<void> {
    const queued = await runs.countDocuments({ test: BOTH_KINDS, state: 'QUEUED' });
    const blocked = await runs.countDocuments({ isBlocked: true });
    if (queued - blocked === line.waiting().length) return;
    await takeUp({ queuedAt: { $lte: new Date(clock.now().getTime() - LEFT_MS) } });
  }

  async function beat(): Promise<void> {
    for (const work of [settleOrphans, leaveToOthers, takeUpLeft]) {
      await work().catch((error: unknown) => onFault(error, 0));
    }
  }

  function tick(): void {
    renewing ??= renewLeases().finally(() => {
      renewing = null;
    });
    beating ??= beat().finally(() => {
      beating = null;
    });
  }

  function obey(): void {
    looking ??= owners
      .cancelled(line.goingOn())
      .then((ids) => line.obey(ids))
      .catch((error: unknown) => onFault(error, 0))
      .finally(() => {
        looking = null;
      });
  }

  return {
    /**
     * Settles the runs of dead processes and starts the periodic checks. Call before serving
     * clients. Returns the number of interrupted runs.
     */
    async recover(): Promise<number> {
      const { interrupted } = await settleOrphans();
      timers.push(setInterval(tick, times.beatMs).unref());
      if (!store.isExclusive) timers.push(setInterval(obey, times.lookMs).unref());
      opened.push(
        bus.subscribe<RunCancelAsked>(RUN_CANCEL_TOPIC, ({ runId }) => {
          if (line.isActive(runId)) obey();
        }),
      );
      return interrupted;
    },

    /** Queues the runs that waited when the last process stopped. */
    takeUp: (): Promise<void> => takeUp(),

    async stop(): Promise<void> {
      for (const timer of timers.splice(0)) clearInterval(timer);
      for (const close of opened.splice(0)) close();
      await Promise.all([renewing, beating, looking]);
    },
  };
}
