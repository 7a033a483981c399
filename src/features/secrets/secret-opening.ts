import type { Model } from 'mongoose';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import type { NamedSecret } from '../../platform/secrets';
import type { Store } from '../../platform/store/store';
import { publicSuffixOf } from './public-suffix';
import type { SecretRecord } from './secret.model';

/** What a sealed value belongs to: it opens there only. */
export const sealingOf = (id: number): string => `secret:${id}`;

/** Wildcards over a public suffix could be stored once. They are kept to be seen and corrected, and no run sends a secret there. */
const isUsable = (origin: string): boolean => publicSuffixOf(origin) === null;

/** Where values are opened: for runs, and to be sealed with another key. */
export function createSecretOpening({
  store,
  vault,
  secrets,
}: {
  store: Store;
  vault: Vault;
  secrets: Model<SecretRecord>;
}) {
  return {
    /**
     * The secrets with these keys, by key, with their values: for a run that names them, and for nothing else. Those that are not there are missing.
     * @throws SealBroken one of them cannot be opened
     */
    async open(keys: readonly string[]): Promise<Map<string, NamedSecret>> {
      if (keys.length === 0) return new Map();
      const records = await secrets.find({ nameKey: { $in: [...keys] } }).lean<SecretRecord[]>();
      return new Map(
        records.map(({ _id, name, nameKey, sealed, origins }) => [
          nameKey,
          { name, value: vault.open(sealed, sealingOf(_id)), origins: origins.filter(isUsable) },
        ]),
      );
    },

    ...sealedRecords({ store, vault, records: secrets, contextOf: sealingOf }),
  };
}
