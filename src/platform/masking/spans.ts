import { MASK } from '../secrets';

/** A part of a text that is hidden: from a character to behind another. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** What stands there then; where parts overlap, `***`. */
  readonly shown?: string;
}

/** What is asked of a text may take so long, as a number of steps; what costs more is not asked, and the text is hidden as a whole. */
export class Budget {
  constructor(private left: number) {}

  /** @throws TooCostly */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new TooCostly();
  }
}

export class TooCostly extends Error {}

/** The text with these parts hidden, however many there are and however they overlap. */
export function covered(text: string, spans: readonly Span[]): string {
  let written = '';
  let end = 0;
  let open: Span | null = null;
  const close = (): void => {
    if (open !== null) written += open.shown ?? MASK;
  };
  for (const span of spans
    .filter((one) => one.end > one.start)
    .sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (open !== null && span.start < end) {
      // One within another changes nothing; one that reaches beyond it makes them one.
      if (span.end > end) open = { start: open.start, end: span.end };
    } else {
      close();
      written += text.slice(end, span.start);
      open = span;
    }
    end = Math.max(end, span.end);
  }
  close();
  return written + text.slice(end);
}
