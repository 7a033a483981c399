import type { Collection } from '../../../platform/store/collection';
import type { Store, Tx } from '../../../platform/store/store';
import { isTemporaryTitleKey } from '../document/title';
import type { WorkflowDocument } from '../document/workflow-document';
import type { WorkflowWriter } from '../saving/workflow-writer';
import type { ContentRef, WorkflowRecord } from '../workflow.model';
import { workflowCollection } from '../workflow.model';
import type { WorkflowReader } from '../workflow-reader';
import { workflowNotFound } from '../workflow-reader';
import type { WorkflowVersions } from './workflow-versions';

declare module '../../../platform/context' {
  interface Services {
    workflowSnapshots: WorkflowSnapshots;
  }
}

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
  /** Whether the run goes on after a crash. */
  readonly resume: boolean;
}

interface StartedRun {
  readonly id: number;
  readonly test: boolean;
}

type RunOfWorkflow = Pick<HeldSnapshot, 'workflowId'>;

type RunSnapshot = Pick<HeldSnapshot, 'workflowId' | 'content'>;

/** Snapshots for runs: a snapshot does not change as long as its runs are kept. */
export class WorkflowSnapshots {
  private readonly workflows: Collection<WorkflowRecord>;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly reading: WorkflowReader;
      readonly writing: WorkflowWriter;
      readonly versions: WorkflowVersions;
    },
  ) {
    this.workflows = workflowCollection(deps.store);
  }

  /**
   * Keeps the current version of a workflow for a run, until `release`. Writes that version, so that
   * the start conflicts with a concurrent deletion of the workflow, or a PATCH of the version.
   * @param reading false: the workflow may come from memory, and the commit fails with
   * `RecordChanged` if its version was deleted or changed in between
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async hold(
    workflowId: number,
    run: StartedRun,
    tx: Tx,
    { reading }: { readonly reading: boolean },
  ): Promise<HeldSnapshot> {
    const remembered = reading || run.test ? null : await this.workflows.byId(workflowId);
    if (remembered && !remembered.test) {
      this.deps.versions.holdLater(remembered, tx);
      return snapshotOf(remembered, remembered, false);
    }
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
    const records = await this.workflowsOf(runs, tx);
    const held = runs.map(({ workflowId }) => {
      const record = records.get(workflowId);
      return record ? snapshotOf(record, record, false) : null;
    });
    await this.countRuns(held, tx);
    return held;
  }

  /** `holdAgain` for many runs of workflows that are not tests, in a few writes. */
  async holdAllAgain(runs: readonly RunSnapshot[], tx: Tx): Promise<(HeldSnapshot | null)[]> {
    const contentIds = new Set(runs.map(({ content }) => content.id));
    const versionIds = await this.deps.versions.idsByContent([...contentIds], tx);
    const records = await this.workflowsOf(
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
      this.workflows.find<Pick<WorkflowRecord, '_id'>>(
        { _id: { $in: [...new Set(runs.map(({ workflowId }) => workflowId))] }, test: false },
        { fields: { _id: 1 } },
      ),
    ]);
    const workflowIds = new Set(rows.map(({ _id }) => _id));
    return runs.map(
      ({ workflowId, content }) => workflowIds.has(workflowId) && versionIds.has(content.id),
    );
  }

  /** The unmasked document that a run executes: never return it to a client. */
  async readDocument(snapshot: Pick<HeldSnapshot, 'content'>): Promise<WorkflowDocument> {
    const document = await this.findDocument(snapshot);
    if (!document) throw new Error(`The snapshot ${snapshot.content.id} is missing.`);
    return document;
  }

  /** As `readDocument`; null if it is deleted. */
  async findDocument({ content }: Pick<HeldSnapshot, 'content'>): Promise<WorkflowDocument | null> {
    return (await this.deps.versions.documents([content])).get(content.id) ?? null;
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
    versions.endUse(content.id, tx);
    const record = temporary ? await reading.byId(workflowId, tx) : null;
    if (record && isTemporaryTitleKey(record.titleKey)) await writing.remove(workflowId, tx);
  }

  /** Releases the snapshots of runs that are deleted. */
  async release(runs: readonly Pick<HeldSnapshot, 'content'>[], tx: Tx): Promise<void> {
    for (const [contentId, count] of countByContent(runs))
      await this.deps.versions.release(contentId, count, tx);
  }

  /**
   * Returns the workflow; null if it is deleted. Only rows of test workflows are written: the runs
   * of others must not make readers read them again.
   */
  private async recordRun(
    workflowId: number,
    run: StartedRun,
    tx: Tx,
  ): Promise<WorkflowRecord | null> {
    const record = await this.deps.reading.byId(workflowId, tx);
    if (record?.test)
      await this.workflows.updateOne({ _id: workflowId }, { $set: { lastTestRunId: run.id } }, tx);
    return record;
  }

  /** Returns the existing workflows that are not tests. */
  private async workflowsOf(
    runs: readonly RunOfWorkflow[],
    tx: Tx,
  ): Promise<Map<number, WorkflowRecord>> {
    const ids = [...new Set(runs.map(({ workflowId }) => workflowId))];
    const records = await this.workflows.find({ _id: { $in: ids }, test: false }, { tx });
    return new Map(records.map((record) => [record._id, record]));
  }

  /** Counts one more run for each of these snapshots. */
  private async countRuns(held: readonly (HeldSnapshot | null)[], tx: Tx): Promise<void> {
    const counts = countByContent(held.filter((snapshot) => snapshot !== null));
    if (counts.size > 0) await this.deps.versions.holdAll(counts, tx);
  }
}

const snapshotOf = (
  { _id, title, resume = false }: WorkflowRecord,
  { snapshotId, content }: Pick<HeldSnapshot, 'snapshotId' | 'content'>,
  test: boolean,
): HeldSnapshot => ({
  workflowId: _id,
  title,
  test,
  temporary: false,
  snapshotId,
  content,
  resume,
});

function countByContent(runs: readonly Pick<HeldSnapshot, 'content'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { content } of runs) counts.set(content.id, (counts.get(content.id) ?? 0) + 1);
  return counts;
}
