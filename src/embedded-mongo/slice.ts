/** How long one command works before others get their turn, in milliseconds. */
const SLICE_MS = 5;

/** The time one slice of work may take. */
export class Slice {
  private readonly end = performance.now() + SLICE_MS;

  readonly isOver = (): boolean => performance.now() > this.end;
}
