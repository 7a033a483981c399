/** Returns the time left until a deadline, ms; a positive integer even if it has passed. */
export const timeLeft = (deadline: number): number =>
  Math.max(Math.ceil(deadline - performance.now()), 1);
