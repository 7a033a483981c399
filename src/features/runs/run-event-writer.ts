import type { RunEventBody } from '../../engine/events';

/** Events that may wait while a batch is being stored; beyond them the run waits. */
const MOST_WAITING = 500;
/** Characters of text in events that may wait. */
const MOST_TEXT = 2 * 1024 * 1024;
const BATCH = 200;

/** Stores a batch of events durably, then publishes it. */
export type StoreBatch = (events: readonly RunEventBody[]) => Promise<void>;

/**
 * Writes the events of one run in order. The next batch gathers while the one before becomes durable, so the engine waits for the
 * store only when it is far ahead of it.
 */
export class RunEventWriter {
  private waiting: RunEventBody[] = [];
  private text = 0;
  private writing: Promise<void> | null = null;
  private last = 0;

  constructor(private readonly store: StoreBatch) {}

  /** Sequence of the newest event that was appended; 0 before the first. */
  get lastSequence(): number {
    return this.last;
  }

  /** Takes an event; the promise, where there is one, resolves when there is room for the next. Rejects when events cannot be stored. */
  append(event: RunEventBody): void | Promise<void> {
    this.last = event.sequence;
    this.waiting.push(event);
    this.text += textOf(event);
    if (this.writing === null) {
      this.writing = this.write();
      // Whoever appends or flushes next hears of it; nobody has to listen now.
      this.writing.catch(() => undefined);
    }
    if (this.waiting.length >= MOST_WAITING || this.text >= MOST_TEXT) return this.writing;
  }

  /** Resolves when everything appended so far is stored and published. */
  async flush(): Promise<void> {
    await this.writing;
  }

  /** A failure stays: `writing` is never replaced, so every later append and flush meets it. */
  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      this.text -= batch.reduce((sum, event) => sum + textOf(event), 0);
      await this.store(batch);
    }
    this.writing = null;
  }
}

function textOf(event: RunEventBody): number {
  if (event.kind !== 'StepFinished') return 0;
  return (event.request?.payload.length ?? 0) + (event.response?.payload.length ?? 0);
}
