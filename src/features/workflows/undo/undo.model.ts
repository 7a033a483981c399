import { partOf, schemaOf } from '../../../platform/store/schema';
import type { ContentPartRecord, ContentRef } from '../workflow.model';

/** The inverse of one save of a workflow. */
export interface UndoRecord {
  /** 24 hex digits; also the prefix of the ids of its parts. */
  readonly _id: string;
  readonly workflowId: number;
  /** The workflow version that the save created. */
  readonly version: number;
  /** SHA-256 of the JSON text to which the inverse applies. */
  readonly fits: string;
  readonly inverse: ContentRef;
  /** Total size of its parts. */
  readonly bytes: number;
}

export const undoSchema = schemaOf<UndoRecord>({
  _id: String,
  workflowId: Number,
  version: Number,
  fits: String,
  inverse: partOf<ContentRef>({ id: String, parts: Number, hash: String }),
  bytes: Number,
});
undoSchema.index({ workflowId: 1, version: -1 });

export const undoPartSchema = schemaOf<ContentPartRecord>({ _id: String, bytes: Buffer });
