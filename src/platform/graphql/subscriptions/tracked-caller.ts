import type { Actor } from '../../access/actor';
import type { Authentication } from '../../access/need';
import type { Origin } from '../../context';

/**
 * Who may share a result: all members of the group, the other sockets of the session, or no one.
 */
export type SharingScope = 'group' | 'session' | 'none';

/**
 * Who may share a result that depends on these properties. A result that depends on any other
 * property is not shared.
 */
const ACTOR_SCOPES: Partial<Record<PropertyKey, SharingScope>> = {
  groupId: 'group',
  groupName: 'group',
  grants: 'group',
  userId: 'session',
  email: 'session',
  sessionId: 'session',
  // Actors with an API token have their own set of grants.
  apiToken: 'group',
} satisfies Partial<Record<keyof Actor, SharingScope>>;
const AUTHENTICATION_SCOPES: Partial<Record<PropertyKey, SharingScope>> = {
  state: 'group',
  actor: 'group',
};
/** The operation key contains the base URL, so that reading it limits nothing. */
const ORIGIN_SCOPES: Partial<Record<PropertyKey, SharingScope>> = {
  baseUrl: 'group',
} satisfies Partial<Record<keyof Origin, SharingScope>>;

/**
 * Watches which properties of a caller are read while a result is made. If it depends only on what
 * the group has in common, all members share it; any other property that is read, in whatever way,
 * narrows who may share it.
 */
export class TrackedCaller {
  readonly authentication: Authentication;
  readonly origin: Origin;
  private currentScope: SharingScope = 'group';

  constructor(authentication: Authentication, origin: Origin) {
    this.authentication =
      authentication.state === 'signed-in'
        ? this.track(
            { ...authentication, actor: this.track(authentication.actor, ACTOR_SCOPES) },
            AUTHENTICATION_SCOPES,
          )
        : authentication;
    this.origin = this.track(origin, ORIGIN_SCOPES);
  }

  /** Who may share the result, by all that was read so far. */
  get scope(): SharingScope {
    return this.currentScope;
  }

  /** Called before something is read that only this caller has. */
  readonly preventSharing = (): void => {
    this.currentScope = 'none';
  };

  private track<T extends object>(
    object: T,
    scopes: Partial<Record<PropertyKey, SharingScope>>,
  ): T {
    const recordRead = (name: PropertyKey): void => {
      const scope = (Object.hasOwn(scopes, name) ? scopes[name] : undefined) ?? 'none';
      if (scope !== 'group' && this.currentScope !== 'none') this.currentScope = scope;
    };
    return new Proxy(object, {
      get(target, name): unknown {
        recordRead(name);
        return Reflect.get(target, name);
      },
      getOwnPropertyDescriptor(target, name) {
        recordRead(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  }
}
