/** Says when others should have their turn: whoever drives the work decides. */
export interface Turn {
  readonly over: boolean;
}

/** Long work that can be interrupted: it yields whenever its turn is over. */
export type Steps<T> = Generator<void, T, void>;

const ENDLESS: Turn = { over: false };

/** Does such work at one go. */
export function atOnce<T>(work: (turn: Turn) => Steps<T>): T {
  const steps = work(ENDLESS);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
