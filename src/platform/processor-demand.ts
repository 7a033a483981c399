import { readFileSync } from 'node:fs';

/**
 * Shortest useful measurement, ms: the kernel assigns a processor for a few milliseconds at a time.
 */
const SHORTEST_MS = 20;
/** Longest useful measurement, ms: an older one says nothing about the present. */
const LONGEST_MS = 500;

/**
 * Measures how much of a processor the main thread of a process needs: the share of time in which
 * it runs or waits for a processor, 0 to 1. Linux only (`/proc/<pid>/schedstat`: ns running, ns
 * waiting).
 */
export class ProcessorDemand {
  private from: { readonly at: number; readonly wantedMs: number } | null = null;
  private latest: number | null = null;

  constructor(private readonly pid: number) {
    this.reset();
  }

  /** Starts a new measurement. */
  reset(): void {
    this.from = this.look();
    this.latest = null;
  }

  /** Returns null if nothing is known yet. */
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
