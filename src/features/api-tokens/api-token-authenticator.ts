import { createCache } from '../../platform/cache';
import { withRightsOf } from '../../platform/access/actor';
import type { Authentication } from '../../platform/access/need';
import type { RequestMarks, TokenUse } from '../../platform/context';
import type { Core } from '../../platform/core';
import type { RunMarks } from '../../platform/crypto/run-marks';
import type { DirectoryService } from '../groups/directory.service';
import type { UserRecords } from '../users/user-records';
import { sessionIdOf } from './api-token.service';
import type { ApiToken, ApiTokenService } from './api-token.service';
import { isWellFormed } from './token-text';

/** Minimum time between two writes of the last use of a token. */
const WRITE_DELAY_MS = 60_000;

/**
 * Authenticates API tokens. A token has the scopes that its owner's group grants at that moment.
 */
export class ApiTokenAuthenticator {
  /** When the last use of a token was written, by its id. */
  private readonly written = createCache<number, number>('apiTokens');

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly marks: RunMarks;
      readonly tokens: ApiTokenService;
      readonly users: UserRecords;
      readonly directory: DirectoryService;
    },
  ) {}

  /** See `Authenticate`. */
  async authenticate(
    text: string,
    request: RequestMarks,
    use: TokenUse = 'operation',
  ): Promise<Authentication> {
    if (!isWellFormed(text)) return { state: 'rejected' };
    const { tokens, users } = this.deps;
    const token = await tokens.find(text);
    const user = token && (await users.activeIdentity(token.userId));
    if (!user) return { state: 'rejected' };
    const now = this.deps.core.clock.now();
    if (now >= token.expiresAt) return { state: 'expired', credential: 'API token' };
    const group = (await this.deps.directory.fresh()).groups.get(user.groupId);
    if (!group) return { state: 'rejected' };
    if (use === 'operation') await this.recordUse(token, now, request.address);
    return {
      state: 'signed-in',
      expiresAt: token.expiresAt.getTime(),
      actor: withRightsOf(group, {
        userId: user.id,
        email: user.email,
        sessionId: sessionIdOf(token.id),
        apiToken: { id: token.id, scopes: new Set(token.scopes) },
        requestId: request.requestId,
        clientRequestId: request.clientRequestId,
        runDepth: this.deps.marks.read(request.runMark)?.depth,
        trace: request.trace,
      }),
    };
  }

  private async recordUse({ id, lastUsedAt }: ApiToken, now: Date, address: string): Promise<void> {
    const last = Math.max(lastUsedAt?.getTime() ?? 0, this.written.get(id) ?? 0);
    if (now.getTime() - last < WRITE_DELAY_MS) return;
    this.written.set(id, now.getTime());
    // If the store cannot write (full disk), reading must still work.
    await this.deps.tokens.touch(id, now, address).catch(() => undefined);
  }
}
