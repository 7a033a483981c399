import { authorOf } from '../../../platform/access/actor';
import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import type { Core } from '../../../platform/core';
import { Conflict, Forbidden } from '../../../platform/errors/errors';
import type { Collection } from '../../../platform/store/collection';
import type { InputPath } from '../../../platform/errors/errors';
import type { Tx } from '../../../platform/store/store';
import { uniquely } from '../../../platform/store/store';
import type { AuditAction } from '../../audit/audit.actions';
import type { AuditService } from '../../audit/audit.service';
import type { DocumentFacts } from '../document/document-facts';
import type { ReferenceChecker } from '../references/reference-checker';
import type { UndoStack } from '../editing/undo-stack';
import type { WorkflowChanged } from '../workflow.events';
import { WORKFLOW_TOPIC } from '../workflow.events';
import type { WorkflowDocument } from '../document/workflow-document';
import type { Author, VersionRecord, WorkflowRecord } from '../workflow.model';
import { workflowCollection } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import { temporaryTitleKey, titleKey } from '../document/title';
import { rowAfter, rowOf } from './workflow-row';
import type { DerivedFields } from './workflow-row';
import { workflowNotFound } from '../workflow-reader';
import type { PackedVersion, WorkflowVersions } from '../versions/workflow-versions';

/** PATCHes of the same author within this time are merged into one version. */
const PATCH_MERGE_WINDOW_MS = 5 * 60_000;

/** Options of a save. */
interface ReplaceOptions {
  readonly comment: string | null;
  /** Maximum number of versions to keep. */
  readonly keep: number;
  /** True for the small, frequent saves of an editor. */
  readonly isPatch: boolean;
}

/** Records of a workflow outside of its document. */
interface WorkflowPart {
  removeOf(workflowId: number, tx: Tx): Promise<void>;
}

/** A version that becomes the current one, with its document and the references in it. */
export interface VersionToShow {
  readonly version: VersionRecord;
  readonly document: WorkflowDocument;
  readonly facts: DocumentFacts;
}

/** Writes workflows and their versions in the transaction of the caller. */
export class WorkflowWriter {
  private readonly workflows: Collection<WorkflowRecord>;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly versions: WorkflowVersions;
      readonly references: ReferenceChecker;
      readonly undos: UndoStack;
      /** Stored next to the workflow, and deleted with it. */
      readonly parts: readonly WorkflowPart[];
      readonly audit: AuditService;
    },
  ) {
    this.workflows = workflowCollection(deps.core.store);
  }

  /**
   * Runs a transaction that gives a workflow this title. The unique index prevents duplicates.
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN
   */
  titled<R>(title: string, work: (tx: Tx) => Promise<R>): Promise<R> {
    return uniquely(
      () => this.deps.core.store.transaction(work),
      () => titleTaken(title),
    );
  }

  /**
   * Checks that no workflow other than `id` has this title.
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN
   */
  async requireFree(title: string, id: number | null): Promise<void> {
    const other = await this.workflows.exists({
      titleKey: titleKey(title),
      ...(id === null ? {} : { _id: { $ne: id } }),
    });
    if (other) throw titleTaken(title);
  }

  newId(): Promise<number> {
    return this.deps.core.store.nextId('workflows');
  }

  /** @throws Forbidden it uses named secrets, and the actor may not update workflows */
  async insert(
    actor: Actor,
    id: number,
    packed: PackedVersion,
    { comment, forOneRun }: { readonly comment: string | null; readonly forOneRun: boolean },
    tx: Tx,
  ): Promise<WorkflowRecord> {
    requireMayUse(actor, packed.facts);
    const [now, author] = [this.deps.core.clock.now(), authorOf(actor)];
    const record: WorkflowRecord = {
      _id: id,
      ...rowOf(packed.document, packed.content.ref, packed.facts),
      ...(forOneRun ? { titleKey: temporaryTitleKey(id) } : {}),
      version: 1,
      snapshotId: packed.id,
      createdAt: now,
      createdBy: author,
      updatedAt: now,
      updatedBy: author,
      lastTestRunId: null,
    };
    if (!forOneRun) await this.deps.references.claim(packed.facts, null, tx);
    const inserted = await this.workflows.insert(record, tx);
    const saved = { workflowId: id, number: 1, author, createdAt: now, comment };
    await this.deps.versions.write(packed, { ...saved, patchedAt: null, discarded: forOneRun }, tx);
    return inserted;
  }

  /**
   * Saves the next version, or merges it into the one being patched. The newest `keep` versions are
   * kept.
   * @param before as it was read, possibly before the transaction
   * @throws RecordChanged
   */
  async replace(
    actor: Actor,
    before: WorkflowRecord,
    packed: PackedVersion,
    { comment, keep, isPatch }: ReplaceOptions,
    tx: Tx,
  ): Promise<WorkflowRecord> {
    const { versions } = this.deps;
    const [now, author] = [this.deps.core.clock.now(), authorOf(actor)];
    const patched = isPatch ? await this.versionToPatch(before, author, now, tx) : null;
    const snapshotId = patched?._id ?? packed.id;
    const after = await this.changeRow(
      before,
      rowAfter(before, packed.document, packed.content.ref, packed.facts),
      { snapshotId, updatedAt: now, updatedBy: author },
      tx,
    );
    if (patched) {
      await versions.rewrite(patched, packed, now, tx);
      return after;
    }
    const patchedAt = isPatch ? now : null;
    const saved = { workflowId: before._id, number: after.version, author, createdAt: now };
    await versions.write(packed, { ...saved, comment, patchedAt, discarded: false }, tx);
    // There are at most as many versions as saves.
    if (after.version > keep) await versions.prune(before._id, { keep, current: snapshotId }, tx);
    return after;
  }

  /** Makes an existing version the current one. */
  pointTo(
    actor: Actor,
    before: WorkflowRecord,
    { version, document, facts }: VersionToShow,
    tx: Tx,
  ): Promise<WorkflowRecord> {
    return this.changeRow(
      before,
      rowAfter(before, document, version.content, facts),
      {
        snapshotId: version._id,
        updatedAt: this.deps.core.clock.now(),
        updatedBy: authorOf(actor),
      },
      tx,
    );
  }

  /**
   * Writes the workflow row, so that this transaction conflicts with others that change or delete
   * the workflow.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async claim(id: number, tx: Tx, path?: InputPath): Promise<WorkflowRecord> {
    const record = await this.workflows.findOneAndUpdate(
      { _id: id },
      { $inc: { partChanges: 1 } },
      { tx },
    );
    if (!record) throw workflowNotFound(id, path);
    return record;
  }

  /** Deletes a workflow with its versions, except snapshots that runs still need. */
  async remove(id: number, tx: Tx): Promise<void> {
    await this.workflows.deleteOne({ _id: id }, tx);
    await this.deps.versions.discardAll(id, tx);
    await this.deps.undos.discardAll(id, tx);
    for (const part of this.deps.parts) await part.removeOf(id, tx);
  }

  /** Publishes the change after the commit. */
  announce(workflowId: number, change: WorkflowChanged['change'], tx: Tx): void {
    const { bus } = this.deps.core;
    tx.afterCommit(() => bus.publish<WorkflowChanged>(WORKFLOW_TOPIC, { workflowId, change }));
  }

  /**
   * Records a change in the audit, and publishes it after the commit.
   * @param before null: the workflow is new
   * @param after  null: it is deleted
   */
  async record(
    actor: Actor,
    action: AuditAction,
    id: number,
    [before, after]: readonly [before: object | null, after: object | null],
    tx: Tx,
  ): Promise<void> {
    await this.deps.audit.record(actor, action, { type: 'Workflow', id }, before, after, tx);
    const kind = before === null ? 'created' : after === null ? 'deleted' : 'updated';
    this.announce(id, kind, tx);
  }

  private async changeRow(
    before: WorkflowRecord,
    derived: DerivedFields,
    saved: Pick<WorkflowRecord, 'snapshotId' | 'updatedAt' | 'updatedBy'>,
    tx: Tx,
  ): Promise<WorkflowRecord> {
    await this.deps.references.claim(derived, before, tx);
    const { _id: id, version, categoryId } = before;
    const after = await this.workflows.change(
      id,
      { ...derived, version: version + 1, ...saved },
      tx,
      { expected: { version, categoryId } },
    );
    await this.deps.undos.pruneAfter(after, tx);
    return after;
  }

  /**
   * The version into which a PATCH of this author is merged: the newest one, if they patched it
   * recently.
   */
  private async versionToPatch(
    { snapshotId }: WorkflowRecord,
    author: Author,
    now: Date,
    tx: Tx,
  ): Promise<VersionRecord | null> {
    const version = await this.deps.versions.byId(snapshotId, tx);
    if (!version?.patchedAt || version.discarded || version.author.userId !== author.userId)
      return null;
    if (now.getTime() - version.patchedAt.getTime() > PATCH_MERGE_WINDOW_MS) return null;
    return (await this.deps.versions.isNewest(version, tx)) ? version : null;
  }
}

/**
 * Named secrets may only be used by actors who may change workflows; the right to create is not
 * enough.
 */
function requireMayUse(actor: Actor, { secrets }: DocumentFacts): void {
  if (secrets.length === 0 || allows(workflowPolicy.update, actor)) return;
  throw new Forbidden(`A workflow that uses named secrets needs ${workflowPolicy.update}.`);
}

const titleTaken = (title: string): Conflict =>
  new Conflict(
    'TITLE_HAS_ALREADY_TAKEN',
    `There is already a workflow with the title ${JSON.stringify(title)}.`,
    { path: ['title'] },
  );
