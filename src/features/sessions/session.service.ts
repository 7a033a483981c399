import { randomUUID } from 'node:crypto';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Clock } from '../../platform/clock/clock';
import type { Origin } from '../../platform/context';
import { NotFound } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import { insertRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded, SessionEndReason } from '../../platform/events/session-ended';
import { sessionSchema } from './session.model';
import type { SessionRecord } from './session.model';
import { sessionPolicy } from './session.policy';

declare module '../../platform/context' {
  interface Services {
    sessions: SessionService;
  }
}

/** One login, still good. */
export interface Session {
  /** The `jti` of its token. */
  readonly id: string;
  readonly userId: number;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  /** Up to a minute behind. */
  readonly lastAccessed: Date;
  readonly expiresAt: Date;
}

/** Whose session it is, and which of his passwords counts. */
export interface SessionOwner {
  readonly userId: number;
  readonly credentialVersion: number;
}

/** Lives of sessions, seconds. */
export interface SessionLimits {
  /** Longest time between two requests. */
  readonly activitySeconds: number;
  /** Longest time altogether. */
  readonly expirationSeconds: number;
}

const LONGEST_USER_AGENT = 300;

export interface SessionDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly limits: SessionLimits;
}

export type SessionService = ReturnType<typeof createSessionService>;

/** A record without what only the service needs. */
export const presentSession = ({ _id, userId, address, userAgent, createdAt, lastAccessed, expiresAt }: SessionRecord): Session =>
  ({ id: _id, userId, address, userAgent, createdAt, lastAccessed, expiresAt });

/** Sessions in the store: one record for each login. */
export function createSessionService({ store, bus, clock, audit, limits }: SessionDependencies) {
  const sessions = store.model<SessionRecord>('Session', sessionSchema, 'sessions');
  const notFound = (): NotFound => new NotFound('SESSION_NOT_EXIST', 'There is no such session.', { path: ['id'] });

  const aliveNow = () => {
    const now = clock.now();
    return { revoked: false, expiresAt: { $gt: now }, lastAccessed: { $gt: new Date(now.getTime() - limits.activitySeconds * 1000) } };
  };

  /** Ends these sessions and tells everybody after the commit. */
  const revoke = async (ended: readonly SessionRecord[], reason: SessionEndReason, tx: Tx): Promise<void> => {
    if (ended.length === 0) return;
    await sessions.updateMany({ _id: { $in: ended.map(({ _id }) => _id) } }, { $set: { revoked: true } }, { session: tx.session });
    const at = clock.now();
    tx.afterCommit(() => {
      for (const { _id, userId } of ended) bus.publish<SessionEnded>(SESSION_ENDED, { sessionId: _id, userId, reason, at });
    });
  };

  const endOne = async (actor: Actor, session: SessionRecord, reason: SessionEndReason): Promise<void> => {
    await store.transaction(async (tx) => {
      await revoke([session], reason, tx);
      await audit.record(actor, 'session.end', { type: 'Session', id: session._id }, { userId: session.userId, revoked: false }, { userId: session.userId, revoked: true, reason }, tx);
    });
  };

  return {
    limits,

    /** The record as it is stored, ended or not. Null: there is none. */
    async byId(id: string): Promise<SessionRecord | null> {
      return sessions.findById(id).lean<SessionRecord>();
    },

    /** A new session of a user who proved who he is. */
    async open({ userId, credentialVersion }: SessionOwner, origin: Origin, tx: Tx): Promise<SessionRecord> {
      const now = clock.now();
      const record: SessionRecord = {
        _id: randomUUID(),
        userId,
        credentialVersion,
        address: origin.address,
        userAgent: origin.userAgent.slice(0, LONGEST_USER_AGENT),
        createdAt: now,
        lastAccessed: now,
        // Whole seconds, as the token says it: neither outlives the other.
        expiresAt: new Date((Math.floor(now.getTime() / 1000) + limits.expirationSeconds) * 1000),
        revoked: false,
      };
      return insertRecord(sessions, record, tx);
    },

    /** Notes that the session was used. */
    async touch(id: string, at: Date): Promise<void> {
      await sessions.updateOne({ _id: id, revoked: false }, { $set: { lastAccessed: at } });
    },

    /** The sessions of a user that are still good, the youngest first. */
    async ofUser(userId: number): Promise<Session[]> {
      const records = await sessions.find({ userId, ...aliveNow() }).sort({ createdAt: -1 }).lean<SessionRecord[]>();
      return records.map(presentSession);
    },

    /**
     * Ends one session: the actor's own, or anybody's for who may update users.
     * @throws NotFound SESSION_NOT_EXIST, also for a session the actor may not see
     */
    async end(actor: Actor, id: string): Promise<Session> {
      const session = await sessions.findOne({ _id: id, ...aliveNow() }).lean<SessionRecord>();
      const isCurrent = session?._id === actor.sessionId;
      if (!session || (!isCurrent && !allows(sessionPolicy.end, actor, session.userId))) throw notFound();
      await endOne(actor, session, isCurrent ? 'LOGOUT' : 'ENDED');
      return presentSession(session);
    },

    /** Signs the actor out of the session he is using. Once more does no harm. */
    async logout(actor: Actor): Promise<void> {
      const session = await sessions.findOne({ _id: actor.sessionId, revoked: false }).lean<SessionRecord>();
      if (session) await endOne(actor, session, 'LOGOUT');
    },

    /**
     * Ends every session of a user.
     * @throws NotFound SESSION_NOT_EXIST he has none
     */
    async endAllOf(actor: Actor, userId: number): Promise<void> {
      await store.transaction(async (tx) => {
        const ended = await sessions.find({ userId, ...aliveNow() }, null, { session: tx.session }).lean<SessionRecord[]>();
        if (ended.length === 0) throw notFound();
        await revoke(ended, actor.userId === userId ? 'LOGOUT' : 'ENDED', tx);
        await audit.record(actor, 'session.end-all', { type: 'User', id: userId }, { sessions: ended.length }, { sessions: 0 }, tx);
      });
    },

    /** Ends the sessions of a user inside a change of his. `keep` stays, and is now one of the new password. */
    async endWithin({ userId, credentialVersion }: SessionOwner, reason: SessionEndReason, keep: string | null, tx: Tx): Promise<void> {
      const all = await sessions.find({ userId, revoked: false }, null, { session: tx.session }).lean<SessionRecord[]>();
      await revoke(all.filter(({ _id }) => _id !== keep), reason, tx);
      if (keep !== null) await sessions.updateOne({ _id: keep, userId }, { $set: { credentialVersion } }, { session: tx.session });
    },
  };
}
