import { Forbidden, TokenExpired, Unauthenticated } from '../errors/errors';
import type { Actor } from './actor';
import { isAdmin } from './actor';
import type { Grant } from './catalogue';

/** A need that depends on whose record it is: `own` suffices for one's own (`authenticated`: a session), `others` for anybody's. */
export interface OwnNeed {
  readonly own: Grant | 'authenticated';
  readonly others: Grant;
}

/** Any one of these suffices to ask; which of them it takes depends on the input, and the service checks it. */
export interface AnyNeed {
  readonly any: readonly Grant[];
}

/** All of these are asked for: what the operation does to one thing, and what it shows of another. */
export interface AllNeed {
  readonly all: readonly Grant[];
}

/**
 * What an operation needs. Data, not code: it is listed in OpenAPI and the SDL, tested as a matrix, and answered as `viewerCan`.
 * `authenticated` asks for a session and nothing more.
 */
export type Need = 'public' | 'authenticated' | 'admin' | Grant | OwnNeed | AnyNeed | AllNeed;

/** How a need is printed in OpenAPI, the SDL and messages. */
export function printNeed(need: Need): string {
  if (typeof need !== 'string' && 'any' in need) return need.any.join(' or ');
  if (typeof need !== 'string' && 'all' in need) return need.all.join(' and ');
  return typeof need === 'string' ? need : `${need.own} for one's own, ${need.others} for others`;
}

/** The result of reading a token: nobody, somebody, or a token that did not hold. */
export type Authentication =
  | { readonly state: 'anonymous' }
  /** `expiresAt`: when the token does, ms since 1970. */
  | { readonly state: 'signed-in'; readonly actor: Actor; readonly expiresAt: number }
  | { readonly state: 'rejected' }
  | { readonly state: 'expired' };

/** May this actor do what needs `need`? `ownerId` is the user whose record it is, where the need depends on it. */
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
 * The one guard of every door. Returns the actor (null only where the need is `public`).
 * @throws Unauthenticated no or bad token
 * @throws TokenExpired    a token that was valid once
 * @throws Forbidden       signed in, and not allowed
 */
export function guard(need: Need, authentication: Authentication, ownerId?: number): Actor | null {
  if (authentication.state === 'signed-in') {
    if (!allows(need, authentication.actor, ownerId))
      throw new Forbidden(`This needs ${printNeed(need)}.`);
    return authentication.actor;
  }
  if (need === 'public') return null;
  if (authentication.state === 'expired') throw new TokenExpired();
  throw new Unauthenticated();
}
