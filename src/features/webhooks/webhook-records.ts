import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import { insertRecord, recordsByIds } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { webhookModel } from './webhook.model';
import type { WebhookRecord } from './webhook.model';
import type { WebhookTokens } from './webhook-tokens';

/** Hashes recomputed per batch. */
const AT_ONCE = 100;

/** Seal context: a sealed token can be opened for this webhook only. */
const sealingOf = (id: number): string => `webhook:${id}`;

export type WebhookRecords = ReturnType<typeof createWebhookRecords>;

export interface WebhookRecordsDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly tokens: WebhookTokens;
  /** Called in the transaction that removes the webhooks of these schedules. */
  readonly release: (scheduleIds: readonly number[], tx: Tx) => Promise<void>;
}

export function createWebhookRecords({
  store,
  clock,
  vault,
  tokens,
  release,
}: WebhookRecordsDependencies) {
  const records = webhookModel(store);
  const tokenOf = ({ _id, sealed }: Pick<WebhookRecord, '_id' | 'sealed'>): string =>
    vault.open(sealed, sealingOf(_id));

  return {
    /** @throws SealBroken */
    tokenOf,

    /** Returns null if no webhook has this token. */
    async byToken(token: string): Promise<WebhookRecord | null> {
      const tokenHash = tokens.hash(token);
      return tokenHash === null ? null : records.findOne({ tokenHash }).lean<WebhookRecord>();
    },

    /** In the order of the ids, null where there is none. */
    byIds: async (ids: readonly number[]): Promise<(WebhookRecord | null)[]> => {
      return recordsByIds(records, ids);
    },

    /** Webhooks by schedule id, in one read. */
    ofSchedules: async (
      scheduleIds: readonly number[],
      tx?: Tx,
    ): Promise<ReadonlyMap<number, WebhookRecord>> => {
      if (scheduleIds.length === 0) return new Map();
      const found = await records
        .find({ scheduleId: { $in: [...scheduleIds] } }, null, { session: tx?.session })
        .lean<WebhookRecord[]>();
      return new Map(found.map((record) => [record.scheduleId, record]));
    },

    /** Creates a webhook with a new token. */
    async insert(actor: Actor, scheduleId: number, tx: Tx): Promise<WebhookRecord> {
      const [id, token] = [await store.nextId('webhooks', tx), tokens.create()];
      return insertRecord<WebhookRecord>(
        records,
        {
          _id: id,
          scheduleId,
          tokenHash: tokens.hash(token) ?? '',
          hashKey: tokens.keyId,
          sealed: vault.seal(token, sealingOf(id)),
          createdAt: clock.now(),
          createdBy: authorOf(actor),
        },
        tx,
      );
    },

    /** Returns the deleted record, or null if there is none. */
    async remove(id: number, tx: Tx): Promise<WebhookRecord | null> {
      const removed = await records
        .findOneAndDelete({ _id: id }, { session: tx.session })
        .lean<WebhookRecord>();
      if (removed) await release([removed.scheduleId], tx);
      return removed;
    },

    /** Deletes the webhooks created by these users, in the transaction that deletes the users. */
    async removeOfUsers(userIds: readonly number[], tx: Tx): Promise<void> {
      const theirs = { 'createdBy.userId': { $in: [...userIds] } };
      const removed = await records
        .find(theirs, { scheduleId: 1 }, { session: tx.session })
        .lean<Pick<WebhookRecord, 'scheduleId'>[]>();
      await records.deleteMany(theirs, { session: tx.session });
      await release(
        removed.map(({ scheduleId }) => scheduleId),
        tx,
      );
    },

    /** Deletes the webhooks of these schedules, in the transaction that deletes the schedules. */
    async removeOfSchedules(scheduleIds: readonly number[], tx: Tx): Promise<void> {
      await records.deleteMany({ scheduleId: { $in: [...scheduleIds] } }, { session: tx.session });
    },

    /**
     * Recomputes hashes that were made with another key. Call at start, after the vault is
     * unlocked.
     */
    async rehash(): Promise<void> {
      for (;;) {
        const old = await records
          .find({ hashKey: { $ne: tokens.keyId } })
          .limit(AT_ONCE)
          .lean<WebhookRecord[]>();
        if (old.length === 0) return;
        await records.bulkWrite(
          old.map((record) => ({
            updateOne: {
              filter: { _id: record._id },
              update: {
                $set: { tokenHash: tokens.hash(tokenOf(record)) ?? '', hashKey: tokens.keyId },
              },
            },
          })),
        );
      }
    },

    sealing: sealedRecords({ store, vault, records, contextOf: sealingOf }) satisfies SealedValues,
  };
}
