import type { EventRow } from './run-engine';

/**
 * A batch is sent when one of these limits is reached. The time counts from the previous batch and
 * grows up to `longestMs`: the first steps are shown at once, and a long run needs fewer writes.
 */
const BATCH = { events: 500, text: 256 * 1024, ms: 20, longestMs: 100 } as const;
/** Limit of unacknowledged events; beyond it the run waits. */
const WINDOW = { events: 1_000, text: 512 * 1024 } as const;

interface Amount {
  readonly events: number;
  readonly text: number;
}

/**
 * Sends the events of one run to the store in batches. The run waits while too many are
 * unacknowledged, so that a slow store slows the run down instead of filling the memory.
 */
export class EventBatches {
  private gathered: EventRow[] = [];
  private text = 0;
  private batches = 0;
  private readonly away: Amount[] = [];
  private eventsAway = 0;
  private textAway = 0;
  private timer: NodeJS.Timeout | null = null;
  private leftAt = performance.now();
  private room: Promise<void> | null = null;
  private waiting: { readonly goOn: () => void; readonly fail: (error: Error) => void } | null =
    null;
  private refusal: Error | null = null;
  private holds = false;

  constructor(private readonly send: (rows: readonly EventRow[]) => void) {}

  /**
   * Adds an event. A returned promise resolves when there is room for the next. Fails if events
   * cannot be stored.
   */
  add(row: EventRow): void | Promise<void> {
    if (this.refusal !== null) throw this.refusal;
    this.gathered.push(row);
    this.text += row.body.length;
    if (this.isFull || this.isDue) this.flush();
    else this.schedule();
    if (!this.isFull) return;
    this.room ??= new Promise((goOn, fail) => {
      this.waiting = { goOn, fail };
    });
    return this.room;
  }

  /**
   * Lets no time limit send a batch while `work` lasts, for which the run waits: a short run then
   * stores all its events at its end.
   */
  async hold(work: () => Promise<void>): Promise<void> {
    this.holds = true;
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    try {
      await work();
    } finally {
      this.holds = false;
      this.leftAt = performance.now();
      if (this.gathered.length > 0) this.schedule();
    }
  }

  /** Whether the run waits until events are stored. */
  get isHeldBack(): boolean {
    return this.waiting !== null;
  }

  /** Returns the events that are not sent yet; none if an earlier batch could not be stored. */
  rest(): readonly EventRow[] {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    return this.refusal === null ? this.gathered.splice(0) : [];
  }

  /** Sends the collected events now: a timer cannot fire while code blocks the event loop. */
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

  acknowledge(): void {
    const stored = this.away.shift();
    if (stored === undefined) return;
    this.eventsAway -= stored.events;
    this.textAway -= stored.text;
    if (this.isFull) return;
    this.waiting?.goOn();
    this.waiting = this.room = null;
  }

  /** A batch cannot be stored: nothing more is sent, so that no gap appears. */
  refuse(error: Error): void {
    this.refusal ??= error;
    this.waiting?.fail(this.refusal);
    this.waiting = this.room = null;
  }

  private schedule(): void {
    if (!this.holds) this.timer ??= setTimeout(() => this.flush(), this.waitMs);
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
