/** Tells long work to yield; the caller decides. */
export interface Turn {
  readonly over: boolean;
}

/** Long work that yields when its time slice is over. */
export type Steps<T> = Generator<void, T, void>;

const ENDLESS: Turn = { over: false };

/** Runs the work without interruption. */
export function atOnce<T>(work: (turn: Turn) => Steps<T>): T {
  const steps = work(ENDLESS);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
