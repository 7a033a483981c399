import { createCache } from '../../platform/cache';
import { isUser, withRightsOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Authentication, Need } from '../../platform/access/need';
import type { RequestMarks, TokenUse } from '../../platform/context';
import type { Core } from '../../platform/core';
import type { RunMarks } from '../../platform/crypto/run-marks';
import type { TokenClaims, Tokens } from '../../platform/crypto/tokens';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded } from '../../platform/events/session-ended';
import type { Directory, DirectoryService } from '../groups/directory.service';
import type { NeedsSecondFactor } from './session.policy';
import type { UserIdentity, UserRecords } from '../users/user-records';
import { USER_ACCESS_CHANGED } from '../users/user.policy';
import type { UserAccessChanged } from '../users/user.policy';
import type { SessionRecord } from './session.model';
import type { SessionService } from './session.service';

/** Maximum delay before a use is written to `lastAccessed`, ms. */
const MAX_WRITE_DELAY_MS = 60_000;

interface CachedSession {
  readonly session: SessionRecord;
  readonly user: UserIdentity;
  /** Whether session and user are as they were read. */
  readonly isCurrent: () => boolean;
  lastUsed: number;
  lastWritten: number;
}

/** A request to authenticate. */
interface TokenRequest {
  readonly claims: TokenClaims;
  readonly request: RequestMarks;
  readonly use: TokenUse;
  readonly now: number;
}

/**
 * Authenticates tokens. Ended sessions and changed groups apply to the next request, in each process
 * that shares the store.
 */
export class Authenticator {
  private readonly cache = createCache<CachedSession>('sessions');
  private readonly idleMs: number;
  private readonly writeDelayMs: number;
  // Incremented when a session ends or a user changes: reads that overlap such an event are not
  // cached.
  private generation = 0;
  // Shares one read among concurrent requests of a session, such as an event for many sockets.
  private readonly reads = new Map<string, Promise<CachedSession | null>>();

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly tokens: Tokens;
      readonly marks: RunMarks;
      readonly sessions: SessionService;
      readonly users: UserRecords;
      readonly directory: DirectoryService;
    },
    private readonly needsSecondFactor: NeedsSecondFactor,
  ) {
    const { bus } = deps.core;
    this.idleMs = deps.sessions.limits.activitySeconds * 1000;
    this.writeDelayMs = Math.min(MAX_WRITE_DELAY_MS, this.idleMs / 10);
    bus.subscribe<SessionEnded>(SESSION_ENDED, ({ sessionId }) => {
      this.discardReads();
      this.cache.delete(sessionId);
    });
    bus.subscribe<UserAccessChanged>(USER_ACCESS_CHANGED, ({ userId }) => {
      this.discardReads();
      for (const [id, { user }] of this.cache) if (user.id === userId) this.cache.delete(id);
    });
  }

  /** See `Authenticate`. */
  authenticate(
    token: string | undefined,
    request: RequestMarks,
    use: TokenUse = 'operation',
  ): Authentication | Promise<Authentication> {
    if (token === undefined) return { state: 'anonymous' };
    const read = this.deps.tokens.read(token);
    if (read.state === 'expired') return { state: 'expired', credential: 'session' };
    if (read.state === 'invalid') return { state: 'rejected' };
    const { clock } = this.deps.core;
    const tokenRequest = { claims: read.claims, request, use, now: clock.now().getTime() };
    const cached = this.fromCache(tokenRequest);
    const directory = this.deps.directory.remembered();
    return cached && directory
      ? this.check(cached, directory, tokenRequest)
      : this.checkAfterReading(cached, tokenRequest);
  }

  /**
   * Rechecks a permission for work that continues after its request: returns false if the user was
   * deleted or disabled, or their group no longer allows it.
   */
  async recheckPermission(actor: Actor, need: Need): Promise<boolean> {
    // The service itself always keeps its permissions.
    if (!isUser(actor)) return true;
    const user = await this.deps.users.activeIdentity(actor.userId);
    const group = user && (await this.deps.directory.fresh()).groups.get(user.groupId);
    return group != null && allows(need, withRightsOf(group, actor));
  }

  private discardReads(): void {
    this.generation += 1;
    this.reads.clear();
  }

  /** Returns the cached session unless it is outdated. */
  private fromCache({ claims }: TokenRequest): CachedSession | null {
    // `peek` does not update the LRU order; active sessions are set again each time their use is written.
    const cached = this.cache.peek(claims.jti);
    return cached?.user.id === claims.userId && cached.isCurrent() ? cached : null;
  }

  private async checkAfterReading(
    cached: CachedSession | null,
    request: TokenRequest,
  ): Promise<Authentication> {
    const entry = cached ?? (await this.read(request));
    if (!entry) return { state: 'rejected' };
    const { directory } = this.deps;
    return this.check(entry, directory.remembered() ?? (await directory.fresh()), request);
  }

  private async read({ claims }: TokenRequest): Promise<CachedSession | null> {
    const key = `${claims.userId} ${claims.jti}`;
    const shared = this.reads.get(key);
    if (shared) return shared;
    const own = this.readStored(claims, this.cache.get(claims.jti)).finally(() => {
      if (this.reads.get(key) === own) this.reads.delete(key);
    });
    this.reads.set(key, own);
    return own;
  }

  private async readStored(
    claims: TokenClaims,
    cached: CachedSession | undefined,
  ): Promise<CachedSession | null> {
    const before = this.generation;
    const isCurrent = this.watch(claims);
    // Read the user first: the session may be updated by a password change in between, and must not
    // be compared with a newer credential version.
    const user = await this.deps.users.activeIdentity(claims.userId);
    const session = user && (await this.deps.sessions.byId(claims.jti));
    if (
      !user ||
      !session ||
      session.revoked ||
      session.userId !== user.id ||
      session.credentialVersion < user.credentialVersion
    ) {
      this.cache.delete(claims.jti);
      return null;
    }
    const lastWritten = session.lastAccessed.getTime();
    const lastUsed = Math.max(lastWritten, cached?.lastUsed ?? 0);
    const entry = { session, user, isCurrent, lastUsed, lastWritten };
    if (this.generation === before) this.cache.set(claims.jti, entry);
    return entry;
  }

  private watch({ jti, userId }: TokenClaims): CachedSession['isCurrent'] {
    const isSame = this.deps.sessions.watch(jti);
    const isSameUser = this.deps.users.collection.watch(userId);
    return () => isSame() && isSameUser();
  }

  private check(
    entry: CachedSession,
    { groups }: Directory,
    { claims, request, use, now }: TokenRequest,
  ): Authentication | Promise<Authentication> {
    if (now - entry.lastUsed > this.idleMs) return { state: 'expired', credential: 'session' };
    const group = groups.get(entry.user.groupId);
    if (!group) return { state: 'rejected' };
    // The user joined the group, or the configuration was changed, after the login.
    if (!entry.session.hasSecondFactor && this.needsSecondFactor(group.name))
      return { state: 'rejected' };
    const signedIn: Authentication = {
      state: 'signed-in',
      expiresAt: claims.exp * 1000,
      actor: {
        userId: entry.user.id,
        email: entry.user.email,
        groupId: group.id,
        groupName: group.name,
        sessionId: entry.session._id,
        grants: group.grants,
        requestId: request.requestId,
        clientRequestId: request.clientRequestId,
        runDepth: this.deps.marks.read(request.runMark)?.depth,
        trace: request.trace,
      },
    };
    if (use === 'event') return signedIn;
    entry.lastUsed = Math.max(entry.lastUsed, now);
    return now - entry.lastWritten < this.writeDelayMs
      ? signedIn
      : this.writeAccess(entry, now).then(() => signedIn);
  }

  private async writeAccess(entry: CachedSession, now: number): Promise<void> {
    entry.lastWritten = now;
    // If the store cannot write (full disk), reading must still work; the next request tries again.
    await this.deps.sessions.touch(entry.session._id, new Date(now)).catch(() => {
      entry.lastWritten = entry.session.lastAccessed.getTime();
    });
  }
}
