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
import type { WorkflowRecord } from './workflow.model';
import { isTestTitle, temporaryTitleKey, titleKey } from './workflow.title';
import type { PackedVersion, WorkflowVersions } from './versions/workflow-versions';

export interface WorkflowWritingDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly workflows: Model<WorkflowRecord>;
  readonly versions: WorkflowVersions;
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
        version: 1, createdAt: now, createdBy: author, updatedAt: now, updatedBy: author, lastRunId: null, lastTestRunId: null,
      };
      const stored = await insertRecord(workflows, record, tx);
      await versions.write(packed, { workflowId: id, number: 1, author, createdAt: now, comment: more.comment, discarded: more.forOneRun }, tx);
      return stored;
    },

    /** The next version of `before`; of the older ones the newest `keep` stay. */
    async replace({ userId, email }: Actor, before: WorkflowRecord, packed: PackedVersion, more: { comment: string | null; keep: number }, tx: Tx): Promise<WorkflowRecord> {
      const [workflowId, number, author, createdAt] = [before._id, before.version + 1, { userId, email }, clock.now()];
      const facts = factsOf(packed);
      // A title that stays keeps its key: it may be one of two that count as the same only by now.
      const key = facts.title === before.title ? before.titleKey : facts.titleKey;
      const changes = { ...facts, titleKey: key, version: number, updatedAt: createdAt, updatedBy: author };
      const after = await changeRecord(workflows, workflowId, changes, tx);
      await versions.write(packed, { workflowId, number, author, createdAt, comment: more.comment, discarded: false }, tx);
      await versions.prune(workflowId, more.keep, tx);
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
