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
  /** Runs of this process at once, and of each workflow. */
  readonly concurrent: number;
  readonly concurrentOfWorkflow: number;
  readonly mayBegin: Admission;
  readonly onFault: (error: unknown, runId: number) => void;
  /** Another process has ended a run of this one. */
  readonly onLost: (runId: number) => void;
}

/** A run that waits, as far as a place in line is concerned. */
export type Waiting = Pick<RunRecord, '_id' | 'workflowId' | 'startedBy' | 'test' | 'trigger'>;

/** Who shares places: users, webhooks, which are nobody, all schedules that were due together, and what failures have started. */
const DUE = 'due';
const FAILED = 'failed';
function sharerOf({ trigger, startedBy }: Waiting): number | typeof DUE | typeof FAILED | null {
  if (trigger === 'SCHEDULE') return DUE;
  return trigger === 'ERROR' ? FAILED : (startedBy?.userId ?? null);
}

/** Runs that may wait, over all users, and those of one: the rest is for others. What was due, and what failures have started, waits in any number. */
const MOST_WAITING = 1_000;
const MOST_OF_ONE = MOST_WAITING / 2;
/** When a place may be free again, s. */
const RETRY_AFTER = 10;
/** How long running runs may go on when the service stops, and how long they may then take to let go. */
const GRACE_MS = 1_000;
const LET_GO_MS = 4_000;
/** How often the store is asked whether a run of another process has let go. */
const LOOK_AGAIN_MS = 100;
/** Tests that are ended together when the service stops. */
const ENDED_AT_ONCE = 25;
/** How long that may take: the rest ends with the next start, or with a look of another process. */
const END_TESTS_MS = 2_000;

export type RunLine = ReturnType<typeof createRunLine>;

/**
 * The runs of this process: they wait in line, are executed a few at a time, and can be stopped. What waits stands in the store; the line is this
 * process's picture of it, and whoever has a place claims the next run there.
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

  /** Whose runs get in line with the commit of a transaction. */
  const coming = new WeakMap<Tx, readonly (number | null)[]>();

  /** @throws Unavailable stopping, or too many runs wait, of all users or of this one */
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

  /** Another process was asked to cancel them: waits until it has, or takes too long. */
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

  /** What waits in the store in any number is in line as far as there is room for its sharer: the rest gets in line when it has less there. */
  function offer(run: Waiting): void {
    const sharer = sharerOf(run);
    if (closing || inLine.has(run._id) || active.has(run._id)) return;
    if (sharer === DUE || queue.lengthOf(sharer) < MOST_OF_ONE) add(run);
  }

  /** Nobody watches a test when the service is back. */
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

    /** The same for a run that gets in line when this transaction is committed, as those do that share it. */
    takeRoom(userId: number | null, tx: Tx): void {
      const others = coming.get(tx) ?? [];
      requireRoom(userId, others);
      coming.set(tx, [...others, userId]);
    },

    add,

    offer,

    /** Nothing more is started. */
    isClosing: (): boolean => closing,

    /** What is in line. */
    waiting: (): number[] => [...inLine],

    /** Cancels a run wherever it is: one that is executed here at once, as far as its end is concerned. Resolves when it has let go, or takes too long. */
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

    /** Why a run waits, as far as this process knows; null: it does not. */
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

    /** What is executed here and was not stopped yet. */
    goingOn: (): number[] => [...active].flatMap(([id, { stop }]) => (stop === null ? [id] : [])),

    othersLetGo,

    /** Makes room: they need not wait any more. */
    withdraw,

    /** Another process wants these to be cancelled. */
    obey(ids: readonly number[]): void {
      for (const id of ids) {
        const entry = active.get(id);
        if (entry) void letGo(entry, { kind: 'cancelled', by: null });
      }
    },

    /** They are another process's by now: nothing more is done for them. */
    lose(ids: readonly number[]): void {
      for (const id of ids) {
        const entry = active.get(id);
        if (entry) interrupt(entry);
        else owners.release(id);
      }
    },

    /** Starts nothing more, lets running runs finish for a moment, then ends them as INTERRUPTED. What waits goes on waiting, but for tests. */
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
