import type { PublishedRunEvent } from './run.events';

/** Events kept in memory per run that somebody watches. */
const MOST = 500;
/** Characters of requests and responses in them. */
const MOST_TEXT = 4 * 1024 * 1024;

/** The newest events of a run, without gaps, for all who watch it. */
export class LiveTail {
  private events: PublishedRunEvent[] = [];
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
      this.events.push(event);
      this.text += textOf(event);
      this.last = event.sequence;
    }
    while (this.events.length > MOST || (this.text > MOST_TEXT && this.events.length > 1)) {
      const oldest = this.events.shift();
      this.text -= oldest ? textOf(oldest) : 0;
    }
    for (const wake of [...this.waiting]) wake();
  }

  /** What came after a sequence; undefined when that is not known here. */
  after(sequence: number): readonly PublishedRunEvent[] | undefined {
    const first = this.events[0];
    if (!first || sequence + 1 < first.sequence || sequence > this.last) return undefined;
    return this.events.slice(sequence + 1 - first.sequence);
  }

  /** Resolves with true when there is an event beyond the sequence; with false when the time is over or the signal aborted. */
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
    this.text = 0;
  }
}

function textOf(event: PublishedRunEvent): number {
  return event.kind === 'StepFinished' ? (event.request?.payload.length ?? 0) + (event.response?.payload.length ?? 0) : 0;
}
