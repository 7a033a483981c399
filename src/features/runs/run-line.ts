import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { EventBus } from '../../platform/events/bus';
import { Unavailable } from '../../platform/errors/errors';
import type { Store, Tx } from '../../platform/store/store';
import { createActiveRuns, STOP_MS } from './active-runs';
import type { RunEngine } from './execution/run-engine';
import { FairQueue } from './fair-queue';
import { settledWithin } from './settled-within';
import type { Admission } from './run-admission';
import type { RunEndings } from './run-endings';
import type { RunExecutor } from './run-executor';
import { interruptedError, RUN_CANCEL_TOPIC } from './run.events';
import type { RunCancelAsked } from './run.events';
import type { RunRecord } from './run.model';
import { UNFINISHED } from './run-owners';
import type { RunOwners } from './run-owners';
import { WAIT_REASONS } from './run-wait';
import type { RunWait } from './run-wait';

export interface RunLineDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly engine: Pick<RunEngine, 'reserve' | 'startState'>;
  readonly runs: Model<RunRecord>;
  readonly owners: RunOwners;
  readonly endings: RunEndings;
  readonly execute: RunExecutor;
  /** Maximum number of concurrent runs of this process, and of each workflow. */
  readonly concurrent: number;
  readonly concurrentOfWorkflow: number;
  readonly mayBegin: Admission;
  readonly onFault: (error: unknown, runId: number) => void;
  /** Called when another process has ended a run of this one. */
  readonly onLost: (runId: number) => void;
}

/** A queued run, with the fields that the queue needs. */
export type Waiting = Pick<RunRecord, '_id' | 'workflowId' | 'startedBy' | 'test' | 'trigger'>;

/**
 * Keys that slots are shared over: users, webhooks (null), all due schedules, and all error
 * workflows.
 */
const DUE = 'due';
const FAILED = 'failed';
function sharerOf({ trigger, startedBy }: Waiting): number | typeof DUE | typeof FAILED | null {
  if (trigger === 'SCHEDULE') return DUE;
  return trigger === 'ERROR' ? FAILED : (startedBy?.userId ?? null);
}

/**
 * Maximum number of queued runs in total, and of one user. Due schedules and error workflows are
 * not limited.
 */
const MOST_WAITING = 1_000;
const MOST_OF_ONE = MOST_WAITING / 2;
/** Retry-After for clients when the queue is full, s. */
const RETRY_AFTER = 10;
/** When the service stops: time for running runs to finish, then time for them to abort, ms. */
const GRACE_MS = 1_000;
const LET_GO_MS = 4_000;
/** Interval for checking whether another process has cancelled a run, ms. */
const LOOK_AGAIN_MS = 100;
/** Tests ended per transaction when the service stops. */
const ENDED_AT_ONCE = 25;
/** Maximum time for that, ms; other tests are ended by the next start or by another process. */
const END_TESTS_MS = 2_000;

export type RunLine = ReturnType<typeof createRunLine>;

/**
 * Runs of this process: queues them, executes some at a time, and stops them. The queue reflects
 * the store: a run is claimed there before it begins.
 */
export function createRunLine({
  store,
  bus,
  engine,
  runs,
  owners,
  endings,
  execute,
  concurrent,
  concurrentOfWorkflow,
  mayBegin,
  onFault,
  onLost,
}: RunLineDependencies) {
  let closing = false;
  const inLine = new Set<number>();
  const { active, testsLeft, work, interrupt, letGo, abort } = createActiveRuns({
    bus,
    engine,
    owners,
    endings,
    execute,
    isClosing: () => closing,
    onBegun: (id) => inLine.delete(id),
    onFault,
    onLost,
  });
  const queue = new FairQueue<Waiting>({
    shares: { user: sharerOf, workflow: ({ workflowId }) => workflowId },
    atOnce: concurrent,
    atOnceOfWorkflow: concurrentOfWorkflow,
    mayBegin,
    execute: work,
  });

  /** Users whose runs join the queue when a transaction commits. */
  const coming = new WeakMap<Tx, readonly (number | null)[]>();

  /**
   * @throws Unavailable if the service is stopping, or too many runs are queued in total or for
   * this user
   */
  function requireRoom(userId: number | null, others: readonly (number | null)[] = []): void {
    if (closing) throw new Unavailable('The service is stopping.');
    if (queue.length - queue.lengthOf(DUE) - queue.lengthOf(FAILED) + others.length >= MOST_WAITING)
      throw new Unavailable(`${MOST_WAITING} runs are waiting already.`, RETRY_AFTER);
    const own = queue.lengthOf(userId) + others.filter((other) => other === userId).length;
    if (own >= MOST_OF_ONE)
      throw new Unavailable(
        `${MOST_OF_ONE} of your runs are waiting already; the other places are for other users.`,
        RETRY_AFTER,
      );
  }

  /**
   * Notifies other processes that cancellation was requested, and waits until the runs have ended,
   * but at most `STOP_MS`.
   */
  async function othersLetGo(ids: readonly number[]): Promise<void> {
    for (const runId of ids) bus.publish<RunCancelAsked>(RUN_CANCEL_TOPIC, { runId });
    const until = performance.now() + STOP_MS;
    while (
      performance.now() < until &&
      (await runs.exists({ _id: { $in: [...ids] }, state: { $in: UNFINISHED } })) !== null
    ) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  function withdraw(ids: ReadonlySet<number>): void {
    for (const id of ids) {
      inLine.delete(id);
      const entry = active.get(id);
      if (entry?.isWaiting) entry.abort.abort();
    }
    queue.withdraw(({ _id }) => ids.has(_id));
  }

  function add(run: Waiting): void {
    inLine.add(run._id);
    queue.add(run);
  }

  /**
   * Queues a run from the store if its sharer has room, which due schedules always have; others are
   * queued later.
   */
  function offer(run: Waiting): void {
    const sharer = sharerOf(run);
    if (closing || inLine.has(run._id) || active.has(run._id)) return;
    if (sharer === DUE || queue.lengthOf(sharer) < MOST_OF_ONE) add(run);
  }

  /** Ends queued tests: after a restart, no user watches them. */
  async function endTests(ids: readonly number[]): Promise<void> {
    const until = performance.now() + END_TESTS_MS;
    for (let at = 0; at < ids.length && performance.now() < until; at += ENDED_AT_ONCE) {
      await store.transaction(async (tx) => {
        for (const _id of ids.slice(at, at + ENDED_AT_ONCE))
          await endings.endWithin(
            { _id, state: 'QUEUED' },
            { state: 'INTERRUPTED', error: interruptedError('waiting'), steps: 0, sequence: 1 },
            tx,
          );
      });
    }
  }

  return {
    requireRoom,

    /**
     * The same check for a run that is queued when the transaction commits; counts other runs of
     * the transaction.
     */
    takeRoom(userId: number | null, tx: Tx): void {
      const others = coming.get(tx) ?? [];
      requireRoom(userId, others);
      coming.set(tx, [...others, userId]);
    },

    add,

    offer,

    /** Whether the service is stopping, so that nothing more is started. */
    isClosing: (): boolean => closing,

    /** Ids of the queued runs. */
    waiting: (): number[] => [...inLine],

    /**
     * Cancels a run, whichever process holds it. Resolves when the run has ended, or takes too
     * long.
     */
    async cancel(id: number, by: Actor | null): Promise<void> {
      if (await abort(id, { kind: 'cancelled', by })) return;
      const isEnded =
        (await endings.end(
          { _id: id, state: 'QUEUED' },
          { state: 'CANCELLED', error: null, cancelledBy: by, steps: 0, sequence: 1 },
        )) !== null;
      if (isEnded) withdraw(new Set([id]));
      else if (await store.transaction((tx) => endings.askOwner(id, by, tx)))
        await othersLetGo([id]);
    },

    /** Why a run waits, as far as this process knows; null if it is not queued. */
    waitOf({
      _id: id,
      state,
      isBlocked,
    }: Pick<RunRecord, '_id' | 'state' | 'isBlocked'>): RunWait | null {
      if (state !== 'QUEUED') return null;
      if (isBlocked) return { reason: 'OTHER_RUNS', message: WAIT_REASONS.OTHER_RUNS };
      if (active.get(id)?.isWaiting)
        return { reason: 'PROCESS_START', message: engine.startState() };
      return { reason: 'CAPACITY', message: WAIT_REASONS.CAPACITY };
    },

    isActive: (id: number): boolean => active.has(id),

    /** Ids of the runs that this process executes and has not stopped. */
    goingOn: (): number[] => [...active].flatMap(([id, { stop }]) => (stop === null ? [id] : [])),

    othersLetGo,

    /** Removes runs from the queue. */
    withdraw,

    /** Cancels runs at the request of another process. */
    obey(ids: readonly number[]): void {
      for (const id of ids) {
        const entry = active.get(id);
        if (entry) void letGo(entry, { kind: 'cancelled', by: null });
      }
    },

    /** Aborts runs that another process has taken over. */
    lose(ids: readonly number[]): void {
      for (const id of ids) {
        const entry = active.get(id);
        if (entry) interrupt(entry);
        else owners.release(id);
      }
    },

    /**
     * Starts nothing more, lets running runs finish for a moment, then ends them as INTERRUPTED.
     * Queued runs stay queued, except tests.
     */
    async close(graceMs = GRACE_MS): Promise<void> {
      if (closing) return queue.idle();
      closing = true;
      const waiting = queue.close();
      for (const entry of active.values()) if (entry.isWaiting) entry.abort.abort();
      await settledWithin(queue.idle(), graceMs);
      for (const entry of active.values()) interrupt(entry);
      await settledWithin(queue.idle(), LET_GO_MS);
      await endTests([...testsLeft, ...waiting.filter(({ test }) => test).map(({ _id }) => _id)]);
    },
  };
}
