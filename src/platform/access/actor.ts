import { derived } from '../cache';
import { Forbidden } from '../errors/errors';
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
  /** The `jti` of the session, or `token:12` for an API token. */
  readonly sessionId: string;
  /** Missing in a session. Limits the rights of the actor to these scopes. */
  readonly apiToken?: { readonly id: number; readonly scopes: ReadonlySet<string> };
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
  /** `traceparent` of the span of the request; missing without tracing. */
  readonly trace?: string;
}

/** The author of a record. Records keep the e-mail address, since users may be deleted. */
export const authorOf = ({ userId, email }: Actor): Pick<Actor, 'userId' | 'email'> => ({
  userId,
  email,
});

/** The scope of an API token for operations that only administrators may use. */
export const ADMIN_SCOPE = 'admin';

/** An API token needs the scope `admin` in addition. */
export const isAdmin = ({ groupName, apiToken }: Actor): boolean =>
  groupName === ADMIN_GROUP && (apiToken === undefined || apiToken.scopes.has(ADMIN_SCOPE));

interface GroupRights {
  readonly id: number;
  readonly name: string;
  readonly grants: ReadonlySet<string>;
}

/** Grants of API tokens by the grants of the group and the scopes of the token. */
const grantsWithin = derived((grants: ReadonlySet<string>) =>
  derived(
    (scopes: ReadonlySet<string>): ReadonlySet<string> =>
      new Set([...grants].filter((grant) => scopes.has(grant))),
  ),
);

/**
 * Adds the rights of a group to an actor, limited to the scopes of the API token if there is one.
 * Equal inputs give the same set of grants: shared results are looked up by it.
 */
export function withRightsOf(
  { id: groupId, name: groupName, grants }: GroupRights,
  actor: Omit<Actor, 'groupId' | 'groupName' | 'grants'>,
): Actor {
  const { apiToken } = actor;
  if (!apiToken) return { ...actor, groupId, groupName, grants };
  return { ...actor, groupId, groupName, grants: grantsWithin(grants)(apiToken.scopes) };
}

/**
 * For operations on credentials, which API tokens must not use.
 * @throws Forbidden API_TOKEN_REFUSED
 */
export function requireSession({ apiToken }: Actor): void {
  if (apiToken !== undefined)
    throw new Forbidden('An API token cannot do this. Sign in to do it.', 'API_TOKEN_REFUSED');
}

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
