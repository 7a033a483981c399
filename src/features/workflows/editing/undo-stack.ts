import { ObjectId } from 'bson';
import type { Collection } from '../../../platform/store/collection';
import { orMissing, partOf, schemaOf } from '../../../platform/store/schema';
import type { Store, Tx } from '../../../platform/store/store';
import { packJson, partIds, unpackJson } from '../document/packed-json';
import type { PackedJson, StoredPart } from '../document/packed-json';
import type { WorkflowDocument } from '../document/workflow-document';
import type { ContentPartRecord, ContentRef, WorkflowRecord } from '../workflow.model';
import { applyInverse, computeInverse } from './change';
import type { Inverse } from './change';

/** Number of saves per workflow that can be undone; older ones are dropped now and then. */
const MAX_UNDOS = 200;
/** Number of saves after which the oldest are dropped: each time, all rows of the workflow are read. */
const PRUNE_INTERVAL = 16;
/** Maximum compressed size of the undo data of a workflow, bytes; the oldest are dropped first. */
const MAX_UNDO_BYTES = 64 * 1024 * 1024;
/** Maximum compressed size of an inverse that is stored in its row, bytes. */
const MAX_INLINE_BYTES = 16 * 1024;

/** The inverse of one save of a workflow: of an undone save, the inverse of its undo. */
export interface UndoRecord {
  /** 24 hex digits; also the prefix of the ids of its parts. */
  readonly _id: string;
  readonly workflowId: number;
  /** The workflow version that the save created. */
  readonly version: number;
  /** SHA-256 of the JSON text to which the inverse applies. */
  readonly fits: string;
  readonly inverse: ContentRef;
  /** The inverse if it is small; it has no parts then. */
  readonly inline?: Buffer;
  /** Compressed size of the inverse. */
  readonly bytes: number;
  /** True if it redoes an undone save. */
  readonly redo?: boolean;
}

/** What an inverse does: undo a save, or redo an undone one. */
export type UndoKind = 'undo' | 'redo';

const undoSchema = schemaOf<UndoRecord>({
  _id: String,
  workflowId: Number,
  version: Number,
  fits: String,
  inverse: partOf<ContentRef>({ id: String, parts: Number, hash: String }),
  inline: orMissing(Buffer),
  bytes: Number,
  redo: orMissing(Boolean),
});
undoSchema.index({ workflowId: 1, version: -1 });
// Each save looks for undone saves.
undoSchema.index({ workflowId: 1, redo: 1, version: -1 });

const undoPartSchema = schemaOf<ContentPartRecord>({ _id: String, bytes: Buffer });

/**
 * The inverses of saves and of undos, newest first. They contain secrets: never return them to a
 * client except as part of a document.
 */
export class UndoStack {
  private readonly undos: Collection<UndoRecord>;
  private readonly parts: Collection<ContentPartRecord>;

  constructor(store: Store) {
    this.undos = store.collection<UndoRecord>('WorkflowUndo', undoSchema, 'workflow_undos');
    this.parts = store.collection<ContentPartRecord>(
      'WorkflowUndoPart',
      undoPartSchema,
      'workflow_undo_parts',
    );
  }

  /** Computes and compresses the inverse of a save; null if it changed nothing. */
  async pack(before: WorkflowDocument, after: WorkflowDocument): Promise<PackedJson | null> {
    const inverse = computeInverse(before, after);
    return inverse && packJson(new ObjectId().toHexString(), inverse);
  }

  /** Adds the inverse of a save, after which undone saves can no longer be redone. */
  async push(saved: WorkflowRecord, packed: PackedJson | null, tx: Tx): Promise<void> {
    const ended = { workflowId: saved._id, redo: true };
    await this.remove(await this.undos.find(ended, { tx, fields: { inline: 0 } }), tx);
    await this.insert(saved, packed, {}, tx);
  }

  /** Replaces an inverse that was applied by the one that reverts this. */
  async exchange(
    applied: UndoRecord,
    saved: WorkflowRecord,
    packed: PackedJson | null,
    tx: Tx,
  ): Promise<void> {
    await this.remove([applied], tx);
    await this.insert(saved, packed, applied.redo ? {} : { redo: true }, tx);
  }

  private async insert(
    { _id: workflowId, version, content }: WorkflowRecord,
    packed: PackedJson | null,
    kind: Pick<UndoRecord, 'redo'>,
    tx: Tx,
  ): Promise<void> {
    if (!packed) return;
    const bytes = packed.parts.reduce((sum, part) => sum + part.bytes.length, 0);
    const row = { _id: packed.ref.id, workflowId, version, fits: content.hash, bytes, ...kind };
    if (bytes <= MAX_INLINE_BYTES) {
      const inline = Buffer.concat(packed.parts.map((part) => part.bytes));
      await this.undos.insert({ ...row, inverse: { ...packed.ref, parts: 0 }, inline }, tx);
      return;
    }
    await this.parts.insertMany(packed.parts, tx);
    await this.undos.insert({ ...row, inverse: packed.ref }, tx);
    if (bytes > MAX_UNDO_BYTES / MAX_UNDOS) await this.prune(workflowId, tx);
  }

  /** Call after each save: drops the oldest inverses now and then. */
  async pruneAfter({ _id, version }: WorkflowRecord, tx: Tx): Promise<void> {
    if (version % PRUNE_INTERVAL === 0) await this.prune(_id, tx);
  }

  /** Returns the inverse that applies to the current document; null if there is none. */
  async latest(
    { _id: workflowId, content }: WorkflowRecord,
    kind: UndoKind,
  ): Promise<UndoRecord | null> {
    const row = await this.undos.findOne(rowsOf(workflowId, kind), { sort: { version: -1 } });
    return row?.fits === content.hash ? row : null;
  }

  /** Returns whether there is an inverse that applies to the current document. */
  async has({ _id: workflowId, content }: WorkflowRecord, kind: UndoKind): Promise<boolean> {
    const row = await this.undos.findOne<Pick<UndoRecord, 'fits'>>(rowsOf(workflowId, kind), {
      sort: { version: -1 },
      fields: { fits: 1 },
    });
    return row?.fits === content.hash;
  }

  /** Returns the other document, byte for byte; null if its inverse was removed concurrently. */
  async readPrevious(after: WorkflowDocument, undo: UndoRecord): Promise<WorkflowDocument | null> {
    const parts = await this.partsOf(undo);
    if (!parts) return null;
    const inverse = (await unpackJson(parts)).value as Inverse;
    return applyInverse(after, inverse) as WorkflowDocument;
  }

  async remove(rows: readonly Pick<UndoRecord, '_id' | 'inverse'>[], tx: Tx): Promise<void> {
    if (rows.length === 0) return;
    await this.undos.deleteMany({ _id: { $in: rows.map((row) => row._id) } }, tx);
    const parts = rows.flatMap((row) => partIds(row.inverse));
    if (parts.length > 0) await this.parts.deleteMany({ _id: { $in: parts } }, tx);
  }

  /** Deletes the undo data of a workflow that is deleted. */
  async discardAll(workflowId: number, tx: Tx): Promise<void> {
    await this.remove(await this.list(workflowId, tx), tx);
  }

  /** Drops the oldest inverses if there are too many. */
  private async prune(workflowId: number, tx: Tx): Promise<void> {
    let total = 0;
    const surplus = (await this.list(workflowId, tx)).filter(
      (row, nth) => (total += row.bytes) > MAX_UNDO_BYTES || nth >= MAX_UNDOS,
    );
    await this.remove(surplus, tx);
  }

  /** The compressed inverse; null if it was removed concurrently. */
  private async partsOf({ inline, inverse }: UndoRecord): Promise<StoredPart[] | null> {
    if (inline) return [{ _id: inverse.id, bytes: inline }];
    const ids = partIds(inverse);
    const rows = await this.parts.find<StoredPart>({ _id: { $in: ids } });
    const parts = ids.flatMap((id) => rows.find(({ _id }) => _id === id) ?? []);
    return parts.length === ids.length ? parts : null;
  }

  private list(workflowId: number, tx: Tx): Promise<Omit<UndoRecord, 'inline'>[]> {
    return this.undos.find({ workflowId }, { tx, sort: { version: -1 }, fields: { inline: 0 } });
  }
}

const rowsOf = (workflowId: number, kind: UndoKind): object => ({
  workflowId,
  redo: kind === 'redo' ? true : null,
});
