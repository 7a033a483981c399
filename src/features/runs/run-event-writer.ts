import type { EventRow } from './execution/run-engine';

/** Stores a batch of events durably, then publishes it. */
export type StoreBatch = (rows: readonly EventRow[]) => Promise<void>;

/** Writes the events of one run in order, a batch after the other. Whoever gives batches waits for the store when it is far behind. */
export class RunEventWriter {
  /** A failure stays: every later append and flush meets it, so that no gap can appear. */
  private stored: Promise<void> = Promise.resolve();
  private last = 0;

  constructor(private readonly store: StoreBatch) {}

  /** Sequence of the newest event that was appended; 0 before the first. */
  get lastSequence(): number {
    return this.last;
  }

  /** Resolves when these events are stored and published. */
  append(rows: readonly EventRow[]): Promise<void> {
    this.last = rows.at(-1)?.sequence ?? this.last;
    this.stored = this.stored.then(() => this.store(rows));
    // Whoever appends or flushes next hears of it; nobody has to listen now.
    this.stored.catch(() => undefined);
    return this.stored;
  }

  /** Resolves when everything appended so far is stored and published. */
  flush(): Promise<void> {
    return this.stored;
  }
}
