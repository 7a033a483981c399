import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from './errors/errors';

interface QueueLimits {
  /** Maximum number of pieces of work that run at once. */
  readonly concurrency: number;
  /** Maximum number of waiting pieces of work. */
  readonly capacity: number;
}

/**
 * Runs expensive work a few at a time, first in, first out, and rejects more than it can hold, so
 * that a flood costs time but not memory.
 */
export class WorkQueue {
  private occupied = 0;
  private readonly queued: (() => void)[] = [];
  /** Work that waits for its slot after `aside`. */
  private readonly returning: (() => void)[] = [];

  constructor(private readonly limits: QueueLimits) {}

  /** Number of pieces of work that run, without those in `aside`. */
  get running(): number {
    return this.occupied;
  }

  /** Number of waiting pieces of work, without those that are running. */
  get waiting(): number {
    return this.queued.length;
  }

  /**
   * Runs `work` when a slot is free.
   * @param signal withdraws the work while it waits; rejects with its reason
   * @throws Unavailable the queue is full
   */
  async run<R>(work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    signal?.throwIfAborted();
    if (this.isFree) this.occupied += 1;
    else if (this.queued.length < this.limits.capacity) await this.slot(this.queued, signal);
    else throw new Unavailable('Too many requests are waiting for their turn. Try again.', 2);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /**
   * For work that is running and waits for other work: frees its slot while it waits, and takes one
   * again before queued work starts. If `wait` rejects, it goes on at once, since it only has to
   * end.
   */
  async aside<R>(wait: () => Promise<R>): Promise<R> {
    this.release();
    try {
      const result = await wait();
      if (this.isFree) this.occupied += 1;
      else await this.slot(this.returning);
      return result;
    } catch (error) {
      this.occupied += 1;
      throw error;
    }
  }

  private get isFree(): boolean {
    return this.occupied < this.limits.concurrency;
  }

  private slot(line: (() => void)[], signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', withdraw);
        resolve();
      };
      const withdraw = (): void => {
        line.splice(line.indexOf(begin), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', withdraw, { once: true });
      line.push(begin);
    });
  }

  /** Hands the slot to the next one, so that no later caller comes before it. */
  private release(): void {
    this.occupied -= 1;
    const next = this.isFree ? (this.returning.shift() ?? this.queued.shift()) : undefined;
    if (next === undefined) return;
    this.occupied += 1;
    next();
  }
}

/** One piece of work at once, and a long queue: for work that would conflict. */
const SERIAL: QueueLimits = { concurrency: 1, capacity: 1_000 };

/**
 * A work queue of each key. With the default limits it serialises transactions of this process that
 * write the same record: waiting costs less than conflicts, which restart the transaction.
 * Correctness must not depend on it: other processes do not share the queue.
 */
export class KeyedLock {
  private readonly queues = new Map<number | string, WorkQueue>();

  constructor(private readonly limits = SERIAL) {}

  /** @throws Unavailable the queue of this key is full */
  async run<R>(key: number | string, work: () => Promise<R>): Promise<R> {
    const queue = this.queues.get(key) ?? new WorkQueue(this.limits);
    this.queues.set(key, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.running === 0 && this.queues.get(key) === queue) this.queues.delete(key);
    }
  }
}

/** Waits for the work, but not longer than `ms`. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  await Promise.race([work, delay(ms, undefined, { ref: false })]);
}
