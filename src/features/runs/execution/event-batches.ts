import type { EventRow } from './run-engine';

/**
 * A batch leaves when one of these is reached; the time counts from the batch before, so what comes after a pause is told at once. It grows with
 * every batch of a run, up to a time that nobody sees: the first steps are shown as they happen, and a long run costs the store less.
 */
const BATCH = { events: 500, text: 256 * 1024, ms: 20, longestMs: 100 } as const;
/** What may be on its way into the store; beyond it the run waits. */
const WINDOW = { events: 1_000, text: 512 * 1024 } as const;

interface Amount {
  readonly events: number;
  readonly text: number;
}

/**
 * The events of one run between the engine and the store: they leave in batches, and the run waits when too many have left and none is
 * acknowledged, so that a slow store slows the run down instead of filling the memory.
 */
export class EventBatches {
  private gathered: EventRow[] = [];
  private text = 0;
  private batches = 0;
  /** Batches that have left and are not acknowledged, the oldest first. */
  private readonly away: Amount[] = [];
  private eventsAway = 0;
  private textAway = 0;
  private timer: NodeJS.Timeout | null = null;
  private leftAt = performance.now();
  private room: Promise<void> | null = null;
  private waiting: { readonly goOn: () => void; readonly fail: (error: Error) => void } | null =
    null;
  private refusal: Error | null = null;

  constructor(private readonly send: (rows: readonly EventRow[]) => void) {}

  /** Takes an event; the promise, where there is one, resolves when there is room for the next. Fails when events cannot be stored. */
  add(row: EventRow): void | Promise<void> {
    if (this.refusal !== null) throw this.refusal;
    this.gathered.push(row);
    this.text += row.body.length;
    if (this.isFull || this.isDue) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), this.waitMs);
    if (!this.isFull) return;
    this.room ??= new Promise((goOn, fail) => {
      this.waiting = { goOn, fail };
    });
    return this.room;
  }

  /** What has gathered and not left: nothing, when what came before it could not be stored. */
  rest(): readonly EventRow[] {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    return this.refusal === null ? this.gathered.splice(0) : [];
  }

  /** Sends what has gathered: a timer would wait for code that does not come back. */
  flush(): void {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    if (this.gathered.length === 0 || this.refusal !== null) return;
    const batch = this.gathered;
    const amount = { events: batch.length, text: this.text };
    this.gathered = [];
    this.text = 0;
    this.leftAt = performance.now();
    this.batches += 1;
    this.away.push(amount);
    this.eventsAway += amount.events;
    this.textAway += amount.text;
    this.send(batch);
  }

  /** The oldest batch that has left is stored. */
  acknowledge(): void {
    const stored = this.away.shift();
    if (stored === undefined) return;
    this.eventsAway -= stored.events;
    this.textAway -= stored.text;
    if (this.isFull) return;
    this.waiting?.goOn();
    this.waiting = this.room = null;
  }

  /** A batch cannot be stored: nothing more leaves, so that no gap can appear. */
  refuse(error: Error): void {
    this.refusal ??= error;
    this.waiting?.fail(this.refusal);
    this.waiting = this.room = null;
  }

  private get isDue(): boolean {
    return (
      this.gathered.length >= BATCH.events ||
      this.text >= BATCH.text ||
      performance.now() - this.leftAt >= this.waitMs
    );
  }

  private get waitMs(): number {
    return Math.min(BATCH.ms * (this.batches + 1), BATCH.longestMs);
  }

  private get isFull(): boolean {
    return (
      this.eventsAway + this.gathered.length >= WINDOW.events ||
      this.textAway + this.text >= WINDOW.text
    );
  }
}
