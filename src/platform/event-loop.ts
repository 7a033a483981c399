import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Time per event loop iteration that all users of a `SharedTimeSlice` have together, ms. Other work
 * waits that long at most, plus the last piece of work.
 */
const MOST_MS = 5;

/**
 * A time slice of each event loop iteration that many pieces of work share. Without it, promises
 * that resolve at once would go on without end before other work runs, be it one reader with much
 * to read or a thousand with little.
 */
export class SharedTimeSlice {
  private begunAt: number | null = null;
  private next: Promise<void> | null = null;

  /**
   * Returns null if the work may go on, without a pause in between; otherwise a promise for the
   * next iteration. Call it again after waiting: many wait for the same iteration.
   */
  over(): Promise<void> | null {
    if (this.begunAt === null) {
      this.begunAt = performance.now();
      setImmediate(() => {
        this.begunAt = null;
      });
      return null;
    }
    if (performance.now() - this.begunAt < MOST_MS) return null;
    this.next ??= new Promise((resolve) =>
      setImmediate(() => {
        this.next = null;
        resolve();
      }),
    );
    return this.next;
  }
}

/**
 * A request that has worked longer than this gets its slices after the user's other requests, ms.
 */
const LONG_WORK_MS = 1_000;
/** Maximum time that one slice counts, ms: waiting between two slices is not work. */
const MAX_COUNTED_MS = 50;

let created = 0;

/**
 * Work of one request, job or socket operation. All asynchronous work that it starts is part of it.
 */
export class Task {
  private readonly order = (created += 1);
  private workedMs = 0;

  /**
   * @param sharer whose share of the event loop it uses: a user, or the network of an unknown
   * client
   */
  constructor(public sharer: string) {}

  count(ms: number): void {
    this.workedMs += Math.min(ms, MAX_COUNTED_MS);
  }

  get isLong(): boolean {
    return this.workedMs > LONG_WORK_MS;
  }

  isOlderThan(other: Task): boolean {
    return this.order < other.order;
  }
}

/** The task that the current code works for. */
interface Current {
  readonly task: Task;
  /** Holds a lock or a transaction that requests of other users may wait for. */
  readonly isHolding: boolean;
}

interface Waiting extends Current {
  readonly resolve: () => void;
}

const current = new AsyncLocalStorage<Current>();
/** Work of the service itself, such as runs of schedules. */
const SERVICE: Current = { task: new Task('service'), isHolding: true };

export const shareOfUser = (userId: number): string => `user ${userId}`;

/** Runs `work` as a task of its own. */
export function asTask<T>(sharer: string, work: () => T): T {
  return current.run({ task: new Task(sharer), isHolding: false }, work);
}

/**
 * Runs `work`, which holds something that others wait for: its slices are not postponed for those
 * of other requests.
 */
export function whileHolding<T>(work: () => T): T {
  const now = current.getStore();
  return now === undefined || now.isHolding
    ? work()
    : current.run({ ...now, isHolding: true }, work);
}

/** Names the user that the current task works for. */
export function assignTaskToUser(userId: number): void {
  const now = current.getStore();
  if (now) now.task.sharer = shareOfUser(userId);
}

/**
 * Hands out one slice of the event loop at a time, to each user in turn, whatever number of
 * requests they have. Of one user, requests that have worked for less than a second come first;
 * within both groups the oldest request comes first, so that long ones end one after the other
 * instead of all at last. Timers, sockets and short requests are served between two slices.
 */
class SliceQueue {
  private readonly waiting = new Map<string, Waiting[]>();
  /** Number of the last slice of each user, since the queue was empty. */
  private readonly lastServed = new Map<string, number>();
  private served = 0;
  private isScheduled = false;

  wait(now: Current): Promise<void> {
    return new Promise((resolve) => {
      const { sharer } = now.task;
      const own = this.waiting.get(sharer);
      const entry = { ...now, resolve };
      if (own) own.push(entry);
      else this.waiting.set(sharer, [entry]);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    // Work scheduled during a slice runs in the next iteration of the loop, after its timers and
    // sockets.
    setImmediate(this.serveNext);
  }

  private readonly serveNext = (): void => {
    this.isScheduled = false;
    const sharer = this.nextSharer();
    const entries = this.waiting.get(sharer) ?? [];
    const next = entries.reduce((best, entry) => (comesBefore(entry, best) ? entry : best));
    if (entries.length === 1) this.waiting.delete(sharer);
    else entries.splice(entries.indexOf(next), 1);
    this.lastServed.set(sharer, (this.served += 1));
    if (this.waiting.size > 0) this.schedule();
    else setImmediate(this.forgetServed);
    next.resolve();
  };

  private readonly forgetServed = (): void => {
    if (this.waiting.size === 0) this.lastServed.clear();
  };

  /**
   * Returns the user who was served longest ago. Users are remembered while a short wait for the
   * store or a socket keeps them out of the queue.
   */
  private nextSharer(): string {
    let [best = ''] = this.waiting.keys();
    for (const sharer of this.waiting.keys())
      if ((this.lastServed.get(sharer) ?? 0) < (this.lastServed.get(best) ?? 0)) best = sharer;
    return best;
  }
}

function comesBefore(one: Waiting, other: Waiting): boolean {
  const isPostponed = ({ task, isHolding }: Waiting): boolean => task.isLong && !isHolding;
  if (isPostponed(one) !== isPostponed(other)) return isPostponed(other);
  return one.task !== other.task && one.task.isOlderThan(other.task);
}

const queue = new SliceQueue();

/**
 * Waits for the next slice of the event loop.
 * @param workedMs how long the previous slice lasted
 */
export function nextSlice(workedMs: number): Promise<void> {
  const now = current.getStore() ?? SERVICE;
  now.task.count(workedMs);
  return queue.wait(now);
}

/** Length of a time slice, ms. */
const SLICE_MS = 8;

/** Tells long work when its time slice is over. */
export interface TimeSlice {
  readonly over: boolean;
}

/** Long work that yields when its time slice is over. */
export type Yielding<T> = Generator<void, T, void>;

/** Divides long work into time slices: `if (turns.over) await turns.next()`. */
export class TimeSlices {
  private startedAt = performance.now();

  /** Returns whether the time slice is over. */
  get over(): boolean {
    return performance.now() - this.startedAt > SLICE_MS;
  }

  async next(): Promise<void> {
    await nextSlice(performance.now() - this.startedAt);
    this.startedAt = performance.now();
  }
}

/** Runs long work in time slices. */
export async function runInSlices<T>(work: (slice: TimeSlice) => Yielding<T>): Promise<T> {
  const slices = new TimeSlices();
  const steps = work(slices);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await slices.next();
  }
}

const ENDLESS: TimeSlice = { over: false };

/** Runs the work without interruption; for work that is known to be short. */
export function runWithoutYielding<T>(work: (slice: TimeSlice) => Yielding<T>): T {
  const steps = work(ENDLESS);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
  }
}
