import type { Actor } from '../access/actor';
import type { Authentication } from '../access/need';
import type { Origin } from '../context';

/** Who else has the same result: all members of the group, the other sockets of the session, nobody. */
export type Reach = 'group' | 'session' | 'nobody';

/** What who asks is told apart by. Whatever is not named here makes a result good for nobody else. */
const ACTOR: Partial<Record<PropertyKey, Reach>> = {
  groupId: 'group',
  groupName: 'group',
  grants: 'group',
  userId: 'session',
  email: 'session',
  sessionId: 'session',
} satisfies Partial<Record<keyof Actor, Reach>>;
const AUTHENTICATION: Partial<Record<PropertyKey, Reach>> = { state: 'group', actor: 'group' };
/** The question names it. */
const ORIGIN: Partial<Record<PropertyKey, Reach>> = { baseUrl: 'group' } satisfies Partial<
  Record<keyof Origin, Reach>
>;

/**
 * Whom a result is made for, watched: one for which nothing was looked at but what he shares with his group is the same for each of its members.
 * Anything else that is looked at, however it is reached, narrows who may have it.
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

  /** Whom a result is good for, by all that was looked at so far. */
  get reach(): Reach {
    return this.shared;
  }

  /** Something is about to be looked at that no other has. */
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
