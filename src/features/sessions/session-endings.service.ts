import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { SessionEndReason } from '../../platform/events/session-ended';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { User, UserService } from '../users/user.service';
import type { SessionRecord } from './session.model';
import { sessionPolicy } from './session.policy';
import { presentSession, sessionNotFound } from './session.service';
import type { Session, SessionService } from './session.service';

declare module '../../platform/context' {
  interface Services {
    sessionEndings: SessionEndings;
  }
}

export interface SessionEndingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly sessions: SessionService;
  readonly users: UserService;
}

export type SessionEndings = ReturnType<typeof createSessionEndings>;

/** Ends sessions of the actor and of other users. */
export function createSessionEndings({ store, audit, sessions, users }: SessionEndingDependencies) {
  const endOne = async (
    actor: Actor,
    session: SessionRecord,
    reason: SessionEndReason,
  ): Promise<void> => {
    await store.transaction(async (tx) => {
      await sessions.revoke([session], reason, tx);
      await audit.record(
        actor,
        'session.end',
        { type: 'Session', id: session._id },
        { userId: session.userId, revoked: false },
        { userId: session.userId, revoked: true, reason },
        tx,
      );
    });
  };

  return {
    /**
     * Ends the actor's current session (repeated calls have no effect) or another session of
     * theirs. Returns its id.
     * @throws NotFound SESSION_NOT_EXIST, also for a session of another user
     */
    async logout(actor: Actor, sessionId = actor.sessionId): Promise<string> {
      if (sessionId === actor.sessionId) {
        const session = await sessions.byId(sessionId);
        if (session && !session.revoked) await endOne(actor, session, 'LOGOUT');
        return sessionId;
      }
      const session = await sessions.aliveById(sessionId);
      if (session?.userId !== actor.userId) throw sessionNotFound('sessionId');
      await endOne(actor, session, 'ENDED');
      return sessionId;
    },

    /**
     * Ends a session of the actor, or of any user if the actor may update users.
     * @throws NotFound SESSION_NOT_EXIST, also for a session that the actor may not see
     * @throws Forbidden if the group of its user has rights that the actor lacks
     */
    async end(actor: Actor, id: string): Promise<Session> {
      const session = await sessions.aliveById(id);
      const isCurrent = session?._id === actor.sessionId;
      if (!session || (!isCurrent && !allows(sessionPolicy.end, actor, session.userId)))
        throw sessionNotFound('sessionId');
      const user = await users.byId(session.userId);
      if (user) users.requireMayManage(actor, user);
      await endOne(actor, session, isCurrent ? 'LOGOUT' : 'ENDED');
      return presentSession(session);
    },

    /**
     * Ends all sessions of a user. Returns the user.
     * @throws NotFound USER_NOT_EXIST; SESSION_NOT_EXIST if the user has none
     * @throws Forbidden if the user's group has rights that the actor lacks
     */
    async endAllOf(actor: Actor, userId: number): Promise<User> {
      const user = await users.get(userId);
      users.requireMayManage(actor, user);
      await store.transaction(async (tx) => {
        const ended = await sessions.aliveOf(userId, tx);
        if (ended.length === 0) throw sessionNotFound();
        await sessions.revoke(ended, actor.userId === userId ? 'LOGOUT' : 'ENDED', tx);
        await audit.record(
          actor,
          'session.end-all',
          { type: 'User', id: userId },
          { sessions: ended.length },
          { sessions: 0 },
          tx,
        );
      });
      return user;
    },
  };
}
