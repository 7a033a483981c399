import { Schema } from 'mongoose';
import type { RunError } from '../../engine/events';
import type { Author, ContentRef } from '../workflows/workflow.model';
import type { RunStateName } from './run.events';

/** One execution of a workflow. */
export interface RunRecord {
  readonly _id: number;
  readonly workflowId: number;
  /** As it was when the run was queued. */
  readonly workflowTitle: string;
  /** The version snapshot it executes. */
  readonly content: ContentRef;
  /** A test run: hidden from lists unless asked for, never counted, its events carry requests and responses. */
  readonly test: boolean;
  /** The workflow exists for this run only, and goes with its end. */
  readonly temporary: boolean;
  /** Its events carry requests and responses. */
  readonly logging: boolean;
  readonly state: RunStateName;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly startedBy: Author;
  /** Methods that were executed, known at the end. */
  readonly steps: number | null;
  readonly error: RunError | null;
  /** Sequence of the last event, known at the end. */
  readonly lastSequence: number | null;
}

/** What an event is in the store: its own fields as JSON text, because header names may have dots and dollars. */
export interface RunEventRecord {
  readonly runId: number;
  readonly sequence: number;
  readonly at: Date;
  readonly kind: string;
  readonly body: string;
  /** Null: kept as long as the log of the run. */
  readonly expiresAt: Date | null;
}

const author = new Schema<Author>({ userId: { type: Number, required: true }, email: { type: String, required: true } }, { _id: false });
const content = new Schema<ContentRef>(
  { id: { type: String, required: true }, parts: { type: Number, required: true }, hash: { type: String, required: true } }, { _id: false });
const error = new Schema<RunError>(
  { step: { type: String, default: null }, index: { type: String, default: null }, attempt: Number, code: String, message: String }, { _id: false });

export const runSchema = new Schema<RunRecord>(
  {
    _id: { type: Number, required: true },
    workflowId: { type: Number, required: true },
    workflowTitle: { type: String, required: true },
    content: { type: content, required: true },
    test: { type: Boolean, required: true },
    temporary: { type: Boolean, required: true },
    logging: { type: Boolean, required: true },
    state: { type: String, required: true },
    queuedAt: { type: Date, required: true },
    startedAt: { type: Date, default: null },
    finishedAt: { type: Date, default: null },
    startedBy: { type: author, required: true },
    steps: { type: Number, default: null },
    error: { type: error, default: null },
    lastSequence: { type: Number, default: null },
  },
  { versionKey: false, minimize: false },
);
runSchema.index({ state: 1, _id: 1 });
runSchema.index({ workflowId: 1, _id: 1 });
runSchema.index({ test: 1, _id: 1 });

export const runEventSchema = new Schema<RunEventRecord>(
  {
    runId: { type: Number, required: true },
    sequence: { type: Number, required: true },
    at: { type: Date, required: true },
    kind: { type: String, required: true },
    body: { type: String, required: true },
    expiresAt: { type: Date, default: null },
  },
  { versionKey: false },
);
runEventSchema.index({ runId: 1, sequence: 1 }, { unique: true });
runEventSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
