import type { Actor } from '../../platform/access/actor';
import { ADMIN_SCOPE, isAdmin, requireSession } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Core } from '../../platform/core';
import { BadInput, NotFound, Refused } from '../../platform/errors/errors';
import type { DomainError } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded, SessionEndReason } from '../../platform/events/session-ended';
import type { Tx } from '../../platform/store/store';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import type { AuditService } from '../audit/audit.service';
import type { UserPermissions } from '../users/user.policy';
import type { UserRecords } from '../users/user-records';
import { apiTokenCollection, toApiToken } from './api-token.model';
import type { ApiToken, ApiTokenRecord } from './api-token.model';
import { apiTokenPolicy, SCOPES } from './api-token.policy';
import { newTokenText, shownPrefix, tokenHash } from './token-text';
import type { UserAccount } from '../users/user-deletion.service';

export type { ApiToken } from './api-token.model';

declare module '../../platform/context' {
  interface Services {
    apiTokens: ApiTokenService;
  }
}

export interface NewApiToken {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Default: 90. */
  readonly expiresInDays?: number | null;
}

/** A new token. Its text is not stored and cannot be shown again. */
export interface CreatedApiToken {
  readonly apiToken: ApiToken;
  readonly token: string;
}

const DEFAULT_EXPIRY_DAYS = 90;
const MAX_EXPIRY_DAYS = 365;
const MAX_NAME_LENGTH = 100;
/** Valid tokens; as many expired ones are kept, so that their clients receive `expired`. */
const MAX_TOKENS_OF_USER = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

export const sessionIdOf = (tokenId: number): string => `token:${tokenId}`;

const target = (id: number) => ({ type: 'ApiToken', id }) as const;

const recorded = ({ userId, name, prefix, scopes, expiresAt }: ApiTokenRecord): object => ({
  userId,
  name,
  prefix,
  scopes,
  expiresAt,
});

const notFound = (id: number): NotFound =>
  new NotFound('API_TOKEN_NOT_FOUND', `There is no API token ${id}.`, { path: ['id'] });

/**
 * API tokens: credentials for programs with some of the rights of their owner. They can be created
 * and revoked only in a session, not with another API token.
 */
export class ApiTokenService {
  private readonly tokens;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly users: UserRecords;
      readonly permissions: UserPermissions;
      readonly webhooks: {
        /** Deletes the webhooks that were created with these tokens. Returns their ids. */
        removeOfTokens(tokenIds: readonly number[], tx: Tx): Promise<number[]>;
      };
    },
  ) {
    this.tokens = apiTokenCollection(deps.core.store);
  }

  /**
   * Creates a token of the signed-in user.
   * @throws Forbidden API_TOKEN_REFUSED if the actor uses an API token
   * @throws BadInput if name, scopes or expiry are invalid
   * @throws Refused API_TOKEN_LIMIT
   */
  async create(actor: Actor, input: NewApiToken): Promise<CreatedApiToken> {
    requireSession(actor);
    new Findings(tokenErrors(input, actor)).refuse();
    return this.insert(actor, actor.userId, input);
  }

  /** Creates a token for a user, as an operator on the machine of the service. */
  async createFor(operator: Actor, userId: number, input: NewApiToken): Promise<CreatedApiToken> {
    new Findings(tokenErrors(input)).refuse();
    return this.insert(operator, userId, input);
  }

  /** Returns the tokens of a user, newest first, expired ones included. */
  async ofUser(userId: number): Promise<ApiToken[]> {
    const records = await this.tokens.find({ userId }, { sort: { _id: -1 } });
    return records.map(toApiToken);
  }

  /**
   * Returns a token of the actor.
   * @throws NotFound API_TOKEN_NOT_FOUND, also for a token of another user
   */
  async ownById({ userId }: Actor, id: number): Promise<ApiToken> {
    const record = await this.tokens.findOne({ _id: id, userId });
    if (!record) throw notFound(id);
    return toApiToken(record);
  }

  /** Returns the tokens in the order of `ids`, null for unknown ones. One query. */
  async byIds(ids: readonly number[]): Promise<(ApiToken | null)[]> {
    const records = await this.tokens.byIds(ids);
    return records.map((record) => record && toApiToken(record));
  }

  /** Returns whether a token is neither revoked nor expired. */
  async isValid(id: number): Promise<boolean> {
    const valid = { _id: id, expiresAt: { $gt: this.deps.core.clock.now() } };
    return this.tokens.exists(valid);
  }

  /** Returns the tokens of each user in the order of `userIds`, newest first. One query. */
  async ofUsers(userIds: readonly number[]): Promise<ApiToken[][]> {
    const records = await this.tokens.find({ userId: { $in: userIds } }, { sort: { _id: -1 } });
    return userIds.map((id) => records.filter(({ userId }) => userId === id).map(toApiToken));
  }

  /** Returns the tokens of all users by id. */
  async all(): Promise<ApiToken[]> {
    return (await this.tokens.find({}, { sort: { _id: 1 } })).map(toApiToken);
  }

  /**
   * Revokes a token: requests with it are refused at once, its sockets close, and the webhooks that
   * were created with it are deleted.
   * @throws Forbidden API_TOKEN_REFUSED if the actor uses an API token
   * @throws NotFound API_TOKEN_NOT_FOUND, also for a token that the actor may not see
   */
  async revoke(actor: Actor, id: number): Promise<ApiToken> {
    requireSession(actor);
    return this.deps.core.store.transaction(async (tx) => {
      const record = await this.tokens.byId(id, tx);
      if (!record || !(isAdmin(actor) || allows(apiTokenPolicy.revokeOf, actor, record.userId)))
        throw notFound(id);
      const user = await this.deps.users.byId(record.userId);
      if (user) this.deps.permissions.requireCanManage(actor, user);
      const webhooks = await this.delete([record], 'ENDED', tx);
      const before = { ...recorded(record), webhooks };
      await this.deps.audit.record(actor, 'api-token.revoke', target(id), before, null, tx);
      return toApiToken(record);
    });
  }

  /** Deletes the tokens of users in the transaction that deletes or disables the users. */
  async removeOf(
    userIds: readonly number[],
    tx: Tx,
    reason: SessionEndReason = 'USER_DELETED',
  ): Promise<void> {
    const records = await this.tokens.find({ userId: { $in: userIds } }, { tx });
    await this.delete(records, reason, tx);
  }

  /** See `UserOwnedRecords`. */
  async moveTo(fromId: number, { _id: userId }: UserAccount, tx: Tx): Promise<void> {
    await this.tokens.updateMany({ userId: fromId }, { $set: { userId } }, tx);
  }

  /** Finds a token by its text. */
  async find(token: string): Promise<ApiToken | null> {
    const record = await this.tokens.findOne({ hash: tokenHash(token) });
    return record && toApiToken(record);
  }

  async touch(id: number, lastUsedAt: Date, lastAddress: string): Promise<void> {
    await this.tokens.updateOne({ _id: id }, { $set: { lastUsedAt, lastAddress } });
  }

  private async insert(
    actor: Actor,
    userId: number,
    { name, scopes, expiresInDays }: NewApiToken,
  ): Promise<CreatedApiToken> {
    const { core, audit, users } = this.deps;
    const token = newTokenText();
    return users.inTransaction(userId, async (tx) => {
      await users.requireActive(userId, tx);
      const createdAt = core.clock.now();
      const valid = { userId, expiresAt: { $gt: createdAt } };
      const count = await this.tokens.count(valid, { tx });
      if (count >= MAX_TOKENS_OF_USER)
        throw new Refused(
          'API_TOKEN_LIMIT',
          `A user has at most ${MAX_TOKENS_OF_USER} API tokens. Revoke one that is not used any more.`,
        );
      await this.removeExpired(userId, createdAt, tx);
      const days = expiresInDays ?? DEFAULT_EXPIRY_DAYS;
      const record = await this.tokens.insert(
        {
          _id: await core.store.nextId('api_tokens', tx),
          userId,
          name: name.trim(),
          hash: tokenHash(token),
          prefix: shownPrefix(token),
          scopes: SCOPES.filter((scope) => scopes.includes(scope)),
          createdAt,
          expiresAt: new Date(createdAt.getTime() + days * DAY_MS),
          lastUsedAt: null,
          lastAddress: null,
        },
        tx,
      );
      const after = recorded(record);
      await audit.record(actor, 'api-token.create', target(record._id), null, after, tx);
      return { apiToken: toApiToken(record), token };
    });
  }

  /** Deletes expired tokens of a user except the latest. */
  private async removeExpired(userId: number, now: Date, tx: Tx): Promise<void> {
    const oldest = await this.tokens.find(
      { userId, expiresAt: { $lte: now } },
      { tx, sort: { expiresAt: -1, _id: -1 }, skip: MAX_TOKENS_OF_USER },
    );
    await this.delete(oldest, 'ENDED', tx);
  }

  /** Returns the ids of the webhooks that were deleted with the tokens. */
  private async delete(
    records: readonly ApiTokenRecord[],
    reason: SessionEndReason,
    tx: Tx,
  ): Promise<number[]> {
    const { bus, clock } = this.deps.core;
    const ids = records.map(({ _id }) => _id);
    await this.tokens.deleteMany({ _id: { $in: ids } }, tx);
    const at = clock.now();
    for (const { _id, userId } of records) {
      const ended = { sessionId: sessionIdOf(_id), userId, reason, at };
      bus.publishWith<SessionEnded>(tx, SESSION_ENDED, ended);
    }
    return this.deps.webhooks.removeOfTokens(ids, tx);
  }
}

/** @param owner whose rights the scopes must not exceed */
function tokenErrors({ name, scopes, expiresInDays }: NewApiToken, owner?: Actor): DomainError[] {
  const errors: DomainError[] = [];
  const add = (message: string, field: string, code: DomainError['code'] = 'BAD_REQUEST'): void =>
    void errors.push(new BadInput(code, message, { path: [field] }));
  if (!name.isWellFormed()) add('This is not well-formed Unicode.', 'name', 'TEXT_INVALID');
  else if (name.trim() === '' || hasMoreCharacters(name.trim(), MAX_NAME_LENGTH))
    add(`The name has 1 to ${MAX_NAME_LENGTH} characters.`, 'name', 'NAME_INVALID');
  else if (!isVisible(name.trim()))
    add('The name contains invisible characters.', 'name', 'NAME_INVALID');
  const days = expiresInDays ?? DEFAULT_EXPIRY_DAYS;
  if (!Number.isInteger(days) || days < 1 || days > MAX_EXPIRY_DAYS)
    add(`A token expires after 1 to ${MAX_EXPIRY_DAYS} days.`, 'expiresInDays');
  if (scopes.length === 0)
    add('A token needs at least one scope.', 'scopes', 'API_TOKEN_SCOPE_INVALID');
  const distinct = new Set(scopes);
  if (distinct.size > SCOPES.length) {
    add(`There are ${SCOPES.length} scopes.`, 'scopes', 'API_TOKEN_SCOPE_INVALID');
    return errors;
  }
  for (const scope of distinct) {
    if (!SCOPES.includes(scope))
      add(
        `There is no scope ${JSON.stringify(scope.slice(0, 60))}. Scopes are component:action such as CONNECTION:READ, and ${ADMIN_SCOPE}.`,
        'scopes',
        'API_TOKEN_SCOPE_INVALID',
      );
    else if (owner && !(scope === ADMIN_SCOPE ? isAdmin(owner) : owner.grants.has(scope)))
      add(
        `You do not have ${scope} yourself, so a token cannot have it.`,
        'scopes',
        'API_TOKEN_SCOPE_INVALID',
      );
  }
  return errors;
}
