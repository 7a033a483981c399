import type { Model } from 'mongoose';
import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Clock } from '../../platform/clock/clock';
import { Conflict, Forbidden } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import { changeRecord, insertRecord } from '../../platform/store/records';
import type { InputPath } from '../../platform/errors/errors';
import type { Store, Tx } from '../../platform/store/store';
import { uniquely } from '../../platform/store/store';
import type { DocumentFacts } from './references/document-facts';
import type { KnownReferences } from './references/known-references';
import type { UndoStack } from './undo/undo-stack';
import type { RuleRows } from './rules/rule-rows';
import type { WorkflowChanged } from './workflow.events';
import { WORKFLOW_TOPIC } from './workflow.events';
import type { WorkflowDocument } from './workflow.document';
import type { Author, ContentRef, VersionRecord, WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import { isTemporaryTitleKey, isTestTitle, temporaryTitleKey, titleKey } from './workflow.title';
import { workflowNotFound } from './workflow-reading';
import type { PackedVersion, WorkflowVersions } from './versions/workflow-versions';

export interface WorkflowWritingDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly workflows: Model<WorkflowRecord>;
  readonly versions: WorkflowVersions;
  readonly references: KnownReferences;
  readonly undos: UndoStack;
  readonly rules: Pick<RuleRows, 'removeOf'>;
}

/** PATCHes of the same author within this time, ms, are merged into one version. */
const ONE_EDIT_MS = 5 * 60_000;

/** Options of a save. */
export interface ReplaceOptions {
  readonly comment: string | null;
  /** Maximum number of versions to keep. */
  readonly keep: number;
  /** True for the small, frequent saves of an editor. */
  readonly isPatch: boolean;
}

/** A version that becomes the current one, with its document and the references in it. */
export interface VersionToShow {
  readonly version: VersionRecord;
  readonly document: WorkflowDocument;
  readonly facts: DocumentFacts;
}

export type WorkflowWriting = ReturnType<typeof createWorkflowWriting>;

type SaidOfDocument = Pick<
  WorkflowRecord,
  | 'title'
  | 'titleKey'
  | 'description'
  | 'test'
  | 'content'
  | 'methods'
  | 'operators'
  | keyof DocumentFacts
>;

/** The fields of a workflow row that are derived from its document. */
const factsOf = (
  document: WorkflowDocument,
  content: ContentRef,
  facts: DocumentFacts,
): SaidOfDocument => ({
  ...facts,
  title: document.title,
  titleKey: titleKey(document.title),
  description: document.description ?? null,
  test: isTestTitle(document.title),
  content,
  methods: document.fromConnector.methods.length,
  operators: document.fromConnector.operators.length,
});

/**
 * An unchanged title keeps its stored key: under newer folding rules another workflow may have the
 * same key.
 */
function factsAfter(
  before: WorkflowRecord,
  document: WorkflowDocument,
  content: ContentRef,
  facts: DocumentFacts,
): SaidOfDocument {
  const said = factsOf(document, content, facts);
  return said.title === before.title ? { ...said, titleKey: before.titleKey } : said;
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

/** Writes workflows and their versions. */
export function createWorkflowWriting({
  store,
  bus,
  clock,
  workflows,
  versions,
  references,
  undos,
  rules,
}: WorkflowWritingDependencies) {
  /**
   * The version into which a PATCH of this author is merged: the newest one, if they patched it
   * recently.
   */
  async function versionUnderEdit(
    { snapshotId }: WorkflowRecord,
    author: Author,
    now: Date,
    tx: Tx,
  ): Promise<VersionRecord | null> {
    const version = await versions.byId(snapshotId, tx);
    if (!version?.patchedAt || version.discarded || version.author.userId !== author.userId)
      return null;
    if (now.getTime() - version.patchedAt.getTime() > ONE_EDIT_MS) return null;
    return (await versions.isNewest(version, tx)) ? version : null;
  }

  async function claim(id: number, tx: Tx, path?: InputPath): Promise<WorkflowRecord> {
    const record = await workflows
      .findOneAndUpdate(
        { _id: id },
        { $inc: { partChanges: 1 } },
        { session: tx.session, returnDocument: 'after' },
      )
      .lean<WorkflowRecord>();
    if (!record) throw workflowNotFound(id, path);
    return record;
  }

  return {
    /**
     * Runs a transaction that gives a workflow this title. The unique index prevents duplicates.
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN
     */
    titled: <R>(title: string, work: (tx: Tx) => Promise<R>): Promise<R> =>
      uniquely(
        () => store.transaction(work),
        () => titleTaken(title),
      ),

    /**
     * Checks that no workflow other than `id` has this title.
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN
     */
    async requireFree(title: string, id: number | null): Promise<void> {
      const other = await workflows.exists({
        titleKey: titleKey(title),
        ...(id === null ? {} : { _id: { $ne: id } }),
      });
      if (other) throw titleTaken(title);
    },

    /** @throws Forbidden it uses named secrets, and the actor may not update workflows */
    async insert(
      actor: Actor,
      id: number,
      packed: PackedVersion,
      more: { comment: string | null; forOneRun: boolean },
      tx: Tx,
    ): Promise<WorkflowRecord> {
      requireMayUse(actor, packed.facts);
      const [now, author] = [clock.now(), authorOf(actor)];
      const record: WorkflowRecord = {
        _id: id,
        ...factsOf(packed.document, packed.content.ref, packed.facts),
        ...(more.forOneRun ? { titleKey: temporaryTitleKey(id) } : {}),
        version: 1,
        snapshotId: packed.id,
        createdAt: now,
        createdBy: author,
        updatedAt: now,
        updatedBy: author,
        lastRunId: null,
        lastTestRunId: null,
      };
      if (!more.forOneRun) await references.claim(packed.facts, null, tx);
      const stored = await insertRecord(workflows, record, tx);
      await versions.write(
        packed,
        {
          workflowId: id,
          number: 1,
          author,
          createdAt: now,
          comment: more.comment,
          patchedAt: null,
          discarded: more.forOneRun,
        },
        tx,
      );
      return stored;
    },

    /**
     * Saves the next version, or merges it into the one being patched. The newest `keep` versions
     * are kept.
     */
    async replace(
      actor: Actor,
      before: WorkflowRecord,
      packed: PackedVersion,
      { comment, keep, isPatch }: ReplaceOptions,
      tx: Tx,
    ): Promise<WorkflowRecord> {
      const [workflowId, number, author, createdAt] = [
        before._id,
        before.version + 1,
        authorOf(actor),
        clock.now(),
      ];
      const underEdit = isPatch ? await versionUnderEdit(before, author, createdAt, tx) : null;
      const snapshotId = underEdit?._id ?? packed.id;
      const changes = {
        ...factsAfter(before, packed.document, packed.content.ref, packed.facts),
        version: number,
        snapshotId,
        updatedAt: createdAt,
        updatedBy: author,
      };
      await references.claim(packed.facts, before, tx);
      const after = await changeRecord(workflows, workflowId, changes, tx);
      if (underEdit) {
        await versions.rewrite(underEdit, packed, createdAt, tx);
        return after;
      }
      await versions.write(
        packed,
        {
          workflowId,
          number,
          author,
          createdAt,
          comment,
          patchedAt: isPatch ? createdAt : null,
          discarded: false,
        },
        tx,
      );
      await versions.prune(workflowId, { keep, current: snapshotId }, tx);
      return after;
    },

    /** Makes an existing version the current one. */
    async pointTo(
      actor: Actor,
      before: WorkflowRecord,
      { version, document, facts }: VersionToShow,
      tx: Tx,
    ): Promise<WorkflowRecord> {
      const said = factsAfter(before, document, version.content, facts);
      await references.claim(facts, before, tx);
      return changeRecord(
        workflows,
        before._id,
        {
          ...said,
          version: before.version + 1,
          snapshotId: version._id,
          updatedAt: clock.now(),
          updatedBy: authorOf(actor),
        },
        tx,
      );
    },

    /**
     * Writes the workflow row, so that this transaction conflicts with others that change or delete
     * the workflow.
     * @throws NotFound CONNECTION_NOT_FOUND
     */
    claim,

    /**
     * Like `claim`, for data that must not belong to a temporary workflow.
     * @throws NotFound CONNECTION_NOT_FOUND also for a workflow that exists for a single test run
     */
    async claimLasting(id: number, tx: Tx, path?: InputPath): Promise<WorkflowRecord> {
      const record = await claim(id, tx, path);
      if (isTemporaryTitleKey(record.titleKey)) throw workflowNotFound(id, path);
      return record;
    },

    /** Deletes a workflow with its versions, except snapshots that runs still need. */
    async remove(id: number, tx: Tx): Promise<void> {
      await workflows.deleteOne({ _id: id }, { session: tx.session });
      await versions.discardAll(id, tx);
      await undos.discardAll(id, tx);
      await rules.removeOf(id, tx);
    },

    announce(workflowId: number, change: WorkflowChanged['change'], tx: Tx): void {
      tx.afterCommit(() => bus.publish<WorkflowChanged>(WORKFLOW_TOPIC, { workflowId, change }));
    },
  };
}
