import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/sealed';
import { partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';

/** What starts a schedule for whoever knows its token. */
export interface WebhookRecord {
  readonly _id: number;
  /** Unique: a schedule has one at most. */
  readonly scheduleId: number;
  /** Of the token, with the key `hashKey`; unique. What a call is looked up by. */
  readonly tokenHash: string;
  /** Which key that was, so that hashes are made anew where another one is configured. */
  readonly hashKey: string;
  /** The token, for its URL must be shown again. */
  readonly sealed: Sealed;
  readonly createdAt: Date;
  /** It goes with him. */
  readonly createdBy: Author;
}

const webhookSchema = schemaOf<WebhookRecord>({
  _id: Number,
  scheduleId: Number,
  tokenHash: String,
  hashKey: String,
  sealed: sealedPart,
  createdAt: Date,
  createdBy: partOf<Author>({ userId: Number, email: String }),
});
webhookSchema.index({ scheduleId: 1 }, { unique: true });
webhookSchema.index({ tokenHash: 1 }, { unique: true });
webhookSchema.index({ 'createdBy.userId': 1, _id: 1 });
webhookSchema.index({ hashKey: 1, _id: 1 });
webhookSchema.index({ 'sealed.keyId': 1, _id: 1 });

export const webhookModel = (store: Store) =>
  store.model<WebhookRecord>('Webhook', webhookSchema, 'webhooks');
