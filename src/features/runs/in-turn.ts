/** Does a piece of work after all that were given before it have ended. */
export type InTurn = <R>(work: () => Promise<R>) => Promise<R>;

/**
 * One after the other, first come, first served. For transactions that touch the same documents: taking turns costs them less than
 * conflicting, since each conflict means waiting and starting again.
 */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
