import type { JournalPort } from '../../../engine';
import type { StepPlace, TaskJournal } from './run-engine';

/** Lines are sent when they have this many characters, or the first of them has waited, ms. */
const BATCH = { text: 128 * 1024, ms: 50 } as const;
/** Characters that may be on their way to the store; beyond it the run waits. */
const WINDOW = 4 * 1024 * 1024;

/**
 * Sends the journal of one run to the store: answers of safe calls in batches, so that a call which
 * must not be sent twice costs one write.
 */
export class JournalBatches implements JournalPort {
  readonly lines: readonly string[];
  readonly key: string;
  isFull = false;
  private readonly maxBytes: number;
  private bytes: number;
  private gathered = '';
  private timer: NodeJS.Timeout | undefined;
  private readonly away: number[] = [];
  private textAway = 0;
  private waiting: (() => void)[] = [];

  /** @param send null: the journal has reached its maximum */
  constructor(
    { key, lines, maxBytes }: TaskJournal,
    private readonly send: (text: string | null, open: StepPlace | null) => void,
  ) {
    this.key = key;
    this.lines = lines;
    this.maxBytes = maxBytes;
    this.bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  }

  add(line: string, open: StepPlace | null): void | Promise<void> {
    if (this.isFull) return;
    this.bytes += Buffer.byteLength(line) + 1;
    if (this.bytes > this.maxBytes) {
      this.isFull = true;
      this.gathered = '';
      return this.dispatch(null, null);
    }
    this.gathered += `${line}\n`;
    if (open !== null || this.gathered.length > BATCH.text) this.flush(open);
    else this.timer ??= setTimeout(() => this.flush(), BATCH.ms);
    return this.textAway > WINDOW ? this.settle() : undefined;
  }

  /** Sends what is gathered; call before events are sent that follow from it. */
  flush(open: StepPlace | null = null): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.gathered === '') return;
    const text = this.gathered;
    this.gathered = '';
    this.dispatch(text, open);
  }

  /** Forgets what is gathered: the run has ended, and needs it no more. */
  drop(): void {
    clearTimeout(this.timer);
    this.gathered = '';
  }

  get isSettled(): boolean {
    return this.away.length === 0;
  }

  settle(): Promise<void> {
    this.flush();
    return this.isSettled
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.waiting.push(resolve);
        });
  }

  acknowledge(): void {
    this.textAway -= this.away.shift() ?? 0;
    if (this.isSettled) for (const goOn of this.waiting.splice(0)) goOn();
  }

  private dispatch(text: string | null, open: StepPlace | null): void {
    const length = text?.length ?? 0;
    this.away.push(length);
    this.textAway += length;
    this.send(text, open);
  }
}
