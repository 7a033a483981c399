import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Findings } from '../../platform/errors/findings';
import { inTurns } from '../../platform/event-loop';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion, PlaceOf } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { createRecordTurns } from '../../platform/store/record-turns';
import type { AuditService } from '../audit/audit.service';
import type { RunCounters } from '../widgets/run-counters.service';
import { LARGEST_DOCUMENT, recorded, recordedDocument } from './workflow.audit';
import type { ErrorWorkflows } from './error-workflow/error-workflows';
import type { WorkflowVersions } from './versions/workflow-versions';
import type { WorkflowRecord } from './workflow.model';
import type { SchedulesOfWorkflows } from './workflow.ports';
import { workflowNotFound } from './workflow-reading';
import type { WorkflowReading } from './workflow-reading';
import type { WorkflowWriting } from './workflow-writing';

export interface WorkflowDeletionDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly counters: RunCounters;
  readonly workflows: Model<WorkflowRecord>;
  readonly reading: WorkflowReading;
  readonly writing: WorkflowWriting;
  readonly versions: WorkflowVersions;
  readonly errors: Pick<ErrorWorkflows, 'forgetErrorWorkflow'>;
  readonly schedules?: SchedulesOfWorkflows;
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
const MOST_CHARACTERS = 16 * LARGEST_DOCUMENT;

/**
 * Deletes workflows with their versions and schedules; run counters are kept. Subscribers of the
 * event cancel their runs.
 */
export function createWorkflowDeletion({
  store,
  audit,
  counters,
  workflows,
  reading,
  writing,
  versions,
  errors,
  schedules,
}: WorkflowDeletionDependencies) {
  // Serialise: overlapping bulk deletes would conflict and retry.
  const turns = createRecordTurns();

  /** @throws NotFound CONNECTION_NOT_FOUND for each missing workflow */
  const everyOne = async (
    ids: readonly number[],
    place: PlaceOf,
    tx?: Tx,
  ): Promise<WorkflowRecord[]> => {
    const found = new Findings();
    const records = (await reading.byIds(ids, tx)).flatMap((record, index) => {
      const id = ids[index] ?? 0;
      if (!record) found.add(workflowNotFound(id, place(id)));
      return record ?? [];
    });
    found.refuse();
    return records;
  };

  /**
   * The documents for the audit, by content id. Computed outside of the transaction because it
   * takes long.
   */
  const lastDocuments = async (
    records: readonly WorkflowRecord[],
  ): Promise<Map<string, object>> => {
    const kept = new Map<string, object>();
    let room = MOST_CHARACTERS;
    for (const record of records) {
      const document = await reading.originalOf(record);
      if (!document) continue;
      const last = await inTurns((turn) =>
        recordedDocument(document, Math.min(room, LARGEST_DOCUMENT), turn),
      );
      room -= last.characters;
      kept.set(record.content.id, last.told);
    }
    return kept;
  };

  const removeWithin = async (
    actor: Actor,
    before: WorkflowRecord,
    told: object | undefined,
    tx: Tx,
  ): Promise<void> => {
    const id = before._id;
    await writing.remove(id, tx);
    await errors.forgetErrorWorkflow(id, tx);
    await schedules?.removeOf(actor, id, tx);
    await counters.retire(id, tx);
    await audit.record(
      actor,
      'workflow.delete',
      { type: 'Workflow', id },
      { ...recorded(before), ...told },
      null,
      tx,
    );
    writing.announce(id, 'deleted', tx);
  };

  /**
   * Prepares the audit records of workflows that are likely to be deleted. Returns a function that
   * deletes workflows within a transaction.
   */
  const removal = async (expectedToGo: readonly WorkflowRecord[]) => {
    const known = await lastDocuments(expectedToGo);
    return async (actor: Actor, records: readonly WorkflowRecord[], tx: Tx): Promise<void> => {
      for (const record of records) {
        // The workflow may have been saved since: record what is deleted now.
        const told =
          known.get(record.content.id) ?? (await lastDocuments([record])).get(record.content.id);
        await removeWithin(actor, record, told, tx);
      }
    };
  };

  const removeEach = async (
    actor: Actor,
    ids: readonly number[],
    place: PlaceOf,
    expected: ExpectedVersion,
  ): Promise<WorkflowRecord[]> => {
    const remove = await removal(await everyOne(ids, place));
    return store.transaction(async (tx) => {
      const found = await everyOne(ids, place, tx);
      for (const record of found) requireVersion('workflow', record, expected);
      await remove(actor, found, tx);
      return found;
    });
  };

  /** Returns null if the workflow is no longer a test, or no longer meets the conditions. */
  const removeTest = (
    actor: Actor,
    id: number,
    mayRemove: (record: TestRecord) => boolean,
  ): Promise<'removed' | 'running' | null> =>
    store.transaction(async (tx) => {
      const record = await reading.byId(id, tx);
      if (!record?.test || !mayRemove(record)) return null;
      // A starting run also writes the workflow, so the two transactions conflict.
      if (await versions.isExecuted(id, tx)) return 'running';
      await removeWithin(actor, record, (await lastDocuments([record])).get(record.content.id), tx);
      return 'removed';
    });

  return {
    /** Deletes test workflows one by one, except those that a run executes. */
    async removeTests(
      actor: Actor,
      { unchangedSince = null, interruptedAmong }: TestCleanupConditions = {},
    ): Promise<TestCleanup> {
      const tests = await workflows
        .find({ test: true }, { updatedAt: 1, lastTestRunId: 1 })
        .sort({ _id: 1 })
        .lean<TestRecord[]>();
      const interrupted = await interruptedAmong?.(
        tests.flatMap(({ lastTestRunId }) => lastTestRunId ?? []),
      );
      const mayRemove = ({ updatedAt, lastTestRunId }: TestRecord): boolean =>
        unchangedSince === null ||
        updatedAt <= unchangedSince ||
        (lastTestRunId !== null && interrupted?.has(lastTestRunId) === true);
      const connectionIds: number[] = [];
      let skippedRunning = 0;
      for (const { _id } of tests.filter(mayRemove)) {
        const outcome = await turns.of('lists', () => removeTest(actor, _id, mayRemove));
        if (outcome === 'removed') connectionIds.push(_id);
        if (outcome === 'running') skippedRunning += 1;
      }
      return { removed: connectionIds.length, skippedRunning, connectionIds };
    },

    /**
     * For features that delete workflows in their own transaction: prepares the deletion of
     * workflows that are likely to be deleted. The returned function reads and deletes the given
     * ones in that transaction.
     */
    async removal(
      ids: readonly number[],
    ): Promise<(actor: Actor, ids: readonly number[], tx: Tx) => Promise<void>> {
      const remove = await removal((await reading.byIds(ids)).filter((record) => record !== null));
      return async (actor, named, tx) =>
        remove(actor, await everyOne(named, placesIn(named), tx), tx);
    },

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
      const [removed] = await removeEach(actor, [id], THE_ID, expectedVersion);
      if (!removed) throw workflowNotFound(id);
      return removed;
    },

    /**
     * Deletes workflows, all or none, and returns the deleted records.
     * @throws BadInput too many ids
     * @throws NotFound CONNECTION_NOT_FOUND for each missing workflow
     */
    async removeAll(actor: Actor, ids: readonly number[]): Promise<WorkflowRecord[]> {
      const unique = eachOnce(ids, 'workflows');
      return turns.of('lists', () => removeEach(actor, unique, placesIn(ids), undefined));
    },
  };
}
