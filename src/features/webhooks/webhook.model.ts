import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/sealed';
import { orMissing, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { ApiToken } from '../api-tokens/api-token.model';
import type { Author } from '../workflows/workflow.model';

/** A secret URL that starts a schedule without signing in. */
export interface WebhookRecord {
  readonly _id: number;
  /** Unique: a schedule has at most one webhook. */
  readonly scheduleId: number;
  /** Hash of the token with the key `hashKey`; unique. Calls look up the webhook by it. */
  readonly tokenHash: string;
  /** Id of that key: hashes are recomputed if another key is configured. */
  readonly hashKey: string;
  /** The encrypted token: its URL must be shown again. */
  readonly sealed: Sealed;
  readonly createdAt: Date;
  /** Deleting or disabling this user deletes the webhook. */
  readonly createdBy: Author;
  /** The API token it was created with. The webhook ends with it. */
  readonly apiTokenId?: number;
}

const webhookSchema = schemaOf<WebhookRecord>({
  _id: Number,
  scheduleId: Number,
  tokenHash: String,
  hashKey: String,
  sealed: sealedPart,
  createdAt: Date,
  createdBy: partOf<Author>({ userId: Number, email: String }),
  apiTokenId: orMissing(Number),
});
webhookSchema.index({ scheduleId: 1 }, { unique: true });
webhookSchema.index({ tokenHash: 1 }, { unique: true });
webhookSchema.index({ 'createdBy.userId': 1, _id: 1 });
webhookSchema.index({ apiTokenId: 1, _id: 1 });
webhookSchema.index({ hashKey: 1, _id: 1 });
webhookSchema.index({ 'sealed.keyId': 1, _id: 1 });

export const webhookCollection = (store: Store) =>
  store.collection<WebhookRecord>('Webhook', webhookSchema, 'webhooks');

/** A webhook with its secret, and the API token it was created with, if any. */
export interface ShownWebhook extends Pick<WebhookRecord, '_id'> {
  readonly token: string;
  readonly apiToken: Pick<ApiToken, 'id' | 'name' | 'expiresAt'> | null;
}
