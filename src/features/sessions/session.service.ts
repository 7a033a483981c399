import { randomUUID } from 'node:crypto';
import { requireSession } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Origin } from '../../platform/context';
import type { Core } from '../../platform/core';
import { NotFound } from '../../platform/errors/errors';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded, SessionEndReason } from '../../platform/events/session-ended';
import type { Repeating } from '../../platform/repeating';
import type { Filter } from '../../platform/store/collection';
import type { Order, Page, PageRequest } from '../../platform/store/lists/keyset';
import { pagesOf } from '../../platform/store/lists/pages-of';
import { removeOld, removingOld } from '../../platform/store/removal';
import type { Old } from '../../platform/store/removal';
import type { Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { UserRecords } from '../users/user-records';
import type { UserPermissions } from '../users/user.policy';
import type { User } from '../users/user.model';
import { sessionCollection, toSession } from './session.model';
import type { Session, SessionRecord } from './session.model';
import { sessionPolicy } from './session.policy';

export { toSession } from './session.model';
export type { Session } from './session.model';

declare module '../../platform/context' {
  interface Services {
    sessions: SessionService;
  }
}

/** The user of a session, their current password version, and how they proved who they are. */
export type SessionOwner = Pick<SessionRecord, 'userId' | 'credentialVersion' | 'hasSecondFactor'>;

/** Session lifetimes, seconds. */
interface SessionLimits {
  /** Maximum time between two requests. */
  readonly activitySeconds: number;
  /** Maximum total lifetime. */
  readonly expirationSeconds: number;
}

/** How long an ended session is kept after its last use. Audit records are kept longer. */
const ENDED_RETENTION_MS = 24 * 60 * 60 * 1000;
const MAX_USER_AGENT_LENGTH = 300;

const sessionNotFound = (field: 'id' | 'sessionId' = 'id'): NotFound =>
  new NotFound('SESSION_NOT_EXIST', 'The session does not exist.', { path: [field] });

/** Opens, lists and ends sessions. */
export class SessionService {
  /** Removes sessions that ended long ago, at start and every hour. */
  readonly cleanup: Repeating;
  private readonly sessions;
  private readonly old: Old<SessionRecord>;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly users: UserRecords;
      readonly permissions: UserPermissions;
      readonly limits: SessionLimits;
    },
  ) {
    const { store, clock, log } = deps.core;
    this.sessions = sessionCollection(store);
    // Only ended sessions. Idle ones stay until an index removes them at token expiry, so that
    // their clients receive `expired`.
    this.old = {
      records: this.sessions,
      filter: () => ({
        revoked: true,
        lastAccessed: { $lte: new Date(clock.now().getTime() - ENDED_RETENTION_MS) },
      }),
      order: { lastAccessed: 1 },
    };
    this.cleanup = removingOld(this.old, {
      onRemoved: () => undefined,
      onFault: (error) => log.error({ err: error }, 'old ended sessions could not be removed'),
    });
  }

  get limits(): SessionLimits {
    return this.deps.limits;
  }

  /** Returns the record, ended or not, or null if there is none. */
  async byId(id: string): Promise<SessionRecord | null> {
    return this.sessions.byId(id);
  }

  /** See `Collection.watch`. */
  watch(id: string): () => boolean {
    return this.sessions.watch(id);
  }

  /** Returns up to `most` active sessions of a user, newest first. */
  async ofUser(userId: number, most: number): Promise<Session[]> {
    const records = await this.sessions.find(
      { userId, ...this.active() },
      { sort: { createdAt: -1, _id: -1 }, limit: most },
    );
    return records.map(toSession);
  }

  /** Returns the same page of active sessions for each user. */
  async pagesOfUsers(
    userIds: readonly number[],
    page: PageRequest,
    orderBy: readonly Order[],
  ): Promise<Page<Session>[]> {
    const query = { ...page, within: this.active(), orderBy };
    const pages = await pagesOf(this.sessions, 'userId', userIds, query);
    return pages.map((one) => one.map(toSession));
  }

  async open(
    { userId, credentialVersion, hasSecondFactor }: SessionOwner,
    origin: Origin,
    tx: Tx,
  ): Promise<SessionRecord> {
    const now = this.deps.core.clock.now();
    // Whole seconds, like the token, so that both expire together.
    const seconds = Math.floor(now.getTime() / 1000) + this.limits.expirationSeconds;
    const record: SessionRecord = {
      _id: randomUUID(),
      userId,
      credentialVersion,
      ...(hasSecondFactor && { hasSecondFactor }),
      address: origin.address,
      userAgent: origin.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      createdAt: now,
      lastAccessed: now,
      expiresAt: new Date(seconds * 1000),
      revoked: false,
    };
    return this.sessions.insert(record, tx);
  }

  /** Stores the time of the last use. */
  async touch(id: string, at: Date): Promise<void> {
    await this.sessions.updateOne({ _id: id, revoked: false }, { $set: { lastAccessed: at } });
  }

  /**
   * Ends the actor's current session (repeated calls have no effect) or another session of theirs.
   * Returns its id.
   * @throws NotFound SESSION_NOT_EXIST, also for a session of another user
   */
  async logout(actor: Actor, sessionId = actor.sessionId): Promise<string> {
    requireSession(actor);
    if (sessionId === actor.sessionId) {
      const session = await this.byId(sessionId);
      if (session && !session.revoked) await this.endOne(actor, session, 'LOGOUT');
      return sessionId;
    }
    const session = await this.activeById(sessionId);
    if (session?.userId !== actor.userId) throw sessionNotFound('sessionId');
    await this.endOne(actor, session, 'ENDED');
    return sessionId;
  }

  /**
   * Ends a session of the actor, or of any user if the actor may update users.
   * @throws NotFound SESSION_NOT_EXIST, also for a session that the actor may not see
   * @throws Forbidden if the group of its user has rights that the actor lacks
   */
  async end(actor: Actor, id: string): Promise<Session> {
    requireSession(actor);
    const session = await this.activeById(id);
    const isCurrent = session?._id === actor.sessionId;
    if (!session || (!isCurrent && !allows(sessionPolicy.end, actor, session.userId)))
      throw sessionNotFound('sessionId');
    const user = await this.deps.users.byId(session.userId);
    if (user) this.deps.permissions.requireCanManage(actor, user);
    await this.endOne(actor, session, isCurrent ? 'LOGOUT' : 'ENDED');
    return toSession(session);
  }

  /**
   * Ends all sessions of a user. Returns the user.
   * @throws NotFound USER_NOT_EXIST; SESSION_NOT_EXIST if the user has none
   * @throws Forbidden if the user's group has rights that the actor lacks
   */
  async endAllOf(actor: Actor, userId: number): Promise<User> {
    const { audit, core, permissions, users } = this.deps;
    requireSession(actor);
    const user = await users.get(userId);
    permissions.requireCanManage(actor, user);
    await core.store.transaction(async (tx) => {
      const ended = await this.sessions.find({ userId, ...this.active() }, { tx });
      if (ended.length === 0) throw sessionNotFound();
      await this.revoke(ended, actor.userId === userId ? 'LOGOUT' : 'ENDED', tx);
      const target = { type: 'User', id: userId } as const;
      const before = { sessions: ended.length };
      await audit.record(actor, 'session.end-all', target, before, { sessions: 0 }, tx);
    });
    return user;
  }

  /**
   * Ends the sessions of a user in the transaction that changes their password. The session `exceptId`
   * gets the new credential version.
   */
  async endAfterPasswordChange(
    { userId, credentialVersion }: SessionOwner,
    exceptId: string | null,
    tx: Tx,
  ): Promise<void> {
    await this.revokeWhere({ userId }, exceptId, 'PASSWORD_CHANGED', tx);
    if (exceptId !== null)
      await this.sessions.updateOne({ _id: exceptId, userId }, { $set: { credentialVersion } }, tx);
  }

  /**
   * Ends the sessions of a user that were opened without a second factor, in the transaction that
   * turns it on. The session `exceptId` has it from now on.
   */
  async endWithoutSecondFactor(userId: number, exceptId: string | null, tx: Tx): Promise<void> {
    await this.revokeWhere({ userId, hasSecondFactor: { $ne: true } }, exceptId, 'ENDED', tx);
    if (exceptId === null) return;
    const set = { $set: { hasSecondFactor: true } };
    await this.sessions.updateOne({ _id: exceptId, userId }, set, tx);
  }

  /** Ends the sessions of users, as in the transaction that deletes or disables them. */
  async removeOf(
    userIds: readonly number[],
    tx: Tx,
    reason: SessionEndReason = 'USER_DELETED',
  ): Promise<void> {
    await this.revokeWhere({ userId: { $in: userIds } }, null, reason, tx);
  }

  /** Removes sessions that ended long ago. Returns their number. */
  async removeOld(): Promise<number> {
    return removeOld(this.old);
  }

  private active() {
    const now = this.deps.core.clock.now();
    return {
      revoked: false,
      expiresAt: { $gt: now },
      lastAccessed: { $gt: new Date(now.getTime() - this.limits.activitySeconds * 1000) },
    };
  }

  /** Returns null if the session is missing, ended or expired. */
  private async activeById(id: string): Promise<SessionRecord | null> {
    return this.sessions.findOne({ _id: id, ...this.active() });
  }

  private async endOne(actor: Actor, session: SessionRecord, reason: SessionEndReason) {
    const { _id: id, userId } = session;
    await this.deps.core.store.transaction(async (tx) => {
      await this.revoke([session], reason, tx);
      const target = { type: 'Session', id } as const;
      const before = { userId, revoked: false };
      const after = { userId, revoked: true, reason };
      await this.deps.audit.record(actor, 'session.end', target, before, after, tx);
    });
  }

  private async revokeWhere(
    filter: Filter<SessionRecord>,
    exceptId: string | null,
    reason: SessionEndReason,
    tx: Tx,
  ): Promise<void> {
    const sessions = await this.sessions.find({ ...filter, revoked: false }, { tx });
    const ended = sessions.filter(({ _id }) => _id !== exceptId);
    await this.revoke(ended, reason, tx);
  }

  /** Ends these sessions and publishes it after the commit. */
  private async revoke(ended: readonly SessionRecord[], reason: SessionEndReason, tx: Tx) {
    if (ended.length === 0) return;
    const { bus, clock } = this.deps.core;
    await this.sessions.updateMany(
      { _id: { $in: ended.map(({ _id }) => _id) } },
      { $set: { revoked: true } },
      tx,
    );
    const at = clock.now();
    for (const { _id: sessionId, userId } of ended)
      bus.publishWith<SessionEnded>(tx, SESSION_ENDED, { sessionId, userId, reason, at });
  }
}
