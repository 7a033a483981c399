import { readFileSync } from 'node:fs';

/** Shorter than this tells nothing: a processor is given for a few milliseconds at a time. */
const SHORTEST_MS = 20;
/** Longer ago says nothing about now. */
const LONGEST_MS = 500;

/**
 * How much of a processor the main thread of a process wants: the part of the time in which it works or waits for a processor, 0 to 1.
 * Linux counts both (`/proc/<pid>/schedstat`: ns at work, ns waiting); elsewhere it is not known.
 */
export class ProcessorDemand {
  private from: { readonly at: number; readonly wantedMs: number } | null = null;
  private latest: number | null = null;

  constructor(private readonly pid: number) {
    this.reset();
  }

  /** What comes is measured from here on. */
  reset(): void {
    this.from = this.look();
    this.latest = null;
  }

  /** Null: nothing is known yet. */
  read(): number | null {
    const { from } = this;
    const since = from === null ? Infinity : performance.now() - from.at;
    if (since > LONGEST_MS) this.reset();
    if (from === null || since < SHORTEST_MS || since > LONGEST_MS) return this.latest;
    const now = this.look();
    if (now !== null)
      this.latest = Math.min(1, (now.wantedMs - from.wantedMs) / (now.at - from.at));
    this.from = now;
    return this.latest;
  }

  private look(): { at: number; wantedMs: number } | null {
    try {
      const [worked, waited] = readFileSync(`/proc/${this.pid}/schedstat`, 'latin1')
        .split(' ')
        .map(Number);
      return { at: performance.now(), wantedMs: (worked + waited) / 1e6 };
    } catch {
      return null;
    }
  }
}
