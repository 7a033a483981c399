import { nextSlice } from '../time-slices';

/** How long a piece of long work goes on before others have their turn, ms. */
const TURN_MS = 8;

/** Says when others should have their turn. */
export interface Turn {
  readonly over: boolean;
}

/** Long work that can be interrupted: it yields whenever its turn is over. */
export type Steps<T> = Generator<void, T, void>;

/** Divides long work on the event loop into turns: `if (turns.over) await turns.next()`. */
export class Turns {
  private startedAt = performance.now();

  /** Has this turn lasted long enough? */
  get over(): boolean {
    return performance.now() - this.startedAt > TURN_MS;
  }

  /** Waits for the next time slice of this task. */
  async next(): Promise<void> {
    await nextSlice(performance.now() - this.startedAt);
    this.startedAt = performance.now();
  }
}

/** Does long work while others have their turns in between. */
export async function inTurns<T>(work: (turn: Turn) => Steps<T>): Promise<T> {
  const turns = new Turns();
  const steps = work(turns);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await turns.next();
  }
}

const ENDLESS: Turn = { over: false };

/** Does the same work at one go, where it is known to be short. */
export function atOnce<T>(work: (turn: Turn) => Steps<T>): T {
  const steps = work(ENDLESS);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
  }
}
