import { createCache } from '../../platform/cache';
import { withRightsOf } from '../../platform/access/actor';
import type { Authentication } from '../../platform/access/need';
import type { RequestMarks, TokenUse } from '../../platform/context';
import type { Core } from '../../platform/core';
import type { RunMarks } from '../../platform/crypto/run-marks';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded } from '../../platform/events/session-ended';
import type { DirectoryService } from '../groups/directory.service';
import type { UserIdentity, UserRecords } from '../users/user-records';
import { USER_ACCESS_CHANGED } from '../users/user.policy';
import type { UserAccessChanged } from '../users/user.policy';
import { sessionIdOf } from './api-token.service';
import type { ApiToken, ApiTokenService } from './api-token.service';
import { isWellFormed } from './token-text';

/** How long a revocation by another process may go unnoticed. */
const CACHE_MS = 2_000;
/** Minimum time between two writes of the last use of a token. */
const WRITE_DELAY_MS = 60_000;

interface CachedToken {
  readonly token: ApiToken;
  readonly user: UserIdentity;
  readonly scopes: ReadonlySet<string>;
  lastWritten: number;
}

/**
 * Authenticates API tokens. A token has the scopes that its owner's group grants at that moment.
 */
export class ApiTokenAuthenticator {
  private readonly cache = createCache<CachedToken>('apiTokens', { ttl: CACHE_MS });
  // Reads that overlap a revocation or a change of the owner are not cached.
  private generation = 0;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly marks: RunMarks;
      readonly tokens: ApiTokenService;
      readonly users: UserRecords;
      readonly directory: DirectoryService;
    },
  ) {
    const { bus } = deps.core;
    bus.subscribe<SessionEnded>(SESSION_ENDED, ({ sessionId }) =>
      this.forget(({ token }) => sessionIdOf(token.id) === sessionId),
    );
    bus.subscribe<UserAccessChanged>(USER_ACCESS_CHANGED, ({ userId }) =>
      this.forget(({ user }) => user.id === userId),
    );
  }

  /** See `Authenticate`. */
  async authenticate(
    text: string,
    request: RequestMarks,
    use: TokenUse = 'operation',
  ): Promise<Authentication> {
    if (!isWellFormed(text)) return { state: 'rejected' };
    const entry = this.cache.get(text) ?? (await this.read(text));
    if (!entry) return { state: 'rejected' };
    const { token, user } = entry;
    const now = this.deps.core.clock.now();
    if (now >= token.expiresAt) return { state: 'expired', credential: 'API token' };
    const group = (await this.deps.directory.fresh()).groups.get(user.groupId);
    if (!group) return { state: 'rejected' };
    if (use === 'operation') await this.recordUse(entry, now, request.address);
    return {
      state: 'signed-in',
      expiresAt: token.expiresAt.getTime(),
      actor: withRightsOf(group, {
        userId: user.id,
        email: user.email,
        sessionId: sessionIdOf(token.id),
        apiToken: { id: token.id, scopes: entry.scopes },
        requestId: request.requestId,
        clientRequestId: request.clientRequestId,
        runDepth: this.deps.marks.read(request.runMark)?.depth,
        trace: request.trace,
      }),
    };
  }

  private async read(text: string): Promise<CachedToken | null> {
    const { tokens, users } = this.deps;
    const before = this.generation;
    const token = await tokens.find(text);
    const user = token && (await users.activeIdentity(token.userId));
    if (!user) return null;
    const lastWritten = token.lastUsedAt?.getTime() ?? 0;
    const entry = { token, user, scopes: new Set(token.scopes), lastWritten };
    if (this.generation === before) this.cache.set(text, entry);
    return entry;
  }

  private async recordUse(entry: CachedToken, now: Date, address: string): Promise<void> {
    if (now.getTime() - entry.lastWritten < WRITE_DELAY_MS) return;
    entry.lastWritten = now.getTime();
    // If the store cannot write (full disk), reading must still work.
    await this.deps.tokens.touch(entry.token.id, now, address).catch(() => undefined);
  }

  private forget(matches: (entry: CachedToken) => boolean): void {
    this.generation += 1;
    for (const [text, entry] of this.cache) if (matches(entry)) this.cache.delete(text);
  }
}
