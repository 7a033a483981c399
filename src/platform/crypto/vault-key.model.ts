import { orNull, schemaOf } from '../store/schema';
import type { Store } from '../store/store';
import { sealedPart } from './sealed';
import type { Sealed } from './sealed';

/** Where a key comes from: the configured master password, or the generated file of the data directory. */
export type KeySource = 'password' | 'file';

/** What is stored of a key, which is never the key itself. */
export interface VaultKeyRecord {
  /** What sealed texts call it: `password-1`. */
  readonly _id: string;
  readonly source: KeySource;
  /** Of scrypt. */
  readonly salt: string;
  /** A known text, sealed: whoever has the right key opens it. */
  readonly proof: Sealed;
  /** The key itself, sealed with others: while values go from one key to another, either opens all of them. */
  readonly wraps: readonly Sealed[];
  /** The key that all its values went to: it seals nothing any more. */
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
