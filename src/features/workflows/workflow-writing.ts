import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { Conflict } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import { changeRecord, insertRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { isDuplicateKey } from '../../platform/store/store';
import type { DocumentFacts } from './references/document-facts';
import type { WorkflowChanged } from './workflow.events';
import { WORKFLOW_TOPIC } from './workflow.events';
import type { Author, VersionRecord, WorkflowRecord } from './workflow.model';
import { isTestTitle, temporaryTitleKey, titleKey } from './workflow.title';
import type { PackedVersion, WorkflowVersions } from './versions/workflow-versions';

export interface WorkflowWritingDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly workflows: Model<WorkflowRecord>;
  readonly versions: WorkflowVersions;
}

/** A PATCH so soon after another one of the same author, ms, goes into the version that the other one has left. */
const ONE_EDIT_MS = 5 * 60_000;

/** What a save has beside its document. */
export interface ReplaceOptions {
  readonly comment: string | null;
  /** Versions that stay. */
  readonly keep: number;
  /** One of many small saves, as editors make them while somebody works. */
  readonly isPatch: boolean;
}

export type WorkflowWriting = ReturnType<typeof createWorkflowWriting>;

type SaidOfDocument = Pick<WorkflowRecord, 'title' | 'titleKey' | 'description' | 'test' | 'content' | 'methods' | 'operators' | keyof DocumentFacts>;

/** What a record says about its document. */
const factsOf = ({ document, content, facts }: PackedVersion): SaidOfDocument => ({
  ...facts,
  title: document.title,
  titleKey: titleKey(document.title),
  description: document.description ?? null,
  test: isTestTitle(document.title),
  content: content.ref,
  methods: document.fromConnector.methods.length,
  operators: document.fromConnector.operators.length,
});

const titleTaken = (title: string): Conflict =>
  new Conflict('TITLE_HAS_ALREADY_TAKEN', `There is already a workflow with the title ${JSON.stringify(title)}.`, { path: ['title'] });

/** Writes a workflow together with the version it leaves behind. */
export function createWorkflowWriting({ store, bus, clock, workflows, versions }: WorkflowWritingDependencies) {
  /** The version that a PATCH of this author goes into: the one he has patched just now, when nothing came after it. */
  async function versionUnderEdit({ snapshotId }: WorkflowRecord, author: Author, now: Date, tx: Tx): Promise<VersionRecord | null> {
    const version = await versions.byId(snapshotId, tx);
    if (!version?.patchedAt || version.discarded || version.author.userId !== author.userId) return null;
    if (now.getTime() - version.patchedAt.getTime() > ONE_EDIT_MS) return null;
    return await versions.isNewest(version, tx) ? version : null;
  }

  return {
    /**
     * One transaction that gives a workflow this title. Nobody else may have it: the unique index says so.
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN
     */
    async titled<R>(title: string, work: (tx: Tx) => Promise<R>): Promise<R> {
      try {
        return await store.transaction(work);
      } catch (error) {
        throw isDuplicateKey(error) ? titleTaken(title) : error;
      }
    },

    /**
     * Asks whether another workflow than `id` has this title.
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN
     */
    async requireFree(title: string, id: number | null): Promise<void> {
      const other = await workflows.exists({ titleKey: titleKey(title), ...(id === null ? {} : { _id: { $ne: id } }) });
      if (other) throw titleTaken(title);
    },

    async insert({ userId, email }: Actor, id: number, packed: PackedVersion, more: { comment: string | null; forOneRun: boolean }, tx: Tx): Promise<WorkflowRecord> {
      const [now, author] = [clock.now(), { userId, email }];
      const record: WorkflowRecord = {
        _id: id, ...factsOf(packed), ...(more.forOneRun ? { titleKey: temporaryTitleKey(id) } : {}),
        version: 1, snapshotId: packed.id, createdAt: now, createdBy: author, updatedAt: now, updatedBy: author, lastRunId: null, lastTestRunId: null,
      };
      const stored = await insertRecord(workflows, record, tx);
      await versions.write(packed, { workflowId: id, number: 1, author, createdAt: now, comment: more.comment, patchedAt: null, discarded: more.forOneRun }, tx);
      return stored;
    },

    /** The next save of `before`: it leaves a version, or goes into the one under edit. Of the older versions the newest `keep` stay. */
    async replace({ userId, email }: Actor, before: WorkflowRecord, packed: PackedVersion, { comment, keep, isPatch }: ReplaceOptions, tx: Tx): Promise<WorkflowRecord> {
      const [workflowId, number, author, createdAt] = [before._id, before.version + 1, { userId, email }, clock.now()];
      const underEdit = isPatch ? await versionUnderEdit(before, author, createdAt, tx) : null;
      const facts = factsOf(packed);
      // A title that stays keeps its key: it may be one of two that count as the same only by now.
      const key = facts.title === before.title ? before.titleKey : facts.titleKey;
      const changes = { ...facts, titleKey: key, version: number, snapshotId: underEdit?._id ?? packed.id, updatedAt: createdAt, updatedBy: author };
      const after = await changeRecord(workflows, workflowId, changes, tx);
      if (underEdit) {
        await versions.rewrite(underEdit, packed, createdAt, tx);
        return after;
      }
      await versions.write(packed, { workflowId, number, author, createdAt, comment, patchedAt: isPatch ? createdAt : null, discarded: false }, tx);
      await versions.prune(workflowId, keep, tx);
      return after;
    },

    /** With all versions but those that a run still executes. */
    async remove(id: number, tx: Tx): Promise<void> {
      await workflows.deleteOne({ _id: id }, { session: tx.session });
      await versions.discardAll(id, tx);
    },

    announce(workflowId: number, change: WorkflowChanged['change'], tx: Tx): void {
      tx.afterCommit(() => bus.publish<WorkflowChanged>(WORKFLOW_TOPIC, { workflowId, change }));
    },
  };
}
