import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Findings } from '../../platform/errors/findings';
import { inTurns } from '../../platform/json/turns';
import { eachOnce, placesIn, THE_ID } from '../../platform/store/all-or-none';
import type { PlaceOf } from '../../platform/store/all-or-none';
import { requireVersion } from '../../platform/store/expected-version';
import type { ExpectedVersion } from '../../platform/store/expected-version';
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

/** What became of the workflows that tests left behind. */
export interface TestCleanup {
  readonly removed: number;
  readonly skippedRunning: number;
  /** Those that were removed. */
  readonly connectionIds: readonly number[];
}

/** Which tests a cleanup removes; without conditions all of them. */
export interface TestCleanupConditions {
  /** Tests that were saved later stay, */
  readonly unchangedSince?: Date | null;
  /** unless their last run is among these: the ones of the given runs that were interrupted. */
  readonly interruptedAmong?: (runIds: readonly number[]) => Promise<ReadonlySet<number>>;
}

type TestRecord = Pick<WorkflowRecord, '_id' | 'updatedAt' | 'lastTestRunId'>;

/** Characters of documents, roughly, that one deletion leaves to the audit; of those beyond it keeps the names of their steps. */
const MOST_CHARACTERS = 16 * LARGEST_DOCUMENT;

/** Deleting workflows: with their versions and schedules, and what their runs counted stays counted. Their runs are cancelled by whoever hears of it. */
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
  // Two lists that overlap would make each other start again.
  const turns = createRecordTurns();

  /** @throws NotFound CONNECTION_NOT_FOUND, each that is missing */
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

  /** What the audit keeps of the documents, by content: made outside of the transaction, in turns. */
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

  /** Reads what a deletion of these keeps for the audit. What it answers deletes workflows in a transaction, of which these are most. */
  const removal = async (expectedToGo: readonly WorkflowRecord[]) => {
    const known = await lastDocuments(expectedToGo);
    return async (actor: Actor, records: readonly WorkflowRecord[], tx: Tx): Promise<void> => {
      for (const record of records) {
        // Saved since it was read: what goes is what is there now.
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

  /** Returns null if it is no test any more, or may not be removed by now. */
  const removeTest = (
    actor: Actor,
    id: number,
    mayRemove: (record: TestRecord) => boolean,
  ): Promise<'removed' | 'running' | null> =>
    store.transaction(async (tx) => {
      const record = await reading.byId(id, tx);
      if (!record?.test || !mayRemove(record)) return null;
      // A run that starts writes the workflow too, so that one of the two starts again.
      if (await versions.isExecuted(id, tx)) return 'running';
      await removeWithin(actor, record, (await lastDocuments([record])).get(record.content.id), tx);
      return 'removed';
    });

  return {
    /** Deletes the workflows that tests left behind, one by one, and none that a run executes. */
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
     * For another feature whose transaction deletes workflows: prepares it for these, most of which are going to be deleted. What it answers
     * deletes those it is given, which are read in that transaction.
     */
    async removal(
      ids: readonly number[],
    ): Promise<(actor: Actor, ids: readonly number[], tx: Tx) => Promise<void>> {
      const remove = await removal((await reading.byIds(ids)).filter((record) => record !== null));
      return async (actor, named, tx) =>
        remove(actor, await everyOne(named, placesIn(named), tx), tx);
    },

    /**
     * Deletes a workflow and answers it as it was.
     * @throws NotFound CONNECTION_NOT_FOUND
     * @throws Conflict CONFLICT another version than expected
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
     * Deletes workflows, all or none, and answers them as they were.
     * @throws BadInput too many
     * @throws NotFound CONNECTION_NOT_FOUND one of them is unknown
     */
    async removeAll(actor: Actor, ids: readonly number[]): Promise<WorkflowRecord[]> {
      const unique = eachOnce(ids, 'workflows');
      return turns.of('lists', () => removeEach(actor, unique, placesIn(ids), undefined));
    },
  };
}
