import { Schema } from 'mongoose';

/** One change: who did what to what, and what it looked like before and after, with secrets masked. */
export interface AuditRecord {
  readonly _id: number;
  readonly at: Date;
  readonly actor: { readonly userId: number; readonly email: string };
  /** `user.create`, `group.components`: the noun, then what happened to it. */
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly requestId: string;
  /** What the client called the request. */
  readonly clientRequestId: string | null;
  /** Names what happened and the minute, where what happens again in it is only counted. */
  readonly minuteKey?: string;
}

export const auditSchema = new Schema<AuditRecord>(
  {
    _id: { type: Number, required: true },
    at: { type: Date, required: true },
    actor: { userId: { type: Number, required: true }, email: { type: String, required: true }, _id: false },
    action: { type: String, required: true },
    target: { type: { type: String, required: true }, id: { type: String, required: true }, _id: false },
    before: { type: Schema.Types.Mixed, default: null },
    after: { type: Schema.Types.Mixed, default: null },
    requestId: { type: String, required: true },
    clientRequestId: { type: String, default: null },
    minuteKey: String,
  },
  { versionKey: false, minimize: false, strict: 'throw' },
);
auditSchema.index({ at: -1, _id: -1 });
auditSchema.index({ 'target.type': 1, 'target.id': 1, _id: -1 });
auditSchema.index({ 'actor.userId': 1, _id: -1 });
auditSchema.index({ minuteKey: 1 }, { unique: true, partialFilterExpression: { minuteKey: { $exists: true } } });
