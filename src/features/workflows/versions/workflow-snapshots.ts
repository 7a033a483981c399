import type { Model } from 'mongoose';
import type { Config } from '../../../config/config';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { Refused } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { inTurns } from '../../../platform/event-loop';
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

/** The snapshot that a run executes. */
export interface HeldSnapshot {
  readonly workflowId: number;
  readonly title: string;
  readonly test: boolean;
  /** True if the workflow exists only for this run. */
  readonly temporary: boolean;
  /** The version of the snapshot. A later PATCH may change the content of that version. */
  readonly snapshotId: string;
  readonly content: ContentRef;
}

/** A parsed and compressed document for a single test run. */
export interface PreparedTest {
  readonly workflowId: number;
  /**
   * Identifies the tested workflow: the saved one that the document names, or else the title and
   * the user.
   */
  readonly testKey: string;
  readonly packed: PackedVersion;
  /** The document, masked as the actor may see it. */
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

/** Snapshots for runs: a snapshot does not change as long as its runs are kept. */
export function createWorkflowSnapshots({
  store,
  clock,
  config,
  workflows,
  reading,
  writing,
  versions,
}: WorkflowSnapshotsDependencies) {
  /** The id of the saved workflow that a document names; null if there is none. */
  async function savedWorkflowOf({ connectionId }: JsonObject): Promise<number | null> {
    const id = idOf(connectionId);
    return id !== null && (await reading.byId(id)) !== null ? id : null;
  }

  /**
   * Records the run as the last one of the workflow, and returns the workflow; null if it is
   * deleted. Reads and writes in one store call, because each call delays the start.
   */
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
    // A run of a test workflow is always a test run.
    return ordinary ?? (await say({}, { lastTestRunId: run.id }));
  }

  /**
   * Records each run as the last one of its workflow. Returns the existing workflows that are not
   * tests.
   */
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

  /** Counts one more run for each of these snapshots. */
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
     * Keeps the current version of a workflow for a run, until `letGoOfSnapshots`. Writes the
     * workflow too, so that the start conflicts with a concurrent save or deletion.
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

    /**
     * Keeps the snapshot of an earlier run for a new run. Returns null if the workflow or the
     * snapshot is deleted.
     */
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

    /** Returns for each run whether it can be repeated: its workflow and snapshot still exist. */
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

    /** `holdAgain` for many runs of workflows that are not tests, in a few writes. */
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

    /**
     * `holdSnapshot` for many runs of workflows that are not tests, in a few writes. Null where the
     * workflow is deleted or is now a test.
     */
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
     * Parses a document for a single run without saving it. Its title may be missing or in use.
     * @param draftOf the saved workflow of which this is a draft, if the document does not name it
     * @throws NotFound CONNECTION_NOT_FOUND `draftOf` does not exist
     * @throws Refused  the errors of `readDocument`
     * @throws TooLarge the workflow is larger than allowed
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

    /** Creates a temporary workflow for a test run; `snapshotExecuted` removes it. */
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

    /** The unmasked document that a run executes: never return it to a client. */
    async heldDocument({ content }: Pick<HeldSnapshot, 'content'>): Promise<WorkflowDocument> {
      const document = (await versions.documents([content])).get(content.id);
      if (!document) throw new Error(`The snapshot ${content.id} is missing.`);
      return document;
    },

    /**
     * Records the end of a run; its snapshot is kept as long as the run. Removes a temporary
     * workflow, unless a user has saved it under another title.
     */
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

    /** Releases the snapshots of runs that are deleted. */
    async letGoOfSnapshots(of: readonly Pick<HeldSnapshot, 'content'>[], tx: Tx): Promise<void> {
      const runs = new Map<string, number>();
      for (const { content } of of) runs.set(content.id, (runs.get(content.id) ?? 0) + 1);
      for (const [contentId, count] of runs) await versions.letGo(contentId, count, tx);
    },
  };
}
