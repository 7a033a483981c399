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

/** An active login. */
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

/** The user of a session and their current password version. */
export interface SessionOwner {
  readonly userId: number;
  readonly credentialVersion: number;
}

/** Session lifetimes, seconds. */
export interface SessionLimits {
  /** Maximum time between two requests. */
  readonly activitySeconds: number;
  /** Maximum total lifetime. */
  readonly expirationSeconds: number;
}

/** How long an ended session is kept after its last use. Audit records are kept longer. */
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

/** Converts a record to a session, without internal fields. */
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

/** `field` is the input field with the id. */
export const sessionNotFound = (field: 'id' | 'sessionId' = 'id'): NotFound =>
  new NotFound('SESSION_NOT_EXIST', 'There is no such session.', { path: [field] });

export function createSessionService({ store, bus, clock, limits, onFault }: SessionDependencies) {
  const sessions = store.model<SessionRecord>('Session', sessionSchema, 'sessions');

  /**
   * Only ended sessions. Idle ones stay until an index removes them at token expiry, so that their
   * clients receive `expired`.
   */
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

    /** Returns the record, ended or not, or null if there is none. */
    async byId(id: string): Promise<SessionRecord | null> {
      return sessions.findById(id).lean<SessionRecord>();
    },

    /** Creates a session for an authenticated user. */
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
        // Whole seconds, like the token, so that both expire together.
        expiresAt: new Date((Math.floor(now.getTime() / 1000) + limits.expirationSeconds) * 1000),
        revoked: false,
      };
      return insertRecord(sessions, record, tx);
    },

    async touch(id: string, at: Date): Promise<void> {
      await sessions.updateOne({ _id: id, revoked: false }, { $set: { lastAccessed: at } });
    },

    /** Returns up to `most` active sessions of a user, newest first. */
    async ofUser(userId: number, most: number): Promise<Session[]> {
      const records = await sessions
        .find({ userId, ...aliveNow() })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most)
        .lean<SessionRecord[]>();
      return records.map(presentSession);
    },

    /** Returns the same page of active sessions for each user. */
    async pagesOfUsers(
      userIds: readonly number[],
      page: PageRequest,
      orderBy: readonly Order[],
    ): Promise<Page<Session>[]> {
      return (
        await pagesOf(sessions, 'userId', userIds, { ...page, within: aliveNow(), orderBy })
      ).map((one) => one.map(presentSession));
    },

    /** Returns null if the session is missing, ended or expired. */
    async aliveById(id: string): Promise<SessionRecord | null> {
      return sessions.findOne({ _id: id, ...aliveNow() }).lean<SessionRecord>();
    },

    async aliveOf(userId: number, tx: Tx): Promise<SessionRecord[]> {
      return sessions
        .find({ userId, ...aliveNow() }, null, { session: tx.session })
        .lean<SessionRecord[]>();
    },

    /** Removes sessions that ended long ago. Returns their number. */
    removeOld: (): Promise<number> => removeOld(old),

    /** Removes old sessions at start and every hour. */
    sweeping: removingOld(old, { onRemoved: () => undefined, onFault }),

    /** Ends these sessions and publishes it after the commit. */
    revoke,

    /**
     * Ends the sessions of a user in the transaction of a change. The session `keep` stays and gets
     * the new credential version.
     */
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
