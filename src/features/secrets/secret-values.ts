import type { SealedValues } from '../../platform/crypto/sealed-records';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Sealed } from '../../platform/crypto/sealed';
import type { Vault } from '../../platform/crypto/vault';
import type { NamedSecret } from '../../platform/secrets';
import type { Collection } from '../../platform/store/collection';
import type { Store } from '../../platform/store/store';
import { secretCollection } from './secret.model';
import type { SecretRecord } from './secret.model';
import { publicSuffixOf } from './secret.rules';

/** Encryption context: a value can be decrypted only for its own record. */
const contextOf = (id: number): string => `secret:${id}`;

/** Encrypts and decrypts the values of secrets. */
export class SecretValues implements SealedValues {
  private readonly secrets: Collection<SecretRecord>;
  private readonly sealed: SealedValues;

  constructor(
    store: Store,
    private readonly vault: Vault,
  ) {
    this.secrets = secretCollection(store);
    this.sealed = sealedRecords({ store, vault, records: this.secrets, contextOf });
  }

  seal(value: string, id: number): Sealed {
    return this.vault.seal(value, contextOf(id));
  }

  /**
   * Returns the existing secrets with these keys and their values. Only for a run that uses them.
   * Wildcards directly below a public suffix, stored by earlier versions, are left out.
   * @param keys folded names
   * @throws SealBroken a value cannot be decrypted
   */
  async open(keys: readonly string[]): Promise<Map<string, NamedSecret>> {
    if (keys.length === 0) return new Map();
    const records = await this.secrets.find({ nameKey: { $in: [...keys] } });
    return new Map(
      records.map(({ _id, name, nameKey, sealed, origins }) => [
        nameKey,
        {
          name,
          value: this.vault.open(sealed, contextOf(_id)),
          origins: origins.filter((origin) => publicSuffixOf(origin) === null),
        },
      ]),
    );
  }

  keysInUse(): Promise<readonly string[]> {
    return this.sealed.keysInUse();
  }

  countOthers(keyId: string): Promise<number> {
    return this.sealed.countOthers(keyId);
  }

  resealNext(keyId: string): Promise<boolean> {
    return this.sealed.resealNext(keyId);
  }
}
