import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { Store } from '../store/store';
import type { SealedValues } from './rekey';
import type { Sealed } from './sealed';
import type { Vault } from './vault';

/** A record with one encrypted text. */
interface SealedRecord {
  readonly _id: number;
  readonly sealed: Sealed;
}

export interface SealedRecordsDependencies<R extends SealedRecord> {
  readonly store: Store;
  readonly vault: Vault;
  /** Collection with an index on `sealed.keyId`. */
  readonly records: Model<R>;
  /** Context of the encrypted text of a record; see `Vault.seal`. */
  readonly contextOf: (id: number) => string;
}

/** Key usage and re-encryption for a collection with encrypted texts. */
export function sealedRecords<R extends SealedRecord>({
  store,
  vault,
  records,
  contextOf,
}: SealedRecordsDependencies<R>): SealedValues {
  const sealedOtherwise = (keys: readonly string[], id?: number): QueryFilter<SealedRecord> => ({
    ...(id !== undefined && { _id: id }),
    'sealed.keyId': { $nin: [...keys] },
  });
  const first = (filter: QueryFilter<SealedRecord>) =>
    records.findOne(filter as QueryFilter<R>, { sealed: 1 });

  return {
    async keysInUse() {
      const keys: string[] = [];
      for (;;) {
        const other = await first(sealedOtherwise(keys)).lean<SealedRecord>();
        if (!other) return keys;
        keys.push(other.sealed.keyId);
      }
    },

    async resealNext(keyId) {
      const next = await first(sealedOtherwise([keyId])).lean<SealedRecord>();
      if (!next) return false;
      await store.transaction(async ({ session }) => {
        const record = await first(sealedOtherwise([keyId], next._id))
          .session(session)
          .lean<SealedRecord>();
        if (!record) return;
        const context = contextOf(record._id);
        const set: UpdateQuery<SealedRecord> = {
          $set: { sealed: vault.seal(vault.open(record.sealed, context), context) },
        };
        await records.updateOne({ _id: record._id } as QueryFilter<R>, set, { session });
      });
      return true;
    },
  };
}
