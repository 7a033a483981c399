import { Forbidden, TokenExpired, Unauthenticated } from '../errors/errors';
import type { Actor } from './actor';
import { isAdmin } from './actor';
import type { Grant } from './catalogue';

/**
 * A need that depends on the owner of the record: `own` is enough for the user's own
 * (`authenticated`: any session), `others` for all.
 */
interface OwnNeed {
  readonly own: Grant | 'authenticated';
  readonly others: Grant;
}

/**
 * One of these is enough to make the request; which one it takes depends on the input, and the
 * service checks it.
 */
interface AnyNeed {
  readonly any: readonly Grant[];
}

/**
 * All of these are required: for what the operation does to one record, and for what it shows of
 * another.
 */
interface AllNeed {
  readonly all: readonly Grant[];
}

/**
 * What an operation requires. It is data, so that OpenAPI and the SDL can list it, tests can check
 * it as a matrix, and `viewerCan` can return it. `authenticated` requires a session only.
 */
export type Need = 'public' | 'authenticated' | 'admin' | Grant | OwnNeed | AnyNeed | AllNeed;

/** How a need is printed in OpenAPI, the SDL and messages. */
export function printNeed(need: Need): string {
  if (typeof need !== 'string' && 'any' in need) return need.any.join(' or ');
  if (typeof need !== 'string' && 'all' in need) return need.all.join(' and ');
  return typeof need === 'string' ? need : `${need.own} for one's own, ${need.others} for others`;
}

/** What a token stands for. */
type Credential = 'session' | 'API token';

/** The result of reading a token: no token, a valid session, or a token that is not valid. */
export type Authentication =
  | { readonly state: 'anonymous' }
  /** `expiresAt`: when the token expires, ms since 1970. */
  | { readonly state: 'signed-in'; readonly actor: Actor; readonly expiresAt: number }
  | { readonly state: 'rejected' }
  | { readonly state: 'expired'; readonly credential: Credential };

/**
 * Returns whether the actor has what `need` requires. `ownerId` is the user who owns the record, if
 * the need depends on it.
 */
export function allows(need: Need, actor: Actor, ownerId?: number): boolean {
  if (need === 'public' || need === 'authenticated') return true;
  if (need === 'admin') return isAdmin(actor);
  if (typeof need === 'string') return actor.grants.has(need);
  if ('any' in need) return need.any.some((grant) => actor.grants.has(grant));
  if ('all' in need) return need.all.every((grant) => actor.grants.has(grant));
  return (
    actor.grants.has(need.others) ||
    (ownerId === actor.userId && (need.own === 'authenticated' || actor.grants.has(need.own)))
  );
}

/**
 * The permission check of all APIs. Returns the actor, or null for a `public` need without a
 * session.
 * @throws Unauthenticated no token, or one that is not valid
 * @throws TokenExpired    a token that was valid once
 * @throws Forbidden       signed in, but not allowed
 */
export function guard(need: Need, authentication: Authentication, ownerId?: number): Actor | null {
  if (authentication.state === 'signed-in') {
    if (!allows(need, authentication.actor, ownerId))
      throw new Forbidden(`This needs ${printNeed(need)}.`);
    return authentication.actor;
  }
  if (need === 'public') return null;
  if (authentication.state === 'expired') throw new TokenExpired(authentication.credential);
  throw new Unauthenticated();
}
