import { ADMIN_GROUP } from './catalogue';

const LONGEST_SYSTEM_USER = 100;

/**
 * The user, or the service itself, that acts in a request. Created from the session for each
 * request, operation and event, so that a changed group or an ended session applies at once.
 */
export interface Actor {
  readonly userId: number;
  readonly email: string;
  readonly groupId: number;
  readonly groupName: string;
  /** The `jti` of the session. */
  readonly sessionId: string;
  /**
   * What the actor's group allows, as `COMPONENT:ACTION`. May hold more than the known `Grant`s:
   * installations may add permissions.
   */
  readonly grants: ReadonlySet<string>;
  readonly requestId: string;
  /** The client's own `X-Request-Id`. */
  readonly clientRequestId: string | null;
  /**
   * Position of the run that makes the request in a chain of runs that started each other; missing
   * if no run makes it.
   */
  readonly runDepth?: number;
}

/** The author of a record. Records keep the e-mail address, since users may be deleted. */
export const authorOf = ({ userId, email }: Actor): Pick<Actor, 'userId' | 'email'> => ({
  userId,
  email,
});

export const isAdmin = (actor: Actor): boolean => actor.groupName === ADMIN_GROUP;

/** Returns false for the service itself and for operators on the command line. */
export const isUser = ({ userId }: Actor): boolean => userId !== 0;

/**
 * An operator who runs commands on the machine of the service, as its user or root. They may do
 * everything, since they could also write to the store. The audit records user 0, with the name
 * from the operating system.
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
