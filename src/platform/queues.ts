import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from './errors/errors';

/**
 * First in, first out, with limited concurrency. Kept in memory only: the caller persists what
 * waits.
 */
export class BoundedQueue<T> {
  private waiting: T[] = [];
  private readonly slots: Slots<T>;

  /** @param execute never rejects */
  constructor(
    atOnce: number,
    private readonly most: number,
    execute: (entry: T) => Promise<void>,
  ) {
    this.slots = new Slots(atOnce, () => this.waiting.shift(), execute);
  }

  /**
   * Returns whether the queue is full, counting `coming` entries that are accepted but not added
   * yet.
   */
  isFullWith(coming: number): boolean {
    return this.waiting.length + Math.max(0, coming - this.slots.free) >= this.most;
  }

  add(entry: T): void {
    this.waiting.push(entry);
    this.slots.fill();
  }

  /** See `Slots.aside`. */
  aside<R>(wait: () => Promise<R>): Promise<R> {
    return this.slots.aside(wait);
  }

  /** Removes the waiting entries that match. */
  withdraw(matches: (entry: T) => boolean): void {
    this.waiting = this.waiting.filter((entry) => !matches(entry));
  }

  /** Starts nothing more. Returns the entries that were still waiting. */
  close(): T[] {
    this.slots.close();
    return this.waiting.splice(0);
  }

  /** Resolves when nothing is being executed. */
  idle(): Promise<void> {
    return this.slots.idle();
  }
}

/** Executes entries with limited concurrency. */
export class Slots<T> {
  private readonly working = new Set<Promise<void>>();
  /** How many of `working` have given up their slots for a while. */
  private apart = 0;
  private readonly returning: (() => void)[] = [];
  private closed = false;

  /**
   * @param next removes and returns the next waiting entry; undefined if none may start now
   * @param execute never rejects
   */
  constructor(
    private readonly atOnce: number,
    private readonly next: () => T | undefined,
    private readonly execute: (entry: T) => Promise<void>,
  ) {}

  get free(): number {
    return this.atOnce - this.working.size + this.apart;
  }

  /** Starts waiting entries. Called when one is added. */
  fill(): void {
    while (this.free > 0) {
      const comesBack = this.returning.shift();
      if (comesBack !== undefined) {
        comesBack();
        continue;
      }
      const entry = this.closed ? undefined : this.next();
      if (entry === undefined) return;
      const work = this.execute(entry).finally(() => {
        this.working.delete(work);
        this.fill();
      });
      this.working.add(work);
    }
  }

  /**
   * For an entry that is executing and waits for others: frees its slot while it waits, and takes
   * one again before new entries start. If `wait` rejects, it goes on at once, since it only has to
   * end.
   */
  async aside<R>(wait: () => Promise<R>): Promise<R> {
    this.apart += 1;
    this.fill();
    try {
      const waited = await wait();
      await new Promise<void>((resolve) => {
        this.returning.push(() => {
          this.apart -= 1;
          resolve();
        });
        this.fill();
      });
      return waited;
    } catch (error) {
      this.apart -= 1;
      throw error;
    }
  }

  /** Starts nothing more. */
  close(): void {
    this.closed = true;
  }

  /** Resolves when nothing is being executed. */
  async idle(): Promise<void> {
    while (this.working.size > 0) await Promise.all(this.working);
  }
}

/**
 * Runs expensive work a few at a time and rejects more than it can hold, so that a flood costs time
 * but not memory.
 */
export interface WorkQueue {
  /**
   * Runs `work` when a slot is free.
   * @throws Unavailable the queue is full
   */
  run<R>(work: () => Promise<R>): Promise<R>;
  /** Number of entries that are running. */
  readonly running: number;
  /** Number of waiting entries, without those that are running. */
  readonly waiting: number;
}

/** `concurrency` pieces of work at once, at most `capacity` waiting. */
export function createWorkQueue({
  concurrency,
  capacity,
}: {
  concurrency: number;
  capacity: number;
}): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting.length;
    },
    async run(work) {
      if (running < concurrency) running += 1;
      else if (waiting.length < capacity)
        await new Promise<void>((resolve) => waiting.push(resolve));
      else throw new Unavailable('Too many requests are waiting for their turn. Try again.', 2);
      try {
        return await work();
      } finally {
        // Hands the slot to the next one, so that no later caller comes before it.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}

/** Waits for the work, but not longer than `ms`. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  await Promise.race([work, delay(ms, undefined, { ref: false })]);
}
