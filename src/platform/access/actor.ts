import { ADMIN_GROUP } from './catalogue';

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
}

/** Is the actor a member of the group Admin? */
export const isAdmin = (actor: Actor): boolean => actor.groupName === ADMIN_GROUP;

/** The service itself: migrations, recovery at start. Recorded in the audit as user 0. */
export const systemActor = (requestId: string): Actor => ({
  userId: 0, email: 'system', groupId: 0, groupName: 'System', sessionId: '', grants: new Set(), requestId, clientRequestId: null,
});
