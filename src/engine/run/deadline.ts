/** What is left of its time for a call: a whole number above 0, however late it is. */
export const timeLeft = (deadline: number): number =>
  Math.max(Math.ceil(deadline - performance.now()), 1);
