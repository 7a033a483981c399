import { openSync, readSync } from 'node:fs';

/** The longest times between two turns of an event loop, ms; the two need not be of the same gap. */
export interface LongestGaps {
  /** In which the loop's own thread worked: processor time of this thread alone. */
  readonly own: number;
  /** By the clock on the wall: with the time in which the machine worked for others, and in which the loop waited for other threads of its own. */
  readonly wall: number;
}

/**
 * Processor time of this thread so far, ms. Linux counts it for each thread (the clock ticks every few milliseconds); elsewhere it is that of the
 * whole process, so that whatever its other threads do (store, compression, garbage collection) counts too.
 */
export const threadTime = ((): (() => number) => {
  if (process.platform !== 'linux') {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
  }
  const file = openSync('/proc/thread-self/schedstat', 'r');
  const text = Buffer.alloc(64);
  return () => {
    readSync(file, text, 0, text.length, 0);
    return Number(text.toString('latin1', 0, text.indexOf(' '))) / 1e6;
  };
})();

/** Watches the event loop of this thread. */
export class LoopWatch {
  private own = 0;
  private wall = 0;
  private seenAt = 0;
  private usedTill = 0;
  private watching = false;

  start(): void {
    this.own = this.wall = 0;
    this.seenAt = performance.now();
    this.usedTill = threadTime();
    this.watching = true;
    setImmediate(this.next);
  }

  stop(): LongestGaps {
    this.look();
    this.watching = false;
    return { own: this.own, wall: this.wall };
  }

  private readonly next = (): void => {
    if (!this.watching) return;
    this.look();
    setImmediate(this.next);
  };

  private look(): void {
    const now = performance.now();
    const used = threadTime();
    this.wall = Math.max(this.wall, now - this.seenAt);
    // Never more than the clock: what was counted late belongs to the turns before.
    this.own = Math.max(this.own, Math.min(now - this.seenAt, used - this.usedTill));
    this.seenAt = now;
    this.usedTill = used;
  }
}
