import type { Model } from 'mongoose';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import type { NamedSecret } from '../../platform/secrets';
import type { Store } from '../../platform/store/store';
import { publicSuffixOf } from './public-suffix';
import type { SecretRecord } from './secret.model';

/** Encryption context: a value can be decrypted only for its own record. */
export const sealingOf = (id: number): string => `secret:${id}`;

/**
 * Stored wildcards below a public suffix (from earlier versions) stay visible, but runs send no
 * secret there.
 */
const isUsable = (origin: string): boolean => publicSuffixOf(origin) === null;

/** Decrypts values for runs, and re-encrypts them with another key. */
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
     * Returns the existing secrets with these keys and their values. Only for a run that names
     * them.
     * @throws SealBroken if a value cannot be decrypted
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
