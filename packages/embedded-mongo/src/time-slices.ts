import { StoreError } from './errors';

/** Length of a time slice, ms. */
const SLICE_MS = 5;

/** A time slice of work. */
export class TimeSlice {
  private readonly end = performance.now() + SLICE_MS;

  readonly isOver = (): boolean => performance.now() > this.end;
}

/** Yields to the event loop; resumes one waiting command per iteration. */
class YieldQueue {
  private readonly waiting: Array<() => void> = [];

  wait(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.resumeNext);
    });
  }

  private readonly resumeNext = (): void => {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(this.resumeNext);
  };
}

const yieldQueue = new YieldQueue();

/** Divides a command into time slices; ends it on timeout or when the client disconnects. */
export class CommandTimer {
  private slice = new TimeSlice();
  private readonly deadline: number;

  /** @param maxTimeMS 0 means no limit */
  constructor(
    maxTimeMS: number,
    private readonly isDisconnected: () => boolean = () => false,
  ) {
    this.deadline = maxTimeMS > 0 ? performance.now() + maxTimeMS : Infinity;
  }

  /** Call between units of work. @throws StoreError 50 on timeout, 11601 on disconnect */
  async yieldIfDue(): Promise<void> {
    this.requireTime();
    if (this.isDisconnected()) throw new StoreError('Interrupted', 'operation was interrupted');
    if (!this.slice.isOver()) return;
    await yieldQueue.wait();
    this.slice = new TimeSlice();
  }

  /** Waits for an event, at most `ms`. @throws StoreError 50 on timeout */
  async waitFor(event: Promise<void>, ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, Math.min(ms, this.deadline - performance.now())));
    });
    await Promise.race([event, limit]);
    clearTimeout(timer);
    this.requireTime();
  }

  /** @throws StoreError 50 on timeout, 11601 on disconnect */
  async sleep(ms: number): Promise<void> {
    if (ms > 0) await this.waitFor(new Promise<never>(() => undefined), ms);
    await this.yieldIfDue();
  }

  /** Calls `take` for each item; may yield where `items` has `undefined`. */
  async forEach<T>(items: Iterable<T | undefined>, take: (item: T) => void): Promise<void> {
    for (const item of items) {
      if (item === undefined) await this.yieldIfDue();
      else take(item);
    }
  }

  private requireTime(): void {
    if (performance.now() > this.deadline)
      throw new StoreError('MaxTimeMSExpired', 'operation exceeded time limit');
  }
}
