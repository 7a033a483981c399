import { partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { RunRecord } from '../runs/run.model';
import type { Author } from '../workflows/workflow.model';

/** Logs of a workflow, packed for support. The record is created after all its parts are stored. */
export interface SupportLogRecord {
  readonly _id: number;
  /** Unique. */
  readonly fileName: string;
  readonly workflowId: number;
  /** The title at the time of packing. */
  readonly workflowTitle: string;
  /** Runs with logs in the file, newest first. */
  readonly runIds: readonly number[];
  /** Bytes. */
  readonly size: number;
  /** Number of parts the file is stored in. */
  readonly parts: number;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly expiresAt: Date;
}

/**
 * `support_3_2026-05-07_15-13_7_f_21.zip`: id of the file, time of packing (UTC), workflow, state
 * and id of its newest run (0 for none). The 5.x client reads the end.
 */
export function supportFileName(
  id: number,
  workflowId: number,
  at: Date,
  newest: Pick<RunRecord, '_id' | 'state'> | undefined,
): string {
  const moment = at.toISOString().slice(0, 16).replace('T', '_').replace(':', '-');
  const state = newest === undefined || newest.state === 'SUCCEEDED' ? 's' : 'f';
  return `support_${id}_${moment}_${workflowId}_${state}_${newest?._id ?? 0}.zip`;
}

/** A part of a support file. */
export interface SupportLogPartRecord {
  /** Id of the file and number of the part: `7/0`. */
  readonly _id: string;
  readonly bytes: Buffer;
  /** The same as that of the file, so that parts left by a crashed process expire as well. */
  readonly expiresAt: Date;
}

const supportLogSchema = schemaOf<SupportLogRecord>({
  _id: Number,
  fileName: String,
  workflowId: Number,
  workflowTitle: String,
  runIds: [Number],
  size: Number,
  parts: Number,
  createdAt: Date,
  createdBy: partOf<Author>({ userId: Number, email: String }),
  expiresAt: Date,
});
supportLogSchema.index({ fileName: 1 }, { unique: true });
supportLogSchema.index({ createdAt: 1, _id: 1 });
supportLogSchema.index({ workflowId: 1, createdAt: 1, _id: 1 });
supportLogSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const supportLogCollection = (store: Store) =>
  store.collection<SupportLogRecord>('SupportLog', supportLogSchema, 'support_logs');

const partSchema = schemaOf<SupportLogPartRecord>({ _id: String, bytes: Buffer, expiresAt: Date });
partSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const supportLogPartCollection = (store: Store) =>
  store.collection<SupportLogPartRecord>('SupportLogPart', partSchema, 'support_log_parts');
