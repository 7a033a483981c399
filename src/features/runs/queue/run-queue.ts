import { availableParallelism } from 'node:os';
import type { Config } from '../../../config/config';
import type { Actor } from '../../../platform/access/actor';
import { Unavailable } from '../../../platform/errors/errors';
import { settledWithin } from '../../../platform/queues';
import type { Tx } from '../../../platform/store/store';
import { INTERRUPTED } from '../execution/run-engine';
import type { RunEngine } from '../execution/run-engine';
import { WAIT_REASONS } from '../run.events';
import type { RunWait } from '../run.events';
import type { RunRecord } from '../run.model';
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
/**
 * Computing runs must not stop all others: after this time, ms, a run counts as half of one, and
 * after this time without a start one more begins.
 */
const LONG_MS = 5_000;
const MAX_APART_MS = 2_000;
/** Retry-After for clients when the queue is full, s. */
const RETRY_AFTER = 10;

interface RunQueueDependencies {
  readonly engine: Pick<RunEngine, 'startState' | 'waitingRuns'>;
  /** Maximum number of concurrent runs of this process, and of each workflow. */
  readonly limits: Pick<Config['workflow'], 'concurrentRuns' | 'concurrentOfWorkflow'>;
}

/**
 * The runs that wait in this process. The queue reflects the store: a run is claimed there before
 * it begins.
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
      atOnce: deps.limits.concurrentRuns,
      atOnceOfWorkflow: deps.limits.concurrentOfWorkflow,
      mayBegin: (going) => this.mayBegin(going),
      execute: async (run) => this.execute?.(run),
    });
  }

  /** Executes queued runs with `execute`, which never rejects. Until then, runs wait. */
  process(execute: (run: QueuedRun) => Promise<void>): void {
    this.execute = execute;
  }

  get isClosing(): boolean {
    return this.closing;
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

/** Maximum time a stop waits for the run to end, ms. */
export const STOP_MS = 5_000;

/** Why a run was stopped from outside. */
export type StopReason =
  { readonly kind: 'cancelled'; readonly by: Actor | null } | { readonly kind: 'interrupted' };

/**
 * How much of a processor a run needs: all while it begins or executes, some while it waits for the
 * service to store that it sends something, none when only its end has to be stored.
 */
const PROCESSOR_SHARE = { executing: 1, storing: 0.3, ended: 0 } as const;
type ProcessorShare = (typeof PROCESSOR_SHARE)[keyof typeof PROCESSOR_SHARE];

/** A run that has a slot in this process. */
export class ActiveRun {
  readonly abort = new AbortController();
  stop: StopReason | null = null;
  /** The run has a slot but no process yet; in the store it is QUEUED. */
  isWaiting = true;
  /** A request was sent, or may have been. */
  hasSent = false;
  processorShare: ProcessorShare = PROCESSOR_SHARE.executing;
  readonly begunAt = performance.now();
  readonly ended: Promise<void>;
  /** Resolves with whether this process executes the run. */
  readonly claimed: Promise<boolean>;
  private resolveEnded: () => void = () => undefined;
  private resolveClaimed: (isOurs: boolean) => void = () => undefined;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
    this.claimed = new Promise((resolve) => {
      this.resolveClaimed = resolve;
    });
  }

  markClaimed(isOurs: boolean): void {
    this.resolveClaimed(isOurs);
  }

  markEnded(): void {
    this.resolveClaimed(false);
    this.resolveEnded();
  }

  interrupt(): void {
    this.stop ??= { kind: 'interrupted' };
    this.abort.abort(INTERRUPTED);
  }

  /** Resolves when the run has ended, or takes too long. */
  async stopFor(reason: StopReason): Promise<void> {
    this.stop ??= reason;
    this.abort.abort();
    await settledWithin(this.ended, STOP_MS);
  }
}

class ActiveRuns {
  private readonly runs = new Map<number, ActiveRun>();

  begin(id: number): ActiveRun {
    const entry = new ActiveRun();
    this.runs.set(id, entry);
    return entry;
  }

  end(id: number): void {
    this.runs.get(id)?.markEnded();
    this.runs.delete(id);
  }

  has(id: number): boolean {
    return this.runs.has(id);
  }

  get(id: number): ActiveRun | undefined {
    return this.runs.get(id);
  }

  all(): ActiveRun[] {
    return [...this.runs.values()];
  }

  /** What the runs spare of one processor for each, and how many execute for long. */
  processorUse(): { spared: number; long: number } {
    const longSince = performance.now() - LONG_MS;
    let [spared, long] = [0, 0];
    for (const { processorShare, begunAt } of this.runs.values()) {
      spared += 1 - processorShare;
      if (processorShare === PROCESSOR_SHARE.executing && begunAt < longSince) long += 1;
    }
    return { spared, long };
  }

  /** Ids of the runs that are not stopped. */
  unstoppedIds(): number[] {
    return [...this.runs].flatMap(([id, { stop }]) => (stop === null ? [id] : []));
  }

  /**
   * Cancels a run, if this process executes it, and returns whether it does. Resolves when the run
   * has ended, or takes too long.
   */
  async cancel(id: number, by: Actor | null): Promise<boolean> {
    const entry = this.runs.get(id);
    if (!entry) return false;
    const stopped = entry.stopFor({ kind: 'cancelled', by });
    if (!(await entry.claimed)) return false;
    await stopped;
    return true;
  }
}
