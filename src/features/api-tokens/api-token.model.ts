import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

export interface ApiTokenRecord {
  readonly _id: number;
  readonly userId: number;
  readonly name: string;
  /** SHA-256 of the token, base64url. The token itself is not stored. */
  readonly hash: string;
  /** First characters of the token, to recognise it. */
  readonly prefix: string;
  /** `USER:READ`, or `admin`. */
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Up to a minute behind. */
  readonly lastUsedAt: Date | null;
  readonly lastAddress: string | null;
}

const apiTokenSchema = schemaOf<ApiTokenRecord>({
  _id: Number,
  userId: Number,
  name: String,
  hash: String,
  prefix: String,
  scopes: [String],
  createdAt: Date,
  expiresAt: Date,
  lastUsedAt: orNull(Date),
  lastAddress: orNull(String),
});
apiTokenSchema.index({ hash: 1 }, { unique: true });
apiTokenSchema.index({ userId: 1, _id: -1 });

export const apiTokenCollection = (store: Store) =>
  store.collection<ApiTokenRecord>('ApiToken', apiTokenSchema, 'api_tokens');

/** An API token without its hash. */
export interface ApiToken extends Omit<ApiTokenRecord, '_id' | 'hash'> {
  readonly id: number;
}

export const toApiToken = ({ _id: id, hash: _hash, ...token }: ApiTokenRecord): ApiToken => ({
  id,
  ...token,
});
