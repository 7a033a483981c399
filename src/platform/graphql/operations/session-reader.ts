import type { Authentication } from '../../access/need';
import type { Authenticate } from '../../context';
import type { Caller } from './caller';

/** Maximum attempts to make a result whose permissions keep changing. */
const MAX_ATTEMPTS = 3;

/** Reads the sessions of callers. */
export class SessionReader {
  /** The reads of the current event loop iteration, by token. */
  private readonly recent = new Map<string, Promise<Authentication>>();

  constructor(private readonly authenticate: Authenticate) {}

  /** Reads the session before an operation, which counts as use of the session. */
  async readForOperation(caller: Caller): Promise<{ authentication: Authentication }> {
    const authentication = await this.authenticate(caller.token, caller.origin, caller.use);
    await caller.onAuthenticated?.(authentication);
    return { authentication };
  }

  /**
   * Reads the session again: once for all callers with the same token that are sent an event in the
   * same event loop iteration.
   */
  read(caller: Caller): Promise<Authentication> {
    return this.recent.get(caller.token ?? '') ?? this.readUncached(caller);
  }

  /**
   * Makes a result for the session as it is before and after, again if the session or its permissions
   * change in between. Returns null if they keep changing.
   */
  async produceForCurrent<T>(
    caller: Caller,
    produce: (authentication: Authentication) => Promise<T>,
  ): Promise<T | null> {
    let authentication = await this.read(caller);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const result = await produce(authentication);
      const current = await this.readUncached(caller);
      if (isSameSession(authentication, current)) return result;
      authentication = current;
    }
    return null;
  }

  private readUncached(caller: Caller): Promise<Authentication> {
    const key = caller.token ?? '';
    if (!this.recent.has(key)) setImmediate(() => this.recent.delete(key));
    const authentication = Promise.resolve(this.readNow(caller));
    this.recent.set(key, authentication);
    return authentication;
  }

  /** An `event`: the read before the operation already counted as use of the session. */
  readNow({ token, origin }: Caller): Authentication | Promise<Authentication> {
    return this.authenticate(token, origin, 'event');
  }
}

function isSameSession(one: Authentication, other: Authentication): boolean {
  if (one.state !== 'signed-in' || other.state !== 'signed-in') return one.state === other.state;
  return (
    one.actor.sessionId === other.actor.sessionId &&
    one.actor.groupId === other.actor.groupId &&
    one.actor.grants === other.actor.grants
  );
}
