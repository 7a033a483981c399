export type SessionEndReason =
  'LOGOUT' | 'ENDED' | 'PASSWORD_CHANGED' | 'USER_DELETED' | 'USER_DISABLED';

/** Bus topic: a `SessionEnded` once the end is stored. Closes the sockets of the session. */
export const SESSION_ENDED = 'session.ended';

export interface SessionEnded {
  readonly sessionId: string;
  readonly userId: number;
  readonly reason: SessionEndReason;
  readonly at: Date;
}
