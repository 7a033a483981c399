import { createHmac, randomBytes } from 'node:crypto';
import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import type { Collection, Filter } from '../../platform/store/collection';
import type { Adoption } from '../../platform/store/startup/adoption';
import type { Tx } from '../../platform/store/store';
import type { SchedulesOfWebhooks } from './webhook.ports';
import { webhookCollection } from './webhook.model';
import type { WebhookRecord } from './webhook.model';
import type { UserAccount } from '../users/user-deletion.service';

const HASH_KEY_PURPOSE = 'hypha: tokens of webhooks';
const TOKEN_BYTES = 32;
/** 32 bytes in base64url; or a JWT of the released line, which counts as a text. */
const TOKEN = /^(?:[\w-]{43}|eyJ[\w-]{1,1024}\.[\w-]{1,1024}\.[\w-]{1,1024})$/;
/** Hashes recomputed per batch. */
const BATCH_SIZE = 100;

/** Context of an encrypted token: it can be decrypted for this webhook only. */
const sealContextOf = (id: number): string => `webhook:${id}`;

/**
 * Creates tokens and their lookup hashes. The hashes are keyed, so a reader of the store cannot
 * test tokens against them.
 */
class WebhookTokens {
  readonly keyId: string;
  private readonly key: Buffer;

  /** @param secret of all processes on one database; the hash key is derived from it */
  constructor(secret: Buffer) {
    this.key = createHmac('sha256', secret).update(HASH_KEY_PURPOSE).digest();
    this.keyId = createHmac('sha256', this.key).update('id').digest('hex').slice(0, 16);
  }

  create(): string {
    return randomBytes(TOKEN_BYTES).toString('base64url');
  }

  /** Returns null if the text cannot be a token. */
  hash(token: string): string | null {
    if (!TOKEN.test(token)) return null;
    return createHmac('sha256', this.key).update(token).digest('base64url');
  }
}

export interface AdoptedWebhook {
  readonly scheduleId: number;
  readonly token: string;
  readonly author: WebhookRecord['createdBy'];
}

/** The stored webhooks, for services that webhooks themselves depend on. */
export class WebhookRecords {
  readonly sealing: SealedValues;
  private readonly collection: Collection<WebhookRecord>;
  private readonly tokens: WebhookTokens;

  constructor(
    private readonly deps: {
      readonly core: Pick<Core, 'store' | 'clock'>;
      readonly vault: Vault;
      /** Secret for user tokens. */
      readonly secret: Buffer;
      readonly schedules: Pick<SchedulesOfWebhooks, 'release'>;
    },
  ) {
    const { core, vault, secret } = deps;
    this.collection = webhookCollection(core.store);
    this.tokens = new WebhookTokens(secret);
    this.sealing = sealedRecords({
      store: core.store,
      vault,
      records: this.collection,
      contextOf: sealContextOf,
    });
  }

  /** @throws SealBroken */
  tokenOf({ _id, sealed }: WebhookRecord): string {
    return this.deps.vault.open(sealed, sealContextOf(_id));
  }

  /** Returns null if no webhook has this token. */
  async byToken(token: string, tx?: Tx): Promise<WebhookRecord | null> {
    const tokenHash = this.tokens.hash(token);
    if (tokenHash === null) return null;
    return this.collection.findOne({ tokenHash }, { tx });
  }

  /** In the order of the ids, null where there is none. */
  byIds(ids: readonly number[]): Promise<(WebhookRecord | null)[]> {
    return this.collection.byIds(ids);
  }

  /** Webhooks by schedule id, in one read. */
  async ofSchedules(
    scheduleIds: readonly number[],
    tx?: Tx,
  ): Promise<ReadonlyMap<number, WebhookRecord>> {
    if (scheduleIds.length === 0) return new Map();
    const records = await this.collection.find({ scheduleId: { $in: [...scheduleIds] } }, { tx });
    return new Map(records.map((record) => [record.scheduleId, record]));
  }

  /** Creates a webhook with a new token. */
  async insert(actor: Actor, scheduleId: number, tx: Tx): Promise<WebhookRecord> {
    const id = await this.deps.core.store.nextId('webhooks', tx);
    const webhook = { scheduleId, token: this.tokens.create(), author: authorOf(actor) };
    return this.write(id, webhook, tx, actor.apiToken?.id);
  }

  /** Creates a webhook with the token that it has in another installation. */
  adopt(webhook: AdoptedWebhook, { id, tx }: Adoption): Promise<WebhookRecord> {
    return this.write(id, webhook, tx);
  }

  isToken(text: string): boolean {
    return this.tokens.hash(text) !== null;
  }

  private write(
    id: number,
    { scheduleId, token, author }: AdoptedWebhook,
    tx: Tx,
    apiTokenId?: number,
  ): Promise<WebhookRecord> {
    const { core, vault } = this.deps;
    return this.collection.insert(
      {
        _id: id,
        scheduleId,
        tokenHash: this.tokens.hash(token) ?? '',
        hashKey: this.tokens.keyId,
        sealed: vault.seal(token, sealContextOf(id)),
        createdAt: core.clock.now(),
        createdBy: author,
        ...(apiTokenId !== undefined && { apiTokenId }),
      },
      tx,
    );
  }

  /** Returns the deleted record, or null if there is none. */
  async remove(id: number, tx: Tx): Promise<WebhookRecord | null> {
    const removed = await this.collection.findOneAndDelete({ _id: id }, tx);
    if (removed) await this.deps.schedules.release([removed.scheduleId], tx);
    return removed;
  }

  /** Deletes the webhooks created by these users, in the transaction that deletes or disables
   * the users. */
  async removeOf(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.removeWhere({ 'createdBy.userId': { $in: [...userIds] } }, tx);
  }

  /**
   * Deletes the webhooks created with these API tokens, in the transaction that deletes the tokens.
   * Returns their ids.
   */
  async removeOfTokens(tokenIds: readonly number[], tx: Tx): Promise<number[]> {
    return tokenIds.length === 0
      ? []
      : this.removeWhere({ apiTokenId: { $in: [...tokenIds] } }, tx);
  }

  /** See `UserOwnedRecords`. */
  async moveTo(fromId: number, { _id: userId, email }: UserAccount, tx: Tx): Promise<void> {
    await this.collection.updateMany(
      { 'createdBy.userId': fromId },
      { $set: { createdBy: { userId, email } } },
      tx,
    );
  }

  /** Deletes the webhooks of these schedules, in the transaction that deletes the schedules. */
  async removeOfSchedules(scheduleIds: readonly number[], tx: Tx): Promise<void> {
    await this.collection.deleteMany({ scheduleId: { $in: [...scheduleIds] } }, tx);
  }

  private async removeWhere(filter: Filter<WebhookRecord>, tx: Tx): Promise<number[]> {
    const removed = await this.collection.find<Pick<WebhookRecord, '_id' | 'scheduleId'>>(filter, {
      tx,
      fields: { scheduleId: 1 },
    });
    await this.collection.deleteMany(filter, tx);
    const scheduleIds = removed.map(({ scheduleId }) => scheduleId);
    await this.deps.schedules.release(scheduleIds, tx);
    return removed.map(({ _id }) => _id);
  }

  /** Recomputes hashes that were made with another key. Call after the vault is unlocked. */
  async rehash(): Promise<void> {
    const hashKey = this.tokens.keyId;
    for (;;) {
      const outdated = await this.collection.find(
        { hashKey: { $ne: hashKey } },
        { limit: BATCH_SIZE },
      );
      if (outdated.length === 0) return;
      await this.collection.updateEach(
        outdated.map((record) => {
          const tokenHash = this.tokens.hash(this.tokenOf(record)) ?? '';
          return { filter: { _id: record._id }, update: { $set: { tokenHash, hashKey } } };
        }),
      );
    }
  }
}
