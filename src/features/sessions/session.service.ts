import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock/clock';
import type { Origin } from '../../platform/context';
import { NotFound } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import { insertRecord } from '../../platform/store/records';
import type { Order, Page, PageRequest } from '../../platform/store/keyset';
import { pagesOf } from '../../platform/store/pages-of';
import { removeOld, removingOld } from '../../platform/store/removal';
import type { Old } from '../../platform/store/removal';
import type { Store, Tx } from '../../platform/store/store';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded, SessionEndReason } from '../../platform/events/session-ended';
import { sessionSchema } from './session.model';
import type { SessionRecord } from './session.model';

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

/** How long a session is kept that was ended, from when it was used last. The audit tells of it for longer. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const LONGEST_USER_AGENT = 300;

export interface SessionDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly limits: SessionLimits;
  readonly onFault: (error: unknown) => void;
}

export type SessionService = ReturnType<typeof createSessionService>;

/** A record without what only the service needs. */
export const presentSession = ({
  _id,
  userId,
  address,
  userAgent,
  createdAt,
  lastAccessed,
  expiresAt,
}: SessionRecord): Session => ({
  id: _id,
  userId,
  address,
  userAgent,
  createdAt,
  lastAccessed,
  expiresAt,
});

/** `field` of the input named it. */
export const sessionNotFound = (field: 'id' | 'sessionId' = 'id'): NotFound =>
  new NotFound('SESSION_NOT_EXIST', 'There is no such session.', { path: [field] });

/** Sessions in the store: one record for each login. */
export function createSessionService({ store, bus, clock, limits, onFault }: SessionDependencies) {
  const sessions = store.model<SessionRecord>('Session', sessionSchema, 'sessions');

  /** Others go with their tokens, by an index: who comes back to one that was idle for too long is told that it has expired. */
  const old: Old<SessionRecord> = {
    records: sessions,
    filter: () => ({
      revoked: true,
      lastAccessed: { $lte: new Date(clock.now().getTime() - KEPT_MS) },
    }),
    order: { lastAccessed: 1 },
  };

  const aliveNow = () => {
    const now = clock.now();
    return {
      revoked: false,
      expiresAt: { $gt: now },
      lastAccessed: { $gt: new Date(now.getTime() - limits.activitySeconds * 1000) },
    };
  };

  const revoke = async (
    ended: readonly SessionRecord[],
    reason: SessionEndReason,
    tx: Tx,
  ): Promise<void> => {
    if (ended.length === 0) return;
    await sessions.updateMany(
      { _id: { $in: ended.map(({ _id }) => _id) } },
      { $set: { revoked: true } },
      { session: tx.session },
    );
    const at = clock.now();
    tx.afterCommit(() => {
      for (const { _id, userId } of ended)
        bus.publish<SessionEnded>(SESSION_ENDED, { sessionId: _id, userId, reason, at });
    });
  };

  return {
    limits,

    /** The record as it is stored, ended or not. Null: there is none. */
    async byId(id: string): Promise<SessionRecord | null> {
      return sessions.findById(id).lean<SessionRecord>();
    },

    /** A new session of a user who proved who he is. */
    async open(
      { userId, credentialVersion }: SessionOwner,
      origin: Origin,
      tx: Tx,
    ): Promise<SessionRecord> {
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

    /** The sessions of a user that are still good, `most` of them, the youngest first. */
    async ofUser(userId: number, most: number): Promise<Session[]> {
      const records = await sessions
        .find({ userId, ...aliveNow() })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most)
        .lean<SessionRecord[]>();
      return records.map(presentSession);
    },

    /** The same page of the sessions of each user, those that are still good. */
    async pagesOfUsers(
      userIds: readonly number[],
      page: PageRequest,
      orderBy: readonly Order[],
    ): Promise<Page<Session>[]> {
      return (
        await pagesOf(sessions, 'userId', userIds, { ...page, within: aliveNow(), orderBy })
      ).map((one) => one.map(presentSession));
    },

    /** Null: there is none that is still good. */
    async aliveById(id: string): Promise<SessionRecord | null> {
      return sessions.findOne({ _id: id, ...aliveNow() }).lean<SessionRecord>();
    },

    /** Every session of a user that is still good. */
    async aliveOf(userId: number, tx: Tx): Promise<SessionRecord[]> {
      return sessions
        .find({ userId, ...aliveNow() }, null, { session: tx.session })
        .lean<SessionRecord[]>();
    },

    /** Removes those that were ended long ago, now. Answers how many there were. */
    removeOld: (): Promise<number> => removeOld(old),

    /** The same at once and every hour, from its start on. */
    sweeping: removingOld(old, { onRemoved: () => undefined, onFault }),

    /** Ends these sessions and tells everybody after the commit. */
    revoke,

    /** Ends the sessions of a user inside a change of his. `keep` stays, and is now one of the new password. */
    async endWithin(
      { userId, credentialVersion }: SessionOwner,
      reason: SessionEndReason,
      keep: string | null,
      tx: Tx,
    ): Promise<void> {
      const all = await sessions
        .find({ userId, revoked: false }, null, { session: tx.session })
        .lean<SessionRecord[]>();
      await revoke(
        all.filter(({ _id }) => _id !== keep),
        reason,
        tx,
      );
      if (keep !== null)
        await sessions.updateOne(
          { _id: keep, userId },
          { $set: { credentialVersion } },
          { session: tx.session },
        );
    },
  };
}
