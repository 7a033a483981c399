import type { EventRow } from './execution/run-engine';
import type { EventsOf } from './run-event-batches';

/** A caller that waits until its events are stored. */
interface Appended {
  readonly last: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Events of one run on their way to the store, in order. */
export class RunEventWriter {
  private waiting: EventRow[] = [];
  private readonly appended: Appended[] = [];
  /** Stays set: every later append and flush fails, so that no gap appears. */
  private failure: { readonly error: unknown } | null = null;
  private newest: Promise<void> = Promise.resolve();
  private last = 0;

  /**
   * @param require called before each write; if it throws, nothing more is written
   * @param offer   called when there are rows to take
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

  /** The next rows to store. */
  get rows(): readonly EventRow[] {
    return this.waiting;
  }

  /** Resolves when these events are stored and published. */
  append(rows: readonly EventRow[]): Promise<void> {
    const last = rows.at(-1)?.sequence;
    if (last === undefined) return this.newest;
    this.last = last;
    this.newest = new Promise((resolve, reject) => this.appended.push({ last, resolve, reject }));
    // The next append or flush reports the error, so this promise need not be awaited.
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

  /** Takes the next rows, which are pending until `settled` or `fail`. */
  take(count: number): readonly EventRow[] {
    const taken = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    return taken;
  }

  /** Events up to this sequence are stored and published. */
  settled(upTo: number): void {
    while (this.appended[0] !== undefined && this.appended[0].last <= upTo)
      this.appended.shift()?.resolve();
  }

  /** The rows taken last cannot be stored, and no later ones may be. */
  fail(error: unknown): void {
    this.failure ??= { error };
    this.waiting = [];
    for (const { reject } of this.appended.splice(0)) reject(this.failure.error);
  }
}
