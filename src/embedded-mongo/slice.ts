/** Length of a time slice, ms. */
const SLICE_MS = 5;

/** A time slice of work. */
export class Slice {
  private readonly end = performance.now() + SLICE_MS;

  readonly isOver = (): boolean => performance.now() > this.end;
}
