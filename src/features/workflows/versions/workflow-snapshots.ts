import type { Model } from 'mongoose';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { Refused } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { runInSlices } from '../../../platform/event-loop';
import type { Store, Tx } from '../../../platform/store/store';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import { restoreDocument } from '../masking/restore-document';
import { idOf } from '../references/record-id';
import { testKeyOf } from '../test-key.service';
import type { WorkflowContent } from '../workflow-content';
import { documentMeant } from '../workflow-content';
import type { WorkflowDocument } from '../workflow.document';
import { readDocument } from '../workflow.document';
import type { ContentRef, WorkflowRecord } from '../workflow.model';
import { workflowModel } from '../workflow.model';
import { isTemporaryTitleKey, parseTitle, testTitle, titleKey } from '../workflow.title';
import type { WorkflowReading } from '../workflow-reading';
import { shownTo, workflowNotFound } from '../workflow-reading';
import type { WorkflowWriting } from '../workflow-writing';
import type { PackedVersion, WorkflowVersions } from './workflow-versions';

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
interface PreparedTest {
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

interface StartedRun {
  readonly id: number;
  readonly test: boolean;
}

interface RunOfWorkflow {
  readonly id: number;
  readonly workflowId: number;
}

type RunSnapshot = Pick<HeldSnapshot, 'workflowId' | 'content'>;

/** Snapshots for runs: a snapshot does not change as long as its runs are kept. */
export class WorkflowSnapshots {
  private readonly workflows: Model<WorkflowRecord>;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly clock: Clock;
      readonly reading: WorkflowReading;
      readonly writing: WorkflowWriting;
      readonly versions: WorkflowVersions;
      /** Maximum size of a workflow, bytes. */
      readonly workflowBytes: number;
    },
  ) {
    this.workflows = workflowModel(deps.store);
  }

  /**
   * Keeps the current version of a workflow for a run, until `release`. Writes the workflow too, so
   * that the start conflicts with a concurrent save or deletion.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async hold(workflowId: number, run: StartedRun, tx: Tx): Promise<HeldSnapshot> {
    const record = await this.recordRun(workflowId, run, tx);
    if (!record) throw workflowNotFound(workflowId);
    await this.deps.versions.hold(record.content.id, tx);
    return snapshotOf(record, record, run.test || record.test);
  }

  /**
   * Keeps the snapshot of an earlier run for a new run. Returns null if the workflow or the
   * snapshot is deleted.
   */
  async holdAgain(
    { workflowId, content }: RunSnapshot,
    run: StartedRun,
    tx: Tx,
  ): Promise<HeldSnapshot | null> {
    const record = await this.recordRun(workflowId, run, tx);
    const snapshotId = record && (await this.deps.versions.hold(content.id, tx));
    return record && snapshotId !== null
      ? snapshotOf(record, { snapshotId, content }, run.test || record.test)
      : null;
  }

  /**
   * `hold` for many runs of workflows that are not tests, in a few writes. Null where the workflow
   * is deleted or is now a test.
   */
  async holdAll(runs: readonly RunOfWorkflow[], tx: Tx): Promise<(HeldSnapshot | null)[]> {
    const records = await this.recordRuns(runs, tx);
    const held = runs.map(({ workflowId }) => {
      const record = records.get(workflowId);
      return record ? snapshotOf(record, record, false) : null;
    });
    await this.countRuns(held, tx);
    return held;
  }

  /** `holdAgain` for many runs of workflows that are not tests, in a few writes. */
  async holdAllAgain(
    runs: readonly (RunOfWorkflow & { readonly content: ContentRef })[],
    tx: Tx,
  ): Promise<(HeldSnapshot | null)[]> {
    const contentIds = new Set(runs.map(({ content }) => content.id));
    const versionIds = await this.deps.versions.idsByContent([...contentIds], tx);
    const records = await this.recordRuns(
      runs.filter(({ content }) => versionIds.has(content.id)),
      tx,
    );
    const held = runs.map(({ workflowId, content }) => {
      const [record, snapshotId] = [records.get(workflowId), versionIds.get(content.id)];
      return record && snapshotId !== undefined
        ? snapshotOf(record, { snapshotId, content }, false)
        : null;
    });
    await this.countRuns(held, tx);
    return held;
  }

  /** Returns for each run whether it can be repeated: its workflow and snapshot still exist. */
  async canHoldAgain(runs: readonly RunSnapshot[]): Promise<boolean[]> {
    const [versionIds, rows] = await Promise.all([
      this.deps.versions.idsByContent([...new Set(runs.map(({ content }) => content.id))]),
      this.workflows
        .find(
          { _id: { $in: [...new Set(runs.map(({ workflowId }) => workflowId))] }, test: false },
          { _id: 1 },
        )
        .lean<Pick<WorkflowRecord, '_id'>[]>(),
    ]);
    const workflowIds = new Set(rows.map(({ _id }) => _id));
    return runs.map(
      ({ workflowId, content }) => workflowIds.has(workflowId) && versionIds.has(content.id),
    );
  }

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
    const { store, reading, versions, workflowBytes } = this.deps;
    if (draftOf !== undefined && (await reading.byId(draftOf)) === null)
      throw workflowNotFound(draftOf, ['draftOf']);
    const input = await documentMeant(content, {}, workflowBytes);
    if (!isJsonObject(input)) throw new Refused('WORKFLOW_INVALID', 'A workflow is a JSON object.');
    const { title, document } = await this.parseTest(input);
    const packed = await versions.pack(document);
    const savedId = draftOf ?? (await this.savedIdOf(input));
    return {
      workflowId: await store.nextId('workflows'),
      testKey:
        savedId === null ? `title ${titleKey(title)} of user ${actor.userId}` : testKeyOf(savedId),
      packed,
      shown: await shownTo(actor, document),
    };
  }

  /** Creates a temporary workflow for a test run; `end` removes it. */
  async holdTest(
    actor: Actor,
    { workflowId, packed }: PreparedTest,
    tx: Tx,
  ): Promise<HeldSnapshot> {
    const { writing, versions } = this.deps;
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
  }

  /** The unmasked document that a run executes: never return it to a client. */
  async readDocument({ content }: Pick<HeldSnapshot, 'content'>): Promise<WorkflowDocument> {
    const document = (await this.deps.versions.documents([content])).get(content.id);
    if (!document) throw new Error(`The snapshot ${content.id} is missing.`);
    return document;
  }

  /**
   * Records the end of a run; its snapshot is kept as long as the run. Removes a temporary
   * workflow, unless a user has saved it under another title.
   */
  async end(
    { workflowId, content, temporary }: RunSnapshot & Pick<HeldSnapshot, 'temporary'>,
    tx: Tx,
  ): Promise<void> {
    const { reading, writing, versions } = this.deps;
    await versions.endUse(content.id, tx);
    const record = temporary ? await reading.byId(workflowId, tx) : null;
    if (record && isTemporaryTitleKey(record.titleKey)) await writing.remove(workflowId, tx);
  }

  /** Releases the snapshots of runs that are deleted. */
  async release(runs: readonly Pick<HeldSnapshot, 'content'>[], tx: Tx): Promise<void> {
    for (const [contentId, count] of countByContent(runs))
      await this.deps.versions.release(contentId, count, tx);
  }

  private async parseTest(
    input: JsonObject,
  ): Promise<{ title: string; document: WorkflowDocument }> {
    const found = new Findings();
    const hasTitle = typeof input.title === 'string' && titleKey(input.title) !== '';
    const title =
      (hasTitle ? found.ofSync(() => parseTitle(input.title)) : undefined) ?? 'untitled';
    const written = await runInSlices((slice) =>
      readDocument({ ...input, title: testTitle(title, this.deps.clock.now()) }, found, slice),
    );
    const restored =
      written &&
      (await found.of(() => runInSlices((slice) => restoreDocument(written, null, slice))));
    return { title, document: found.passed(restored).document };
  }

  /** The id of the saved workflow that a document names; null if there is none. */
  private async savedIdOf({ connectionId }: JsonObject): Promise<number | null> {
    const id = idOf(connectionId);
    return id !== null && (await this.deps.reading.byId(id)) !== null ? id : null;
  }

  /**
   * Records the run as the last one of the workflow, and returns the workflow; null if it is
   * deleted. Reads and writes in one store call, because each call delays the start.
   */
  private async recordRun(
    workflowId: number,
    run: StartedRun,
    tx: Tx,
  ): Promise<WorkflowRecord | null> {
    const update = (
      filter: { readonly test?: boolean },
      last: Pick<WorkflowRecord, 'lastRunId'> | Pick<WorkflowRecord, 'lastTestRunId'>,
    ) =>
      this.workflows
        .findOneAndUpdate(
          { _id: workflowId, ...filter },
          { $set: last },
          { session: tx.session, returnDocument: 'after' },
        )
        .lean<WorkflowRecord>();
    const ordinary = run.test ? null : await update({ test: false }, { lastRunId: run.id });
    // A run of a test workflow is always a test run.
    return ordinary ?? (await update({}, { lastTestRunId: run.id }));
  }

  /**
   * Records each run as the last one of its workflow. Returns the existing workflows that are not
   * tests.
   */
  private async recordRuns(
    runs: readonly RunOfWorkflow[],
    tx: Tx,
  ): Promise<Map<number, WorkflowRecord>> {
    const newest = new Map(runs.map(({ id, workflowId }) => [workflowId, id]));
    const records = await this.workflows
      .find({ _id: { $in: [...newest.keys()] }, test: false }, null, { session: tx.session })
      .lean<WorkflowRecord[]>();
    if (records.length > 0)
      await this.workflows.bulkWrite(
        records.map(({ _id }) => ({
          updateOne: { filter: { _id }, update: { $set: { lastRunId: newest.get(_id) } } },
        })),
        { session: tx.session },
      );
    return new Map(records.map((record) => [record._id, record]));
  }

  /** Counts one more run for each of these snapshots. */
  private async countRuns(held: readonly (HeldSnapshot | null)[], tx: Tx): Promise<void> {
    const counts = countByContent(held.filter((snapshot) => snapshot !== null));
    if (counts.size > 0) await this.deps.versions.holdAll(counts, tx);
  }
}

const snapshotOf = (
  { _id, title }: WorkflowRecord,
  { snapshotId, content }: Pick<HeldSnapshot, 'snapshotId' | 'content'>,
  test: boolean,
): HeldSnapshot => ({ workflowId: _id, title, test, temporary: false, snapshotId, content });

function countByContent(runs: readonly Pick<HeldSnapshot, 'content'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { content } of runs) counts.set(content.id, (counts.get(content.id) ?? 0) + 1);
  return counts;
}
