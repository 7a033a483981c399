import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { SealedValues } from '../../platform/crypto/rekey';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import { recordsByIds } from '../../platform/store/by-ids';
import { insertRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { webhookModel } from './webhook.model';
import type { WebhookRecord } from './webhook.model';
import type { WebhookTokens } from './webhook-tokens';

/** Hashes that are made anew in one go. */
const AT_ONCE = 100;

/** What the token belongs to: it opens there only. */
const sealingOf = (id: number): string => `webhook:${id}`;

export type WebhookRecords = ReturnType<typeof createWebhookRecords>;

export interface WebhookRecordsDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly tokens: WebhookTokens;
  /** Of these schedules, in the transaction that removes their webhooks. */
  readonly release: (scheduleIds: readonly number[], tx: Tx) => Promise<void>;
}

/** Webhooks as they are stored. */
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

    /** Null: nobody has this token. */
    async byToken(token: string): Promise<WebhookRecord | null> {
      const tokenHash = tokens.hash(token);
      return tokenHash === null ? null : records.findOne({ tokenHash }).lean<WebhookRecord>();
    },

    /** In the order asked for; null where there is none. */
    byIds: async (ids: readonly number[]): Promise<(WebhookRecord | null)[]> => {
      return recordsByIds(records, ids);
    },

    /** Those of schedules, by schedule: one read for all. */
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

    /** With a token that nobody has had. */
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

    /** The record as it was; null where there was none. */
    async remove(id: number, tx: Tx): Promise<WebhookRecord | null> {
      const removed = await records
        .findOneAndDelete({ _id: id }, { session: tx.session })
        .lean<WebhookRecord>();
      if (removed) await release([removed.scheduleId], tx);
      return removed;
    },

    /** With who made them, in the transaction that deletes these. */
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

    /** With their schedules, in the transaction that deletes these. */
    async removeOfSchedules(scheduleIds: readonly number[], tx: Tx): Promise<void> {
      await records.deleteMany({ scheduleId: { $in: [...scheduleIds] } }, { session: tx.session });
    },

    /** Hashes that were made with another key are made anew. To be called at a start, when the vault is unlocked. */
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
