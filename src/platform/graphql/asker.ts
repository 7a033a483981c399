import type { Actor } from '../access/actor';
import type { Authentication } from '../access/need';
import type { Origin } from '../context';
import type { Outcome } from './error-format';

/**
 * Signals that a caller no longer waits for its answer. Much cheaper than an `AbortSignal`, which
 * most requests would never use.
 */
export class Departure {
  private left = false;
  /** A list, which is smaller than a set for a few. Null for most sockets. */
  private listeners: (() => void)[] | null = null;

  get gone(): boolean {
    return this.left;
  }

  /** Calls the listener when the caller leaves, at once if it has left. */
  onGone(listener: () => void): void {
    if (this.left) listener();
    else (this.listeners ??= []).push(listener);
  }

  offGone(listener: () => void): void {
    this.listeners = this.listeners?.filter((other) => other !== listener) ?? null;
  }

  leave(): void {
    if (this.left) return;
    this.left = true;
    const { listeners } = this;
    this.listeners = null;
    for (const listener of listeners ?? []) listener();
  }
}

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

/**
 * Who may share a result: all members of the group, the other sockets of the session, or no one.
 */
export type Reach = 'group' | 'session' | 'nobody';

/**
 * Who may share a result that depends on these properties. A result that depends on any other
 * property is not shared.
 */
const ACTOR: Partial<Record<PropertyKey, Reach>> = {
  groupId: 'group',
  groupName: 'group',
  grants: 'group',
  userId: 'session',
  email: 'session',
  sessionId: 'session',
} satisfies Partial<Record<keyof Actor, Reach>>;
const AUTHENTICATION: Partial<Record<PropertyKey, Reach>> = { state: 'group', actor: 'group' };
/** The operation key contains the base URL, so that reading it limits nothing. */
const ORIGIN: Partial<Record<PropertyKey, Reach>> = { baseUrl: 'group' } satisfies Partial<
  Record<keyof Origin, Reach>
>;

/**
 * Watches which properties of a caller are read while a result is made. If it depends only on what
 * the group has in common, all members share it; any other property that is read, in whatever way,
 * narrows who may share it.
 */
export class Asker {
  readonly authentication: Authentication;
  readonly origin: Origin;
  private shared: Reach = 'group';

  constructor(authentication: Authentication, origin: Origin) {
    this.authentication =
      authentication.state === 'signed-in'
        ? this.watched(
            { ...authentication, actor: this.watched(authentication.actor, ACTOR) },
            AUTHENTICATION,
          )
        : authentication;
    this.origin = this.watched(origin, ORIGIN);
  }

  /** Who may share the result, by all that was read so far. */
  get reach(): Reach {
    return this.shared;
  }

  /** Called before something is read that only this caller has. */
  readonly reveal = (): void => {
    this.shared = 'nobody';
  };

  private watched<T extends object>(of: T, reaches: Partial<Record<PropertyKey, Reach>>): T {
    const looked = (name: PropertyKey): void => {
      const reach = (Object.hasOwn(reaches, name) ? reaches[name] : undefined) ?? 'nobody';
      if (reach !== 'group' && this.shared !== 'nobody') this.shared = reach;
    };
    return new Proxy(of, {
      get(target, name): unknown {
        looked(name);
        return Reflect.get(target, name);
      },
      getOwnPropertyDescriptor(target, name) {
        looked(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  }
}
