import type { EventRow } from './execution/run-engine';
import type { EventsOf } from './run-event-batches';

/** Somebody who waits until what he appended is stored. */
interface Appended {
  readonly last: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Events of one run on their way into the store, in order. */
export class RunEventWriter {
  private waiting: EventRow[] = [];
  private readonly appended: Appended[] = [];
  /** A failure stays: every later append and flush meets it, so that no gap can appear. */
  private failure: { readonly error: unknown } | null = null;
  private newest: Promise<void> = Promise.resolve();
  private last = 0;

  /**
   * @param require called before anything is stored; when it throws, nothing more is
   * @param offer   called when there is something to take
   */
  constructor(
    readonly run: EventsOf,
    readonly require: () => Promise<void>,
    private readonly offer: (writer: RunEventWriter) => void,
  ) {}

  /** Sequence of the newest event that was appended; 0 before the first. */
  get lastSequence(): number {
    return this.last;
  }

  /** What is to be stored next. */
  get rows(): readonly EventRow[] {
    return this.waiting;
  }

  /** Resolves when these events are stored and published. */
  append(rows: readonly EventRow[]): Promise<void> {
    const last = rows.at(-1)?.sequence;
    if (last === undefined) return this.newest;
    this.last = last;
    this.newest = new Promise((resolve, reject) => this.appended.push({ last, resolve, reject }));
    // Whoever appends or flushes next hears of it; nobody has to listen now.
    this.newest.catch(() => undefined);
    for (const row of rows) this.waiting.push(row);
    if (this.failure !== null) this.fail(this.failure.error);
    else this.offer(this);
    return this.newest;
  }

  /** Resolves when everything appended so far is stored and published. */
  flush(): Promise<void> {
    return this.newest;
  }

  /** Takes the next rows: they are on their way until `settled` or `fail`. */
  take(count: number): readonly EventRow[] {
    const taken = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    return taken;
  }

  /** Stored and published up to this sequence. */
  settled(upTo: number): void {
    while (this.appended[0] !== undefined && this.appended[0].last <= upTo)
      this.appended.shift()?.resolve();
  }

  /** What was taken last cannot be stored, nor anything after it. */
  fail(error: unknown): void {
    this.failure ??= { error };
    this.waiting = [];
    for (const { reject } of this.appended.splice(0)) reject(this.failure.error);
  }
}
