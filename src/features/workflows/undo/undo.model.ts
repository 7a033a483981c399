import { partOf, schemaOf } from '../../../platform/store/schema';
import type { ContentPartRecord, ContentRef } from '../workflow.model';

/** What leads back from one save of a workflow. */
export interface UndoRecord {
  /** 24 hex digits; its inverse lies in parts of that name. */
  readonly _id: string;
  readonly workflowId: number;
  /** The version of the workflow that the save made. */
  readonly version: number;
  /** SHA-256 of the JSON text it leads back from. */
  readonly fits: string;
  readonly inverse: ContentRef;
  /** Of all its parts. */
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
