import { ADMIN_GROUP } from './catalogue';

const LONGEST_SYSTEM_USER = 100;

/**
 * Who acts, and in which request. Made afresh for each request, operation and event from the session, so a changed group or an
 * ended session applies at once.
 */
export interface Actor {
  readonly userId: number;
  readonly email: string;
  readonly groupId: number;
  readonly groupName: string;
  /** The `jti` of the session. */
  readonly sessionId: string;
  /**
   * What the actor's group allows, as `COMPONENT:ACTION`. Permissions are records that an installation may add to, so this holds
   * more than the known `Grant`s.
   */
  readonly grants: ReadonlySet<string>;
  readonly requestId: string;
  /** What the client calls the request. */
  readonly clientRequestId: string | null;
  /** The how many-th of runs that started each other makes the request; missing where no run does. */
  readonly runDepth?: number;
}

/** The actor as records name who made or changed them: users come and go, what they did stays. */
export const authorOf = ({ userId, email }: Actor): Pick<Actor, 'userId' | 'email'> => ({
  userId,
  email,
});

/** Is the actor a member of the group Admin? */
export const isAdmin = (actor: Actor): boolean => actor.groupName === ADMIN_GROUP;

/** Is the actor a user, and neither the service itself nor who gives it commands? */
export const isUser = ({ userId }: Actor): boolean => userId !== 0;

/**
 * Who gives commands on the machine of the service, as its user or root: he could as well write to the store, so he may do everything.
 * Recorded in the audit as user 0, under the name that the operating system gives him.
 */
export const commandActor = (systemUser: string, requestId: string): Actor => ({
  userId: 0,
  email: `hypha (${systemUser.replaceAll(/\p{Cc}/gu, '').slice(0, LONGEST_SYSTEM_USER)})`,
  groupId: 0,
  groupName: ADMIN_GROUP,
  sessionId: '',
  grants: new Set(),
  requestId,
  clientRequestId: null,
});

/** The service itself: migrations, recovery at start. Recorded in the audit as user 0. */
export const systemActor = (requestId: string): Actor => ({
  userId: 0,
  email: 'system',
  groupId: 0,
  groupName: 'System',
  sessionId: '',
  grants: new Set(),
  requestId,
  clientRequestId: null,
});
