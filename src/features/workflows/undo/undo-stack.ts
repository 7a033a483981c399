import { ObjectId } from 'bson';
import { inTurns } from '../../../platform/event-loop';
import { insertRecord } from '../../../platform/store/records';
import type { Store, Tx } from '../../../platform/store/store';
import { packJson, partIds, unpackJson } from '../versions/packed-json';
import type { PackedJson, StoredPart } from '../versions/packed-json';
import type { WorkflowDocument } from '../workflow.document';
import type { ContentPartRecord, WorkflowRecord } from '../workflow.model';
import { inverseOf, inverted } from './inverse';
import type { Inverse } from './inverse';
import type { UndoRecord } from './undo.model';
import { undoPartSchema, undoSchema } from './undo.model';

/** Maximum number of saves per workflow that can be undone. */
export const MOST_UNDOS = 200;
/** Maximum compressed size of the undo data of a workflow, bytes; the oldest are dropped first. */
export const MOST_UNDO_BYTES = 64 * 1024 * 1024;

export type UndoStack = ReturnType<typeof createUndoStack>;

/**
 * The inverses of saves, newest first. They contain secrets: never return them to a client except
 * as part of a document.
 */
export function createUndoStack(store: Store) {
  const undos = store.model<UndoRecord>('WorkflowUndo', undoSchema, 'workflow_undos');
  const parts = store.model<ContentPartRecord>(
    'WorkflowUndoPart',
    undoPartSchema,
    'workflow_undo_parts',
  );

  async function remove(rows: readonly UndoRecord[], tx: Tx): Promise<void> {
    if (rows.length === 0) return;
    await undos.deleteMany({ _id: { $in: rows.map((row) => row._id) } }, { session: tx.session });
    await parts.deleteMany(
      { _id: { $in: rows.flatMap((row) => partIds(row.inverse)) } },
      { session: tx.session },
    );
  }

  const rowsOf = (workflowId: number, tx?: Tx): Promise<UndoRecord[]> =>
    undos
      .find({ workflowId }, null, { session: tx?.session })
      .sort({ version: -1 })
      .lean<UndoRecord[]>();

  return {
    remove,

    /** Computes and compresses the inverse of a save; null if it changed nothing. */
    async pack(before: WorkflowDocument, after: WorkflowDocument): Promise<PackedJson | null> {
      const inverse = await inTurns((turn) => inverseOf(before, after, turn));
      return inverse && packJson(new ObjectId().toHexString(), inverse);
    },

    /** Adds the inverse of a save; drops the oldest if there are too many. */
    async push(
      { _id: workflowId, version, content }: WorkflowRecord,
      packed: PackedJson | null,
      tx: Tx,
    ): Promise<void> {
      if (!packed) return;
      const bytes = packed.parts.reduce((sum, part) => sum + part.bytes.length, 0);
      await parts.insertMany(packed.parts, { session: tx.session });
      await insertRecord<UndoRecord>(
        undos,
        { _id: packed.ref.id, workflowId, version, fits: content.hash, inverse: packed.ref, bytes },
        tx,
      );
      let kept = 0;
      await remove(
        (await rowsOf(workflowId, tx)).filter(
          (row, nth) => (kept += row.bytes) > MOST_UNDO_BYTES || nth >= MOST_UNDOS,
        ),
        tx,
      );
    },

    /** Returns the inverse that applies to the current document; null if there is none. */
    async top({ _id: workflowId, content }: WorkflowRecord): Promise<UndoRecord | null> {
      const row = await undos.findOne({ workflowId }).sort({ version: -1 }).lean<UndoRecord>();
      return row?.fits === content.hash ? row : null;
    },

    /**
     * Returns the previous document, byte for byte; null if its inverse was removed concurrently.
     */
    async before(
      after: WorkflowDocument,
      { inverse: ref }: UndoRecord,
    ): Promise<WorkflowDocument | null> {
      const found = new Map(
        (await parts.find({ _id: { $in: partIds(ref) } }).lean<StoredPart[]>()).map((part) => [
          part._id,
          part,
        ]),
      );
      const stored = partIds(ref).map((id) => found.get(id));
      if (!stored.every((part) => part !== undefined)) return null;
      const inverse = (await unpackJson(stored)).value as Inverse;
      return inTurns((turn) => inverted(after, inverse, turn)) as Promise<WorkflowDocument>;
    },

    /** Deletes the undo data of a workflow that is deleted. */
    async discardAll(workflowId: number, tx: Tx): Promise<void> {
      await remove(await rowsOf(workflowId, tx), tx);
    },
  };
}
