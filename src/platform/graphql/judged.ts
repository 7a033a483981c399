import type { Authentication } from '../access/need';
import type { Outcome } from './outcome';

/** Rights that change each time a result is made are not waited for. */
const MOST_TRIES = 3;

export interface Looks {
  /** Who it is, before a result is made for him. */
  readonly before: () => Promise<Authentication>;
  /** The same when it is ready. */
  readonly after: () => Promise<Authentication>;
}

/** A result made for whoever it is at the moment when it is ready; null when that changes again and again. */
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

/** The same session with the same rights. */
function isSame(one: Authentication, other: Authentication): boolean {
  if (one.state !== 'signed-in' || other.state !== 'signed-in') return one.state === other.state;
  return (
    one.actor.sessionId === other.actor.sessionId &&
    one.actor.groupId === other.actor.groupId &&
    one.actor.grants === other.actor.grants
  );
}
