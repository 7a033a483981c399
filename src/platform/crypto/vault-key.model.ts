import { orNull, schemaOf } from '../store/schema';
import type { Store } from '../store/store';
import { sealedPart } from './sealed';
import type { Sealed } from './sealed';

/** Source of a key: the configured master password, or the generated file in the data directory. */
export type KeySource = 'password' | 'file';

/** Stored data of a key, without the key itself. */
export interface VaultKeyRecord {
  /** Id in encrypted texts: `password-1`. */
  readonly _id: string;
  readonly source: KeySource;
  /** Salt for scrypt. */
  readonly salt: string;
  /** A known text encrypted with the key, to check a password. */
  readonly proof: Sealed;
  /** The key encrypted with other keys: during a key change, each key opens all values. */
  readonly wraps: readonly Sealed[];
  /** Id of the key that all values were moved to; this key no longer encrypts. */
  readonly replacedBy: string | null;
}

const vaultKeySchema = schemaOf<VaultKeyRecord>({
  _id: String,
  source: String,
  salt: String,
  proof: sealedPart,
  wraps: [sealedPart],
  replacedBy: orNull(String),
});

export const vaultKeyModel = (store: Store) =>
  store.model<VaultKeyRecord>('VaultKey', vaultKeySchema, 'vault_keys');
