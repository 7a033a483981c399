import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/vault';
import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** A value that steps use by its name. */
export interface SecretRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded; unique. What workflows name it by. */
  readonly nameKey: string;
  /** What it is for, for people. */
  readonly note: string | null;
  /** The value: read by runs and by nobody else. */
  readonly sealed: Sealed;
  /** Where it may be sent to, as `normalOrigin` writes them, each once, in the order of whoever wrote them. */
  readonly origins: readonly string[];
  /** Counts saved workflows that named it: a save writes it, so that a deletion beside it conflicts (docs/adr/0010). */
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

export const secretModel = (store: Store) =>
  store.model<SecretRecord>('Secret', secretSchema, 'secrets');
