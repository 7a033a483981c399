import type { AggregatedValue } from '../../engine';
import { schemaOf, orNull } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';
import type { RunError } from '../../engine/events';
import type { EventType } from './notification.events';

/** Sends a message at each event of a schedule. */
export interface NotificationRecord {
  readonly _id: number;
  readonly scheduleId: number;
  readonly name: string;
  readonly eventType: EventType;
  readonly templateId: number;
  /** E-mail addresses or URLs of webhooks; empty for the default. */
  readonly recipients: readonly string[];
  readonly version: number;
}

const notificationSchema = schemaOf<NotificationRecord>({
  _id: Number,
  scheduleId: Number,
  name: String,
  eventType: String,
  templateId: Number,
  recipients: [String],
  version: Number,
});
notificationSchema.index({ scheduleId: 1, eventType: 1, _id: 1 });
notificationSchema.index({ templateId: 1 });

export const notificationCollection = (store: Store) =>
  store.collection<NotificationRecord>('Notification', notificationSchema, 'notifications');

/** What messages tell of a run. */
export interface RunFacts {
  readonly runId: number;
  readonly workflowId: number;
  readonly workflowTitle: string;
  readonly state: string;
  readonly error: Pick<RunError, 'code' | 'message' | 'name' | 'index'> | null;
  readonly values: readonly Pick<AggregatedValue, 'argumentId' | 'value'>[];
  readonly startedBy: Author | null;
}

/** An event that messages are to be made of. */
export interface NotificationEventRecord {
  /** Run and type: each event of a run is stored once. */
  readonly _id: string;
  readonly scheduleId: number;
  readonly eventType: EventType;
  readonly at: Date;
  /** `RunFacts` as JSON. */
  readonly facts: string;
}

const eventSchema = schemaOf<NotificationEventRecord>({
  _id: String,
  scheduleId: Number,
  eventType: String,
  at: Date,
  facts: String,
});
eventSchema.index({ at: 1, _id: 1 });

export const notificationEventCollection = (store: Store) =>
  store.collection<NotificationEventRecord>(
    'NotificationEvent',
    eventSchema,
    'notification_events',
  );

/** Events after a message are counted until this time, and told in one message. */
export interface NotificationWindowRecord {
  /** Schedule and notification. */
  readonly _id: string;
  readonly scheduleId: number;
  /** Null: the mail of the configuration about failed runs. */
  readonly notificationId: number | null;
  readonly until: Date;
  /** Events since the last message. */
  readonly count: number;
  /** `RunFacts` of the last of them as JSON; null if there is none. */
  readonly facts: string | null;
}

const windowSchema = schemaOf<NotificationWindowRecord>({
  _id: String,
  scheduleId: Number,
  notificationId: orNull(Number),
  until: Date,
  count: Number,
  facts: orNull(String),
});
windowSchema.index({ until: 1, _id: 1 });
windowSchema.index({ scheduleId: 1 });

export const notificationWindowCollection = (store: Store) =>
  store.collection<NotificationWindowRecord>(
    'NotificationWindow',
    windowSchema,
    'notification_windows',
  );
