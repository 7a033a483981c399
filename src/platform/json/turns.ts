import { nextSlice } from '../time-slices';

/** Length of a time slice, ms. */
const TURN_MS = 8;

/** Tells long work when its time slice is over. */
export interface Turn {
  readonly over: boolean;
}

/** Long work that yields when its time slice is over. */
export type Steps<T> = Generator<void, T, void>;

/** Divides long work into time slices: `if (turns.over) await turns.next()`. */
export class Turns {
  private startedAt = performance.now();

  /** Returns whether the time slice is over. */
  get over(): boolean {
    return performance.now() - this.startedAt > TURN_MS;
  }

  async next(): Promise<void> {
    await nextSlice(performance.now() - this.startedAt);
    this.startedAt = performance.now();
  }
}

/** Runs long work in time slices. */
export async function inTurns<T>(work: (turn: Turn) => Steps<T>): Promise<T> {
  const turns = new Turns();
  const steps = work(turns);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await turns.next();
  }
}

const ENDLESS: Turn = { over: false };

/** Runs the work without interruption; for work that is known to be short. */
export function atOnce<T>(work: (turn: Turn) => Steps<T>): T {
  const steps = work(ENDLESS);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
  }
}
