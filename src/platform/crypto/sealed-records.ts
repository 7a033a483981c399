import type { Collection, Filter, Update } from '../store/collection';
import type { Store, Tx } from '../store/store';
import type { Sealed } from './sealed';
import type { Vault, VaultKeys } from './vault';

/** Values of one feature that are encrypted with the vault. */
export interface SealedValues {
  /** Ids of the keys that encrypt them. */
  keysInUse(): Promise<readonly string[]>;
  /** Number of records that use another key. */
  countOthers(keyId: string): Promise<number>;
  /** Re-encrypts one record that uses another key, in one write. Returns false if there is none. */
  resealNext(keyId: string): Promise<boolean>;
}

/** Ids of the keys in use by any feature. */
export async function keysInUse(features: readonly SealedValues[]): Promise<string[]> {
  return [...new Set((await Promise.all(features.map((feature) => feature.keysInUse()))).flat())];
}

/** How far a key change is. */
interface RekeyProgress {
  readonly done: number;
  readonly total: number;
}

interface RekeyOptions {
  /** Called after each record; throws to stop the key change. */
  readonly report?: (progress: RekeyProgress) => void;
  /** Writes more in the final transaction; gets the number of re-encrypted records. */
  readonly also?: (records: number, tx: Tx) => Promise<void>;
}

/**
 * Re-encrypts all values with the key of a new master password (null: of the key file), record by
 * record, while the service runs. Can be interrupted and repeated: until it completes, both the old
 * and the new password open all values; only then does the old password become useless.
 * @returns the number of re-encrypted records
 */
export async function rekey(
  vault: VaultKeys,
  features: readonly SealedValues[],
  masterPassword: string | null,
  { report, also }: RekeyOptions = {},
): Promise<number> {
  await vault.changeTo(masterPassword);
  const { keyId } = vault;
  const counts = await Promise.all(features.map((feature) => feature.countOthers(keyId)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let records = 0;
  for (const feature of features) {
    while (await feature.resealNext(keyId)) {
      records += 1;
      // A process with the previous key may add records during the change.
      report?.({ done: records, total: Math.max(records, total) });
    }
  }
  const left = (await keysInUse(features)).filter((id) => id !== keyId);
  if (left.length > 0)
    throw new Error(
      `Values sealed with ${left.join(', ')} came while the key was changed: another process still uses it. Change the key again once it has stopped.`,
    );
  await vault.changeDone((tx) => also?.(records, tx) ?? Promise.resolve());
  return records;
}

/** A record with one encrypted text. */
interface SealedRecord<Id extends number | string = number | string> {
  readonly _id: Id;
  readonly sealed: Sealed;
}

interface SealedRecordsDependencies<R extends SealedRecord> {
  readonly store: Store;
  readonly vault: Vault;
  /** Collection with an index on `sealed.keyId`. */
  readonly records: Collection<R>;
  /** Context of the encrypted text of a record; see `Vault.seal`. */
  readonly contextOf: (id: R['_id']) => string;
}

/** Key usage and re-encryption for a collection with encrypted texts. */
export function sealedRecords<R extends SealedRecord>({
  store,
  vault,
  records,
  contextOf,
}: SealedRecordsDependencies<R>): SealedValues {
  const sealedOtherwise = (keys: readonly string[], id?: R['_id']): Filter<SealedRecord> => ({
    ...(id !== undefined && { _id: id }),
    'sealed.keyId': { $nin: [...keys] },
  });
  const first = (filter: Filter<SealedRecord>, tx?: Tx) =>
    records.findOne<SealedRecord>(filter, {
      fields: { sealed: 1 },
      tx,
    });

  return {
    async keysInUse() {
      const keys: string[] = [];
      for (;;) {
        const other = await first(sealedOtherwise(keys));
        if (!other) return keys;
        keys.push(other.sealed.keyId);
      }
    },

    countOthers(keyId) {
      return records.count(sealedOtherwise([keyId]));
    },

    async resealNext(keyId) {
      const next = await first(sealedOtherwise([keyId]));
      if (!next) return false;
      await store.transaction(async (tx) => {
        const record = await first(sealedOtherwise([keyId], next._id), tx);
        if (!record) return;
        const context = contextOf(record._id);
        const set: Update<SealedRecord> = {
          $set: { sealed: vault.seal(vault.open(record.sealed, context), context) },
        };
        await records.updateOne({ _id: record._id }, set, tx);
      });
      return true;
    },
  };
}
