import type { Authentication } from '../access/need';
import type { Outcome } from './outcome';

/** Maximum attempts to make a result whose permissions keep changing. */
const MOST_TRIES = 3;

export interface Looks {
  /** Reads the session before the result is made. */
  readonly before: () => Promise<Authentication>;
  /** Reads the session when the result is ready. */
  readonly after: () => Promise<Authentication>;
}

/**
 * Makes a result, again if the session or its permissions changed while it was made. Returns null
 * if they keep changing.
 */
export async function judged<T extends Outcome>(
  { before, after }: Looks,
  make: (authentication: Authentication) => Promise<T>,
): Promise<T | null> {
  let authentication = await before();
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const made = await make(authentication);
    const now = await after();
    if (isSame(authentication, now)) return made;
    authentication = now;
  }
  return null;
}

function isSame(one: Authentication, other: Authentication): boolean {
  if (one.state !== 'signed-in' || other.state !== 'signed-in') return one.state === other.state;
  return (
    one.actor.sessionId === other.actor.sessionId &&
    one.actor.groupId === other.actor.groupId &&
    one.actor.grants === other.actor.grants
  );
}
