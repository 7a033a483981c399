import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/sealed';
import { orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Channel, DeliveryErrorCode, DeliveryState, Purpose } from './delivery.events';

export interface DeliveryError {
  readonly code: DeliveryErrorCode;
  readonly message: string;
}

/** A message in the outbox. What it says is stored separately, until it is sent. */
export interface DeliveryRecord {
  readonly _id: number;
  readonly channel: Channel;
  readonly purpose: Purpose;
  /** An e-mail address, or the origin of a webhook: its path is a secret. */
  readonly recipient: string;
  readonly subject: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it is tried next; during an attempt, when others may take it over. Null at the end. */
  readonly nextAttemptAt: Date | null;
  /** Identifies the attempt that is going on. */
  readonly claim: string | null;
  /** Of the last attempt. */
  readonly error: DeliveryError | null;
  readonly messageId: string;
  readonly scheduleId?: number;
  readonly runId?: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Given up if it is not sent until then. */
  readonly expiresAt: Date;
}

const deliverySchema = schemaOf<DeliveryRecord>({
  _id: Number,
  channel: String,
  purpose: String,
  recipient: String,
  subject: String,
  state: String,
  attempts: Number,
  nextAttemptAt: orNull(Date),
  claim: orNull(String),
  error: orNull(partOf<DeliveryError>({ code: String, message: String })),
  messageId: String,
  scheduleId: orMissing(Number),
  runId: orMissing(Number),
  createdAt: Date,
  finishedAt: orNull(Date),
  expiresAt: Date,
});
deliverySchema.index({ channel: 1, state: 1, nextAttemptAt: 1, _id: 1 });
deliverySchema.index({ finishedAt: 1, _id: 1 });
deliverySchema.index({ createdAt: 1, _id: 1 });
for (const field of ['state', 'scheduleId', 'channel', 'purpose'])
  deliverySchema.index({ [field]: 1, createdAt: 1, _id: 1 });

export const deliveryCollection = (store: Store) =>
  store.collection<DeliveryRecord>('Delivery', deliverySchema, 'deliveries');

/** What is sent, and where to. */
export interface DeliveryContent {
  /** An e-mail address, or the whole URL of a webhook. */
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** The content of a delivery, sealed: it may contain a link that sets a password. */
export interface DeliveryContentRecord {
  readonly _id: number;
  readonly sealed: Sealed;
  readonly createdAt: Date;
}

const contentSchema = schemaOf<DeliveryContentRecord>({
  _id: Number,
  sealed: sealedPart,
  createdAt: Date,
});
contentSchema.index({ createdAt: 1, _id: 1 });
contentSchema.index({ 'sealed.keyId': 1 });

export const deliveryContentCollection = (store: Store) =>
  store.collection<DeliveryContentRecord>('DeliveryContent', contentSchema, 'delivery_contents');

export const deliveryContext = (id: number): string => `delivery:${id}`;
