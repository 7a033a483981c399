import type { Model } from 'mongoose';
import type { Config } from '../../../config/config';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { Refused } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { inTurns } from '../../../platform/json/turns';
import type { Store, Tx } from '../../../platform/store/store';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import type { WorkflowContent } from '../workflow-content';
import { documentMeant } from '../workflow-content';
import { idOf } from '../references/record-id';
import { restoreDocument } from '../masking/restore-document';
import { testKeyOf } from '../test-key.service';
import type { WorkflowDocument } from '../workflow.document';
import { readDocument } from '../workflow.document';
import type { ContentRef, WorkflowRecord } from '../workflow.model';
import {
  isTemporaryTitleKey,
  parseTitle,
  testTitle,
  titleKey,
  titleOfTestSchedule,
} from '../workflow.title';
import type { WorkflowReading } from '../workflow-reading';
import { shownTo, workflowNotFound } from '../workflow-reading';
import type { PackedVersion, WorkflowVersions } from './workflow-versions';
import type { WorkflowWriting } from '../workflow-writing';

/** What a run executes. */
export interface HeldSnapshot {
  readonly workflowId: number;
  readonly title: string;
  readonly test: boolean;
  /** Made for this run only. */
  readonly temporary: boolean;
  /** The version it is; its content may be another one by the time the run has ended. */
  readonly snapshotId: string;
  readonly content: ContentRef;
}

/** A document that was read and compressed, to be run once. */
export interface PreparedTest {
  readonly workflowId: number;
  /** What is tested: the saved workflow that the document names, else its title, by this user. */
  readonly testKey: string;
  readonly packed: PackedVersion;
  /** The document as whoever tests it may see it. */
  readonly shown: WorkflowDocument;
}

export interface WorkflowSnapshotsDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Pick<Config, 'limits'>;
  readonly workflows: Model<WorkflowRecord>;
  readonly reading: WorkflowReading;
  readonly writing: WorkflowWriting;
  readonly versions: WorkflowVersions;
}

/** What runs need of workflows: a version that stays as it is as long as they are kept. */
export function createWorkflowSnapshots({
  store,
  clock,
  config,
  workflows,
  reading,
  writing,
  versions,
}: WorkflowSnapshotsDependencies) {
  /** The workflow that a document says it is: null where it says none, or one that is not there. */
  async function savedWorkflowOf({ connectionId }: JsonObject): Promise<number | null> {
    const id = idOf(connectionId);
    return id !== null && (await reading.byId(id)) !== null ? id : null;
  }

  /** The workflow, which says by now that this is its last run; null when it is gone. Reading and writing are one: a start waits for each thing it asks of the store. */
  async function startedNow(
    workflowId: number,
    run: { readonly id: number; readonly test: boolean },
    tx: Tx,
  ): Promise<WorkflowRecord | null> {
    const say = (
      filter: { readonly test?: boolean },
      last: Pick<WorkflowRecord, 'lastRunId'> | Pick<WorkflowRecord, 'lastTestRunId'>,
    ) =>
      workflows
        .findOneAndUpdate(
          { _id: workflowId, ...filter },
          { $set: last },
          { session: tx.session, returnDocument: 'after' },
        )
        .lean<WorkflowRecord>();
    const ordinary = run.test ? null : await say({ test: false }, { lastRunId: run.id });
    // A run of a workflow that is a test is a test.
    return ordinary ?? (await say({}, { lastTestRunId: run.id }));
  }

  /** The workflows of these runs that are there and no tests, which say by now which is their last run. */
  async function startedAllNow(
    runs: readonly { readonly id: number; readonly workflowId: number }[],
    tx: Tx,
  ): Promise<Map<number, WorkflowRecord>> {
    const newest = new Map(runs.map(({ id, workflowId }) => [workflowId, id]));
    const found = await workflows
      .find({ _id: { $in: [...newest.keys()] }, test: false }, null, { session: tx.session })
      .lean<WorkflowRecord[]>();
    if (found.length > 0) {
      await workflows.bulkWrite(
        found.map(({ _id }) => ({
          updateOne: { filter: { _id }, update: { $set: { lastRunId: newest.get(_id) } } },
        })),
        { session: tx.session },
      );
    }
    return new Map(found.map((record) => [record._id, record]));
  }

  /** One run is going to execute each of these. */
  async function holdAll(
    held: readonly (Pick<HeldSnapshot, 'content'> | null)[],
    tx: Tx,
  ): Promise<void> {
    const uses = new Map<string, number>();
    for (const one of held) if (one) uses.set(one.content.id, (uses.get(one.content.id) ?? 0) + 1);
    if (uses.size > 0) await versions.holdAll(uses, tx);
  }

  return {
    testKeyOf,
    titleOfTestSchedule,

    /**
     * Keeps the current version of a workflow for a run, until `letGoOfSnapshots`. Writes the workflow too, so that a save, a deletion
     * and a run never pass each other unseen.
     * @throws NotFound CONNECTION_NOT_FOUND
     */
    async holdSnapshot(
      workflowId: number,
      run: { readonly id: number; readonly test: boolean },
      tx: Tx,
    ): Promise<HeldSnapshot> {
      const record = await startedNow(workflowId, run, tx);
      if (!record) throw workflowNotFound(workflowId);
      const test = run.test || record.test;
      await versions.hold(record.content.id, tx);
      return {
        workflowId,
        title: record.title,
        test,
        temporary: false,
        snapshotId: record.snapshotId,
        content: record.content,
      };
    },

    /** Keeps what a run has executed for one more run of the same, whatever is current now. Null: the workflow is gone, or what was executed. */
    async holdAgain(
      { workflowId, content }: Pick<HeldSnapshot, 'workflowId' | 'content'>,
      run: { readonly id: number; readonly test: boolean },
      tx: Tx,
    ): Promise<HeldSnapshot | null> {
      const record = await startedNow(workflowId, run, tx);
      const snapshotId = record && (await versions.hold(content.id, tx));
      return record && snapshotId !== null
        ? {
            workflowId,
            title: record.title,
            test: run.test || record.test,
            temporary: false,
            snapshotId,
            content,
          }
        : null;
    },

    /** Which of these could be run again as things are: the workflow is there, and what was executed. */
    async areThere(
      runs: readonly Pick<HeldSnapshot, 'workflowId' | 'content'>[],
    ): Promise<boolean[]> {
      const [there, saved] = await Promise.all([
        versions.holding([...new Set(runs.map(({ content }) => content.id))]),
        workflows
          .find(
            { _id: { $in: [...new Set(runs.map(({ workflowId }) => workflowId))] }, test: false },
            { _id: 1 },
          )
          .lean<Pick<WorkflowRecord, '_id'>[]>(),
      ]);
      const known = new Set(saved.map(({ _id }) => _id));
      return runs.map(({ workflowId, content }) => known.has(workflowId) && there.has(content.id));
    },

    /** The same for many runs of workflows that are no tests, in a few writes. */
    async holdAllAgain(
      runs: readonly {
        readonly id: number;
        readonly workflowId: number;
        readonly content: ContentRef;
      }[],
      tx: Tx,
    ): Promise<(HeldSnapshot | null)[]> {
      const there = await versions.holding([...new Set(runs.map(({ content }) => content.id))], tx);
      const known = await startedAllNow(
        runs.filter(({ content }) => there.has(content.id)),
        tx,
      );
      const held = runs.map(({ workflowId, content }) => {
        const [record, snapshotId] = [known.get(workflowId), there.get(content.id)];
        return record && snapshotId !== undefined
          ? { workflowId, title: record.title, test: false, temporary: false, snapshotId, content }
          : null;
      });
      await holdAll(held, tx);
      return held;
    },

    /** Keeps the current versions for many runs of workflows that are no tests, in a few writes. Null in the place of those whose workflow is gone, or a test by now. */
    async holdSnapshots(
      runs: readonly { readonly id: number; readonly workflowId: number }[],
      tx: Tx,
    ): Promise<(HeldSnapshot | null)[]> {
      const known = await startedAllNow(runs, tx);
      const held = runs.map(({ workflowId }) => known.get(workflowId) ?? null);
      await holdAll(held, tx);
      return held.map(
        (record) =>
          record && {
            workflowId: record._id,
            title: record.title,
            test: false,
            temporary: false,
            snapshotId: record.snapshotId,
            content: record.content,
          },
      );
    },

    /**
     * Reads a document that is to be run once, without being saved: it may have no title, or one that is taken.
     * @param draftOf the saved workflow that it is a draft of, where the document does not name it itself
     * @throws NotFound CONNECTION_NOT_FOUND there is none that it could be a draft of
     * @throws Refused  what `readDocument` refuses
     * @throws TooLarge the workflow has more bytes than are allowed
     */
    async prepareTest(
      actor: Actor,
      content: WorkflowContent,
      draftOf?: number,
    ): Promise<PreparedTest> {
      if (draftOf !== undefined && (await reading.byId(draftOf)) === null)
        throw workflowNotFound(draftOf, ['draftOf']);
      const input = await documentMeant(content, {}, config.limits.workflowBytes);
      if (!isJsonObject(input))
        throw new Refused('WORKFLOW_INVALID', 'A workflow is a JSON object.');
      const found = new Findings();
      const isTitled = typeof input.title === 'string' && titleKey(input.title) !== '';
      const title =
        (isTitled ? found.ofSync(() => parseTitle(input.title)) : undefined) ?? 'untitled';
      const written = await inTurns((turn) =>
        readDocument({ ...input, title: testTitle(title, clock.now()) }, found, turn),
      );
      const restored =
        written && (await found.of(() => inTurns((turn) => restoreDocument(written, null, turn))));
      const { document } = found.passed(restored);
      const packed = await versions.pack(document);
      const savedId = draftOf ?? (await savedWorkflowOf(input));
      const testKey =
        savedId === null ? `title ${titleKey(title)} of user ${actor.userId}` : testKeyOf(savedId);
      return {
        workflowId: await store.nextId('workflows'),
        testKey,
        packed,
        shown: await shownTo(actor, document),
      };
    },

    /** The workflow that exists while its test run goes on: `snapshotExecuted` removes it. */
    async holdTest(
      actor: Actor,
      { workflowId, packed }: PreparedTest,
      tx: Tx,
    ): Promise<HeldSnapshot> {
      await writing.insert(actor, workflowId, packed, { comment: null, forOneRun: true }, tx);
      await versions.hold(packed.id, tx);
      return {
        workflowId,
        title: packed.document.title,
        test: true,
        temporary: true,
        snapshotId: packed.id,
        content: packed.content.ref,
      };
    },

    /** What a run executes, with its secrets: nothing of it leaves through a door. */
    async heldDocument({ content }: Pick<HeldSnapshot, 'content'>): Promise<WorkflowDocument> {
      const document = (await versions.documents([content])).get(content.id);
      if (!document) throw new Error(`The snapshot ${content.id} is missing.`);
      return document;
    },

    /** The run that executed the snapshot has ended, and is kept with it. A workflow that was there for it alone goes, unless somebody has saved it under a title of its own. */
    async snapshotExecuted(
      {
        workflowId,
        content,
        temporary,
      }: Pick<HeldSnapshot, 'workflowId' | 'content' | 'temporary'>,
      tx: Tx,
    ): Promise<void> {
      await versions.executed(content.id, tx);
      const record = temporary ? await reading.byId(workflowId, tx) : null;
      if (record && isTemporaryTitleKey(record.titleKey)) await writing.remove(workflowId, tx);
    },

    /** Runs that have ended are kept no more, and their snapshots need not be. */
    async letGoOfSnapshots(of: readonly Pick<HeldSnapshot, 'content'>[], tx: Tx): Promise<void> {
      const runs = new Map<string, number>();
      for (const { content } of of) runs.set(content.id, (runs.get(content.id) ?? 0) + 1);
      for (const [contentId, count] of runs) await versions.letGo(contentId, count, tx);
    },
  };
}
