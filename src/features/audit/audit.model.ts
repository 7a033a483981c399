import { Mixed, orMissing, orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { AuditAction, AuditTargetType } from './audit.actions';

/** One change, with the states before and after it. Secrets are masked. */
export interface AuditRecord {
  readonly _id: number;
  readonly at: Date;
  readonly actor: { readonly userId: number; readonly email: string };
  /** Noun first: `user.create`, `group.components`. */
  readonly action: AuditAction;
  readonly target: { readonly type: AuditTargetType; readonly id: string };
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly requestId: string;
  /** The request id that the client sent. */
  readonly clientRequestId: string | null;
  /** Unique key of event and minute; repeated events within the minute only increase a count. */
  readonly minuteKey?: string;
}

/**
 * Fields that records are filtered by in addition to time. Each has an index that ends with time
 * and id, the order of the list.
 */
const LOOKUPS: readonly (readonly string[])[] = [
  [],
  ['actor.userId'],
  ['actor.email'],
  ['action'],
  ['target.type'],
  ['target.type', 'target.id'],
  ['requestId'],
  ['actor.userId', 'action'],
];

const actor = partOf<AuditRecord['actor']>({ userId: Number, email: String });
const target = partOf<AuditRecord['target']>({ type: String, id: String });

const auditSchema = schemaOf<AuditRecord>({
  _id: Number,
  at: Date,
  actor,
  action: String,
  target,
  before: orNull(Mixed),
  after: orNull(Mixed),
  requestId: String,
  clientRequestId: orNull(String),
  minuteKey: orMissing(String),
});
for (const fields of LOOKUPS)
  auditSchema.index({ ...Object.fromEntries(fields.map((field) => [field, 1])), at: -1, _id: -1 });
auditSchema.index(
  { minuteKey: 1 },
  { unique: true, partialFilterExpression: { minuteKey: { $exists: true } } },
);

export const auditCollection = (store: Store) =>
  store.collection<AuditRecord>('AuditEvent', auditSchema, 'audit_events');
