import type { Model } from 'mongoose';
import type { Vault } from '../../platform/crypto/vault';
import type { NamedSecret } from '../../platform/secrets';
import type { Store } from '../../platform/store/store';
import type { SecretRecord } from './secret.model';

/** What a sealed value belongs to: it opens there only. */
export const sealingOf = (id: number): string => `secret:${id}`;

/** Where values are opened: for runs, and to be sealed with another key. */
export function createSecretOpening({ store, vault, secrets }: { store: Store; vault: Vault; secrets: Model<SecretRecord> }) {
  return {
    /**
     * The secrets with these keys, by key, with their values: for a run that names them, and for nothing else. Those that are not there are missing.
     * @throws SealBroken one of them cannot be opened
     */
    async open(keys: readonly string[]): Promise<Map<string, NamedSecret>> {
      if (keys.length === 0) return new Map();
      const records = await secrets.find({ nameKey: { $in: [...keys] } }).lean<SecretRecord[]>();
      return new Map(records.map(({ _id, name, nameKey, sealed, origins }) => [nameKey, { name, value: vault.open(sealed, sealingOf(_id)), origins }]));
    },

    /** Ids of the keys that values are sealed with. */
    async keysInUse(): Promise<string[]> {
      const keys: string[] = [];
      for (;;) {
        const other = await secrets.findOne({ 'sealed.keyId': { $nin: keys } }, { sealed: 1 }).lean<Pick<SecretRecord, 'sealed'>>();
        if (!other) return keys;
        keys.push(other.sealed.keyId);
      }
    },

    /** Seals a value anew that is sealed with another key than this one. False: there is none. */
    async resealNext(keyId: string): Promise<boolean> {
      const next = await secrets.findOne({ 'sealed.keyId': { $ne: keyId } }, { _id: 1 }).lean<Pick<SecretRecord, '_id'>>();
      if (!next) return false;
      await store.transaction(async ({ session }) => {
        const record = await secrets.findOne({ _id: next._id, 'sealed.keyId': { $ne: keyId } }, null, { session }).lean<SecretRecord>();
        if (!record) return;
        const context = sealingOf(record._id);
        await secrets.updateOne({ _id: record._id }, { $set: { sealed: vault.seal(vault.open(record.sealed, context), context) } }, { session });
      });
      return true;
    },
  };
}
