/** Why a session ended. */
export type SessionEndReason = 'LOGOUT' | 'ENDED' | 'PASSWORD_CHANGED' | 'USER_DELETED';

/** Bus topic: a `SessionEnded` after the end was stored. Sockets of the session close on it. */
export const SESSION_ENDED = 'session.ended';

export interface SessionEnded {
  readonly sessionId: string;
  readonly userId: number;
  readonly reason: SessionEndReason;
  readonly at: Date;
}

/** Bus topic: a `UserAccessChanged` after a user's e-mail or group was changed. What is remembered of his rights is then old. */
export const USER_ACCESS_CHANGED = 'user.access-changed';

export interface UserAccessChanged {
  readonly userId: number;
}
