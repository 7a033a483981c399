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
