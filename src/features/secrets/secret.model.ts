import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/vault';
import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** A value that workflow steps use by name. */
export interface SecretRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded and unique. Workflows refer to it. */
  readonly nameKey: string;
  /** Purpose, as a description for users. */
  readonly note: string | null;
  /** The encrypted value. Only runs decrypt it. */
  readonly sealed: Sealed;
  /**
   * Origins that it may be sent to, normalised by `normalOrigin`, without duplicates, in input
   * order.
   */
  readonly origins: readonly string[];
  /**
   * Incremented when a workflow that uses it is saved, so that a concurrent deletion conflicts
   * (docs/adr/0010).
   */
  readonly claims: number;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

const secretSchema = schemaOf<SecretRecord>({
  _id: Number,
  name: String,
  nameKey: String,
  note: orNull(String),
  sealed: sealedPart,
  origins: [String],
  claims: Number,
  version: Number,
});
secretSchema.index({ nameKey: 1 }, { unique: true });
secretSchema.index({ 'sealed.keyId': 1, _id: 1 });

export const secretCollection = (store: Store) =>
  store.collection<SecretRecord>('Secret', secretSchema, 'secrets');
