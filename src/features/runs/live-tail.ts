import type { PublishedRunEvent } from './run.events';

/** Maximum number of events kept in memory per watched run. */
const MOST = 500;
/** Maximum characters of all their texts. */
const MOST_TEXT = 4 * 1024 * 1024;

/** The newest events of a run, without gaps, shared by its subscribers. */
export class LiveTail {
  private events: PublishedRunEvent[] = [];
  /** Characters of each event, in the same order. */
  private lengths: number[] = [];
  private text = 0;
  private last = 0;
  private waiting = new Set<() => void>();

  /** Sequence of the newest event that was pushed; 0 before the first. */
  get newest(): number {
    return this.last;
  }

  push(batch: readonly PublishedRunEvent[]): void {
    for (const event of batch) {
      if (event.sequence <= this.last) continue;
      if (event.sequence !== this.last + 1) this.forget();
      const length = charactersIn(event);
      this.events.push(event);
      this.lengths.push(length);
      this.text += length;
      this.last = event.sequence;
    }
    while (this.events.length > MOST || (this.text > MOST_TEXT && this.events.length > 1)) {
      this.events.shift();
      this.text -= this.lengths.shift() ?? 0;
    }
    for (const wake of [...this.waiting]) wake();
  }

  /** Returns the events after a sequence; undefined if they are not in memory. */
  after(sequence: number): readonly PublishedRunEvent[] | undefined {
    const first = this.events[0];
    if (!first || sequence + 1 < first.sequence || sequence > this.last) return undefined;
    return this.events.slice(sequence + 1 - first.sequence);
  }

  /** Resolves with true when there is a newer event, with false on timeout or abort. */
  async grownBeyond(sequence: number, signal: AbortSignal, ms: number): Promise<boolean> {
    if (this.last > sequence) return true;
    if (signal.aborted) return false;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve(this.last > sequence);
      };
      const timer = setTimeout(done, ms).unref();
      this.waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  private forget(): void {
    this.events = [];
    this.lengths = [];
    this.text = 0;
  }
}

/** Characters of all texts in a value, including field names: header names have no length limit. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, one]) => sum + name.length + charactersIn(one),
    0,
  );
}
