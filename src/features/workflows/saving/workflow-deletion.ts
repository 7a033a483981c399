import type { Actor } from '../../../platform/access/actor';
import { Findings } from '../../../platform/errors/findings';
import type { Collection } from '../../../platform/store/collection';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../../platform/store/records';
import type { ExpectedVersion, PlaceOf } from '../../../platform/store/records';
import type { Store, Tx } from '../../../platform/store/store';
import { KeyedLock } from '../../../platform/queues';
import { MAX_DOCUMENT_CHARACTERS, recorded, recordedDocument } from '../workflow.audit';
import type { WorkflowVersions } from '../versions/workflow-versions';
import type { WorkflowRecord } from '../workflow.model';
import { workflowCollection } from '../workflow.model';
import { workflowNotFound } from '../workflow-reader';
import type { WorkflowReader } from '../workflow-reader';
import type { WorkflowWriter } from './workflow-writer';

declare module '../../../platform/context' {
  interface Services {
    workflowDeletion: WorkflowDeletion;
  }
}

interface SchedulesOfWorkflows {
  /** Deletes the schedules of a workflow that is deleted. */
  removeOf(actor: Actor, workflowId: number, tx: Tx): Promise<void>;
}

export interface TestCleanup {
  readonly removed: number;
  readonly skippedRunning: number;
  readonly connectionIds: readonly number[];
}

/** Which test workflows to remove; without conditions, all of them. */
export interface TestCleanupConditions {
  /** Keeps tests that were saved after this time. */
  readonly unchangedSince?: Date | null;
  /** Returns which of these runs were interrupted: their tests are removed even if saved later. */
  readonly interruptedAmong?: (runIds: readonly number[]) => Promise<ReadonlySet<number>>;
}

type TestRecord = Pick<WorkflowRecord, '_id' | 'updatedAt' | 'lastTestRunId'>;

/**
 * Maximum document characters (approximate) per deletion in the audit; beyond that it keeps step
 * names only.
 */
const MAX_AUDITED_CHARACTERS = 16 * MAX_DOCUMENT_CHARACTERS;

/**
 * Deletes workflows with their versions and schedules; run counters are kept. Subscribers of the
 * event cancel their runs.
 */
export class WorkflowDeletion {
  // Serialise: overlapping bulk deletes would conflict and retry.
  private readonly locks = new KeyedLock();
  private readonly workflows: Collection<WorkflowRecord>;

  constructor(
    private readonly store: Store,
    private readonly deps: {
      /** Removes a deleted workflow from the ranking. */
      readonly counters: { retire(workflowId: number, tx: Tx): Promise<void> };
      readonly reading: WorkflowReader;
      readonly writing: WorkflowWriter;
      readonly versions: WorkflowVersions;
      readonly schedules: SchedulesOfWorkflows;
    },
  ) {
    this.workflows = workflowCollection(store);
  }

  /**
   * Deletes a workflow and returns the deleted record.
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws Conflict CONFLICT the version differs
   */
  async remove(
    actor: Actor,
    id: number,
    expectedVersion?: ExpectedVersion,
  ): Promise<WorkflowRecord> {
    const [removed] = await this.removeEach(actor, [id], THE_ID, expectedVersion);
    if (!removed) throw workflowNotFound(id);
    return removed;
  }

  /**
   * Deletes workflows, all or none, and returns the deleted records.
   * @throws BadInput too many ids
   * @throws NotFound CONNECTION_NOT_FOUND for each missing workflow
   */
  async removeAll(actor: Actor, ids: readonly number[]): Promise<WorkflowRecord[]> {
    const unique = eachOnce(ids, 'workflows');
    return this.locks.run('lists', () => this.removeEach(actor, unique, placesIn(ids), undefined));
  }

  /**
   * For features that delete workflows in their own transaction: prepares the deletion of workflows
   * that are likely to be deleted. The returned function reads and deletes the given ones in that
   * transaction.
   */
  async removal(
    ids: readonly number[],
  ): Promise<(actor: Actor, ids: readonly number[], tx: Tx) => Promise<void>> {
    const likely = (await this.deps.reading.byIds(ids)).filter((record) => record !== null);
    const documents = await this.auditedDocuments(likely);
    return async (actor, deletedIds, tx) =>
      this.removeRecords(
        actor,
        await this.getAll(deletedIds, placesIn(deletedIds), tx),
        documents,
        tx,
      );
  }

  /** Deletes test workflows one by one, except those that a run executes. */
  async removeTests(
    actor: Actor,
    { unchangedSince = null, interruptedAmong }: TestCleanupConditions = {},
  ): Promise<TestCleanup> {
    const tests = await this.workflows.find<TestRecord>(
      { test: true },
      { fields: { updatedAt: 1, lastTestRunId: 1 }, sort: { _id: 1 } },
    );
    const interrupted = await interruptedAmong?.(
      tests.flatMap(({ lastTestRunId }) => lastTestRunId ?? []),
    );
    const isRemovable = ({ updatedAt, lastTestRunId }: TestRecord): boolean =>
      unchangedSince === null ||
      updatedAt <= unchangedSince ||
      (lastTestRunId !== null && interrupted?.has(lastTestRunId) === true);
    const connectionIds: number[] = [];
    let skippedRunning = 0;
    for (const { _id } of tests.filter(isRemovable)) {
      const outcome = await this.locks.run('lists', () => this.removeTest(actor, _id, isRemovable));
      if (outcome === 'removed') connectionIds.push(_id);
      if (outcome === 'running') skippedRunning += 1;
    }
    return { removed: connectionIds.length, skippedRunning, connectionIds };
  }

  /**
   * Removes all workflows from these categories, and returns their ids by category. The documents
   * are not rewritten: `inCategoryOf` corrects them when they are read.
   */
  async uncategorize(categoryIds: readonly number[], tx: Tx): Promise<Map<number, number[]>> {
    const rows = await this.workflows.find<Pick<WorkflowRecord, '_id' | 'categoryId'>>(
      { test: { $in: [false, true] }, categoryId: { $in: [...categoryIds] } },
      { tx, fields: { categoryId: 1 }, sort: { _id: 1 } },
    );
    const freed = new Map<number, number[]>();
    for (const { _id, categoryId } of rows) {
      freed.set(categoryId ?? 0, [...(freed.get(categoryId ?? 0) ?? []), _id]);
      this.deps.writing.announce(_id, 'updated', tx);
    }
    if (rows.length > 0)
      await this.workflows.updateMany(
        { _id: { $in: rows.map(({ _id }) => _id) } },
        { $set: { categoryId: null } },
        tx,
      );
    return freed;
  }

  private async removeEach(
    actor: Actor,
    ids: readonly number[],
    place: PlaceOf,
    expected: ExpectedVersion,
  ): Promise<WorkflowRecord[]> {
    const documents = await this.auditedDocuments(await this.getAll(ids, place));
    return this.store.transaction(async (tx) => {
      const records = await this.getAll(ids, place, tx);
      for (const record of records) requireVersion('workflow', record, expected);
      await this.removeRecords(actor, records, documents, tx);
      return records;
    });
  }

  /** Returns null if the workflow is no longer a test, or no longer meets the condition. */
  private removeTest(
    actor: Actor,
    id: number,
    isRemovable: (record: TestRecord) => boolean,
  ): Promise<'removed' | 'running' | null> {
    return this.store.transaction(async (tx) => {
      const record = await this.deps.reading.byId(id, tx);
      if (!record?.test || !isRemovable(record)) return null;
      // A starting run also writes the workflow, so the two transactions conflict.
      if (await this.deps.versions.isExecuted(id, tx)) return 'running';
      await this.removeRecords(actor, [record], new Map(), tx);
      return 'removed';
    });
  }

  /** @throws NotFound CONNECTION_NOT_FOUND for each missing workflow */
  private async getAll(ids: readonly number[], place: PlaceOf, tx?: Tx): Promise<WorkflowRecord[]> {
    const findings = new Findings();
    const records = (await this.deps.reading.byIds(ids, tx)).flatMap((record, index) => {
      const id = ids[index] ?? 0;
      if (!record) findings.add(workflowNotFound(id, place(id)));
      return record ?? [];
    });
    findings.refuse();
    return records;
  }

  /**
   * The documents for the audit, by content id. Computed outside of the transaction because it
   * takes long.
   */
  private async auditedDocuments(records: readonly WorkflowRecord[]): Promise<Map<string, object>> {
    const documents = new Map<string, object>();
    let room = MAX_AUDITED_CHARACTERS;
    for (const record of records) {
      const document = await this.deps.reading.originalOf(record);
      if (!document) continue;
      const { audited, characters } = recordedDocument(
        document,
        Math.min(room, MAX_DOCUMENT_CHARACTERS),
      );
      room -= characters;
      documents.set(record.content.id, audited);
    }
    return documents;
  }

  /** @param documents see `auditedDocuments`; of workflows saved since, the current one is read */
  private async removeRecords(
    actor: Actor,
    records: readonly WorkflowRecord[],
    documents: ReadonlyMap<string, object>,
    tx: Tx,
  ): Promise<void> {
    const { counters, writing, schedules } = this.deps;
    for (const before of records) {
      const { _id: id, content } = before;
      const document =
        documents.get(content.id) ?? (await this.auditedDocuments([before])).get(content.id);
      await writing.remove(id, tx);
      await this.workflows.updateMany(
        { errorWorkflowId: id },
        { $unset: { errorWorkflowId: 1 } },
        tx,
      );
      await schedules.removeOf(actor, id, tx);
      await counters.retire(id, tx);
      const last = { ...recorded(before), ...document };
      await writing.record(actor, 'workflow.delete', id, [last, null], tx);
    }
  }
}
