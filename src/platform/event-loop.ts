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

  /** Returns null if the work may go on at once; otherwise a promise that resolves when it may. */
  pause(): Promise<void> | null {
    const iteration = this.nextIteration();
    // Many wait for the same iteration.
    return iteration && iteration.then(() => this.pause() ?? undefined);
  }

  private nextIteration(): Promise<void> | null {
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
 * Shared by all subscriptions, GraphQL and STOMP: many events for many subscribers would delay other
 * callers for too long.
 */
export const subscriptionTime = new SharedTimeSlice();

/** Work of one request, job or socket operation, with all asynchronous work that it starts. */
interface Task {
  /** Whose share of the event loop it uses: a user, or the network of an unknown client. */
  sharer: string;
}

const current = new AsyncLocalStorage<Task>();
/** Work of the service itself, such as runs of schedules. */
const SERVICE: Task = { sharer: 'service' };

export const shareOfUser = (userId: number): string => `user ${userId}`;

/** Runs `work` as a task of its own. */
export const asTask = <T>(sharer: string, work: () => T): T => current.run({ sharer }, work);

/** Names the user that the current task works for. */
export function assignTaskToUser(userId: number): void {
  const task = current.getStore();
  if (task) task.sharer = shareOfUser(userId);
}

/**
 * Hands out one slice of the event loop at a time, to each user in turn, whatever number of
 * requests they have. Timers, sockets and short requests are served between two slices.
 */
class SliceQueue {
  /** By user; the one who was served last is at the end. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;

  wait(sharer: string): Promise<void> {
    return new Promise((resolve) => {
      const own = this.waiting.get(sharer);
      if (own) own.push(resolve);
      else this.waiting.set(sharer, [resolve]);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
    this.isScheduled = true;
    // Work scheduled during a slice runs in the next iteration of the loop, after its timers and
    // sockets.
    setImmediate(this.serveNext);
  }

  private readonly serveNext = (): void => {
    this.isScheduled = false;
    const [[sharer, own] = ['', []]] = this.waiting;
    this.waiting.delete(sharer);
    const resolve = own.shift();
    if (own.length > 0) this.waiting.set(sharer, own);
    this.schedule();
    resolve?.();
  };
}

const queue = new SliceQueue();

/**
 * Waits for the next slice of the event loop. Between two walks over a whole document, it lets others
 * be served.
 */
export const nextSlice = (): Promise<void> => queue.wait((current.getStore() ?? SERVICE).sharer);

/** Length of a time slice, ms. */
const SLICE_MS = 8;

/** Divides long work into time slices: `if (slices.over) await slices.next()`. */
export class TimeSlices {
  private startedAt = performance.now();

  /** Returns whether the time slice is over. */
  get over(): boolean {
    return performance.now() - this.startedAt > SLICE_MS;
  }

  async next(): Promise<void> {
    await nextSlice();
    this.startedAt = performance.now();
  }
}
