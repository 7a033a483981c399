import { availableParallelism } from 'node:os';
import type { Config } from '../../../config/config';
import { Unavailable } from '../../../platform/errors/errors';
import type { Tx } from '../../../platform/store/store';
import type { RunEngine } from '../execution/run-engine';
import { WAIT_REASONS } from '../run.events';
import type { RunWait } from '../run.events';
import type { RunRecord } from '../run.model';
import { ActiveRuns, PROCESSOR_SHARE } from './active-runs';
import type { ActiveRun } from './active-runs';
import { FairQueue } from './fair-queue';

/** A queued run, with the fields that the queue needs. */
export type QueuedRun = Pick<RunRecord, '_id' | 'workflowId' | 'startedBy' | 'test' | 'trigger'>;

/**
 * Keys that slots are shared over: users, webhooks (null), all due schedules, and all error
 * workflows.
 */
const DUE = 'due';
const FAILED = 'failed';
function sharerOf({ trigger, startedBy }: QueuedRun): number | typeof DUE | typeof FAILED | null {
  if (trigger === 'SCHEDULE') return DUE;
  return trigger === 'ERROR' ? FAILED : (startedBy?.userId ?? null);
}

/**
 * Maximum number of queued runs in total, and of one user. Due schedules and error workflows are
 * not limited.
 */
const MAX_QUEUED = 1_000;
const MAX_QUEUED_OF_USER = MAX_QUEUED / 2;
/**
 * Maximum number of runs that begin or compute. More would slow each other down, delay requests and
 * need more processes; runs that wait for other systems need no processor.
 */
const MAX_COMPUTING = Math.max(2, availableParallelism());
/** Computing runs must not stop all others: after this time without a start one more begins, ms. */
const MAX_APART_MS = 2_000;
/** Of the runs of a workflow that come first, processes at one store begin with different ones. */
const SPREAD = 8;
/** Retry-After for clients when the queue is full, s. */
const RETRY_AFTER = 10;

interface RunQueueDependencies {
  readonly engine: Pick<RunEngine, 'startState' | 'waitingRuns'>;
  /** Maximum number of concurrent runs of this process, and of each workflow. */
  readonly limits: Pick<Config['workflow'], 'concurrentRuns' | 'concurrentOfWorkflow'>;
  /** Whether this process executes runs; otherwise it only counts the queued ones. */
  readonly isWorker: boolean;
  /** Whether other processes take runs from the same queue. */
  readonly isShared: boolean;
}

/**
 * The queued runs, as this process knows them. The queue reflects the store: a run is claimed there
 * before it begins.
 */
export class RunQueue {
  readonly active = new ActiveRuns();
  /** Runs that wait for a slot, or have one but no process yet. */
  private readonly waitingIds = new Set<number>();
  /** Users whose runs join the queue when a transaction commits. */
  private readonly coming = new WeakMap<Tx, readonly (number | null)[]>();
  private readonly queue: FairQueue<QueuedRun>;
  private execute: ((run: QueuedRun) => Promise<void>) | null = null;
  private lastBegunAt = 0;
  private closing = false;

  constructor(private readonly deps: RunQueueDependencies) {
    this.queue = new FairQueue<QueuedRun>({
      shares: { user: sharerOf, workflow: ({ workflowId }) => workflowId },
      atOnce: deps.isWorker ? deps.limits.concurrentRuns : 0,
      atOnceOfWorkflow: deps.limits.concurrentOfWorkflow,
      mayBegin: (going) => this.mayBegin(going),
      spread: deps.isShared ? SPREAD : 1,
      execute: async (run) => this.execute?.(run),
    });
  }

  /** Executes queued runs with `execute`, which never rejects. Until then, runs wait. */
  process(execute: (run: QueuedRun) => Promise<void>): void {
    this.execute = execute;
  }

  /** Whether this process executes runs. */
  get isWorker(): boolean {
    return this.deps.isWorker;
  }

  get isClosing(): boolean {
    return this.closing;
  }

  /** Runs that other processes execute now: users and workflows share the slots of all processes. */
  setElsewhere(runs: readonly QueuedRun[]): void {
    this.queue.setElsewhere(runs);
  }

  /** Other processes execute as many runs of the workflow of this run as may be. */
  setFull(run: QueuedRun): void {
    this.queue.setFull(run);
  }

  /** Ids of the runs that wait for a slot, or have one but no process yet. */
  get ids(): number[] {
    return [...this.waitingIds];
  }

  /**
   * @throws Unavailable if the service is stopping, or too many runs are queued in total or for
   * this user
   */
  requireRoom(userId: number | null, others: readonly (number | null)[] = []): void {
    const { queue } = this;
    if (this.closing) throw new Unavailable('The service is stopping.');
    if (queue.length - queue.lengthOf(DUE) - queue.lengthOf(FAILED) + others.length >= MAX_QUEUED)
      throw new Unavailable(
        `The queue is full: ${MAX_QUEUED} runs are waiting. Try again later.`,
        RETRY_AFTER,
      );
    const own = queue.lengthOf(userId) + others.filter((other) => other === userId).length;
    if (own >= MAX_QUEUED_OF_USER)
      throw new Unavailable(
        `${MAX_QUEUED_OF_USER} of your runs are waiting already, which is the maximum for one user. Try again later.`,
        RETRY_AFTER,
      );
  }

  /**
   * The same check for a run that is queued when the transaction commits; counts other runs of the
   * transaction.
   */
  takeRoom(userId: number | null, tx: Tx): void {
    const others = this.coming.get(tx) ?? [];
    this.requireRoom(userId, others);
    this.coming.set(tx, [...others, userId]);
  }

  add(run: QueuedRun): void {
    this.waitingIds.add(run._id);
    this.queue.add(run);
  }

  /**
   * Queues a run from the store if its sharer has room, which due schedules always have; others are
   * queued later.
   */
  offer(run: QueuedRun): void {
    const sharer = sharerOf(run);
    if (this.closing || this.waitingIds.has(run._id) || this.active.has(run._id)) return;
    if (sharer === DUE || this.queue.lengthOf(sharer) < MAX_QUEUED_OF_USER) this.add(run);
  }

  /** The run no longer waits: it is claimed next, or was withdrawn. */
  leave(id: number): void {
    this.waitingIds.delete(id);
  }

  withdraw(ids: ReadonlySet<number>): void {
    for (const id of ids) {
      this.leave(id);
      const entry = this.active.get(id);
      if (entry?.isWaiting) entry.abort.abort();
    }
    this.queue.withdraw(({ _id }) => ids.has(_id));
  }

  private mayBegin(going: number): boolean {
    if (this.execute === null) return false;
    const isFree = this.computing(going) + 1 <= MAX_COMPUTING;
    const now = performance.now();
    if (!isFree && now - this.lastBegunAt < MAX_APART_MS) return false;
    this.lastBegunAt = now;
    return true;
  }

  /** How many of the processors `going` runs need. */
  private computing(going: number): number {
    const waiting = this.deps.engine.waitingRuns();
    const { spared, long } = this.active.processorUse();
    // It is not known which runs wait: mostly the long ones.
    return going - spared - waiting - Math.max(0, long - waiting) / 2;
  }

  /** Notes what a run does now, and begins others if they may. */
  mark(run: ActiveRun, state: keyof typeof PROCESSOR_SHARE): void {
    run.processorShare = PROCESSOR_SHARE[state];
    this.queue.check();
  }

  /** Why a run waits, as far as this process knows; null if it is not queued. */
  waitOf({
    _id: id,
    state,
    isBlocked,
  }: Pick<RunRecord, '_id' | 'state' | 'isBlocked'>): RunWait | null {
    if (state !== 'QUEUED') return null;
    if (isBlocked) return { reason: 'OTHER_RUNS', message: WAIT_REASONS.OTHER_RUNS };
    if (this.active.has(id))
      return { reason: 'PROCESS_START', message: this.deps.engine.startState() };
    return { reason: 'CAPACITY', message: WAIT_REASONS.CAPACITY };
  }

  /** Starts nothing more. Returns the runs that were still waiting. */
  close(): QueuedRun[] {
    this.closing = true;
    return this.queue.close();
  }

  idle(): Promise<void> {
    return this.queue.idle();
  }
}
