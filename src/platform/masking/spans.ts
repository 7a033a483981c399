import { MASK } from '../secrets';

/** A part of a text to hide; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Replacement text; overlapping spans are replaced by `***`. */
  readonly shown?: string;
}

/** Limits the number of steps; texts that need more are hidden as a whole. */
export class Budget {
  constructor(private left: number) {}

  /** @throws TooCostly */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new TooCostly();
  }
}

export class TooCostly extends Error {}

/** Returns the text with the spans hidden; spans may overlap. */
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
      // Contained spans change nothing; overlapping spans are merged.
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
