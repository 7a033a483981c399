import { ObjectId } from 'bson';
import type { Collection } from '../../../platform/store/collection';
import type { Page, PageRequest } from '../../../platform/store/lists/keyset';
import { pagesOf } from '../../../platform/store/lists/pages-of';
import type { Store, Tx } from '../../../platform/store/store';
import { documentFacts } from '../document/document-facts';
import type { DocumentFacts } from '../document/document-facts';
import type { WorkflowDocument } from '../document/workflow-document';
import type { Author, ContentRef, VersionRecord } from '../workflow.model';
import { versionSchema } from '../workflow.model';
import { WorkflowContents } from './workflow-contents';
import type { PackedContent, ReadContent } from './workflow-contents';

/**
 * A compressed document, ready to be written as a new or changed version. Created outside of
 * transactions.
 */
export interface PackedVersion {
  readonly id: string;
  readonly document: WorkflowDocument;
  readonly content: PackedContent;
  readonly facts: DocumentFacts;
}

/** The fields of a version other than its document. */
interface VersionFacts {
  readonly workflowId: number;
  readonly number: number;
  readonly author: Author;
  readonly createdAt: Date;
  readonly comment: string | null;
  readonly patchedAt: Date | null;
  /** True for a snapshot that exists for its run only. */
  readonly discarded: boolean;
}

/** Which version a run executes, and its content at that time. */
interface HeldVersion {
  readonly snapshotId: string;
  readonly content: ContentRef;
}

/** Batch size of version lists. */
const ROWS_AT_ONCE = 200;

/**
 * The snapshots that saves create. A snapshot that a run executed is kept as long as the run, even
 * if the workflow is changed or deleted.
 */
export class WorkflowVersions {
  private readonly contents: WorkflowContents;
  private readonly versions: Collection<VersionRecord>;

  constructor(store: Store) {
    this.contents = new WorkflowContents(store);
    this.versions = store.collection<VersionRecord>(
      'WorkflowVersion',
      versionSchema,
      'workflow_versions',
    );
  }

  async pack(document: WorkflowDocument): Promise<PackedVersion> {
    const id = new ObjectId().toHexString();
    return {
      id,
      document,
      content: await this.contents.pack(id, document),
      facts: documentFacts(document),
    };
  }

  async write(
    { id, document, content }: PackedVersion,
    facts: VersionFacts,
    tx: Tx,
  ): Promise<void> {
    await this.contents.write(content, tx);
    await this.versions.insert(
      { _id: id, title: document.title, content: content.ref, uses: 0, kept: 0, ...facts },
      tx,
    );
  }

  /**
   * Replaces the content of a version. The old content is kept as long as a run that executed it.
   */
  async rewrite(
    version: VersionRecord,
    { document, content }: PackedVersion,
    patchedAt: Date,
    tx: Tx,
  ): Promise<void> {
    await this.contents.write(content, tx);
    await this.versions.updateOne(
      { _id: version._id },
      { $set: { title: document.title, content: content.ref, patchedAt, uses: 0, kept: 0 } },
      tx,
    );
    if (version.kept <= 0) await this.contents.remove([version.content], tx);
    else
      await this.versions.insert(
        { ...version, _id: new ObjectId().toHexString(), discarded: true },
        tx,
      );
  }

  comment(id: string, comment: string | null, tx: Tx): Promise<VersionRecord> {
    return this.versions.change(id, { comment }, tx);
  }

  /**
   * Removes all versions except the newest `keep` and the current one, which may be older after a
   * switch.
   */
  async prune(
    workflowId: number,
    { keep, current }: { readonly keep: number; readonly current: string },
    tx: Tx,
  ): Promise<void> {
    const surplus = await this.versions.find(
      { workflowId, discarded: false, _id: { $ne: current } },
      { tx, sort: { number: -1 }, skip: keep - 1 },
    );
    await this.discard(surplus, tx);
  }

  /** Precondition: no run executes it. */
  remove(version: VersionRecord, tx: Tx): Promise<void> {
    return this.discard([version], tx);
  }

  async discardAll(workflowId: number, tx: Tx): Promise<void> {
    const rows = await this.versions.find({ workflowId }, { tx });
    await this.discard(rows, tx);
  }

  /** Deletes versions; those that runs executed are kept for them. */
  private async discard(rows: readonly VersionRecord[], tx: Tx): Promise<void> {
    const used = rows.filter((row) => row.kept > 0).map((row) => row._id);
    const unused = rows.filter((row) => row.kept <= 0);
    if (used.length > 0)
      await this.versions.updateMany({ _id: { $in: used } }, { $set: { discarded: true } }, tx);
    if (unused.length === 0) return;
    await this.versions.deleteMany({ _id: { $in: unused.map((row) => row._id) } }, tx);
    await this.contents.remove(
      unused.map((row) => row.content),
      tx,
    );
  }

  /** A version of this workflow; null if missing or kept only for runs. */
  async of(workflowId: number, id: string, tx?: Tx): Promise<VersionRecord | null> {
    return this.versions.findOne({ _id: id, workflowId, discarded: false }, { tx });
  }

  /** All versions of a workflow, newest first, in batches. */
  async *all(workflowId: number): AsyncGenerator<VersionRecord[], void, void> {
    for (let before = Infinity; ;) {
      const rows = await this.versions.find(
        {
          workflowId,
          discarded: false,
          ...(before !== Infinity && { number: { $lt: before } }),
        },
        { sort: { number: -1 }, limit: ROWS_AT_ONCE },
      );
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_AT_ONCE) return;
      before = rows[rows.length - 1].number;
    }
  }

  /** Includes discarded versions; null if missing. */
  async byId(id: string, tx: Tx): Promise<VersionRecord | null> {
    return this.versions.byId(id, tx);
  }

  async isNewest({ workflowId, number }: VersionRecord, tx: Tx): Promise<boolean> {
    const newer = { workflowId, number: { $gt: number }, discarded: false };
    return !(await this.versions.exists(newer, tx));
  }

  /** One page per workflow, newest first, without versions kept only for runs. */
  pages(workflowIds: readonly number[], page: PageRequest): Promise<Page<VersionRecord>[]> {
    return pagesOf(this.versions, 'workflowId', workflowIds, {
      ...page,
      within: { discarded: false },
      orderBy: [
        { field: 'number', direction: 'desc' },
        { field: '_id', direction: 'asc' },
      ],
    });
  }

  /**
   * Versions by content id, in the given order, in one query; null if the content was replaced or
   * is kept only for runs.
   */
  async byContents(contentIds: readonly string[]): Promise<(VersionRecord | null)[]> {
    const rows = await this.versions.find({
      'content.id': { $in: [...contentIds] },
      discarded: false,
    });
    const byContent = new Map(rows.map((row) => [row.content.id, row]));
    return contentIds.map((id) => byContent.get(id) ?? null);
  }

  /** Includes discarded versions; null if missing. */
  async byContent(contentId: string): Promise<VersionRecord | null> {
    return this.versions.findOne({ 'content.id': contentId });
  }

  /** See `WorkflowContents.each`. */
  eachDocument(refs: readonly ContentRef[]): AsyncGenerator<ReadContent, void, void> {
    return this.contents.each(refs);
  }

  /** The document if it is in memory. */
  cachedDocument(ref: ContentRef): WorkflowDocument | undefined {
    return this.contents.cached(ref);
  }

  /** The documents by content id, without deleted ones. */
  documents(refs: readonly ContentRef[]): Promise<Map<string, WorkflowDocument>> {
    return this.contents.read(refs);
  }

  /** Counts one more run for this content. Returns the id of its version; null if it is deleted. */
  async hold(contentId: string, tx: Tx): Promise<string | null> {
    const row = await this.versions.findOneAndUpdate<Pick<VersionRecord, '_id'>>(
      { 'content.id': contentId },
      { $inc: { uses: 1, kept: 1 } },
      { tx, fields: { _id: 1 } },
    );
    return row?._id ?? null;
  }

  /** As `hold`, at the latest with the commit, which fails if the version is deleted or changed. */
  holdLater({ snapshotId, content }: HeldVersion, tx: Tx): void {
    this.versions.updateLater(
      {
        filter: { _id: snapshotId, 'content.id': content.id, discarded: false },
        update: { $inc: { uses: 1, kept: 1 } },
      },
      tx,
    );
  }

  /** Counts more runs for each of these contents; the map contains their number. */
  async holdAll(runs: ReadonlyMap<string, number>, tx: Tx): Promise<void> {
    await this.versions.updateEach(
      [...runs].map(([contentId, count]) => ({
        filter: { 'content.id': contentId },
        update: { $inc: { uses: count, kept: count } },
      })),
      tx,
    );
  }

  /** The version ids by content id, without deleted ones. */
  async idsByContent(contentIds: readonly string[], tx?: Tx): Promise<ReadonlyMap<string, string>> {
    const rows = await this.versions.find<Pick<VersionRecord, '_id' | 'content'>>(
      { 'content.id': { $in: [...contentIds] } },
      { tx, fields: { 'content.id': 1 } },
    );
    return new Map(rows.map(({ _id, content }) => [content.id, _id]));
  }

  /** Returns whether an unfinished run executes a version of this workflow. */
  async isExecuted(workflowId: number, tx: Tx): Promise<boolean> {
    const version = await this.versions.findOne(
      { workflowId, uses: { $gt: 0 } },
      { tx, fields: { _id: 1 } },
    );
    return version !== null;
  }

  /** Records the end of a run of this content. */
  endUse(contentId: string, tx: Tx): void {
    this.versions.updateLater(
      { filter: { 'content.id': contentId }, update: { $inc: { uses: -1 } }, isOptional: true },
      tx,
    );
  }

  /** Releases the content for this number of deleted runs. */
  async release(contentId: string, runs: number, tx: Tx): Promise<void> {
    const row = await this.versions.findOneAndUpdate(
      { 'content.id': contentId },
      { $inc: { kept: -runs } },
      { tx },
    );
    if (row?.discarded && row.kept <= 0) await this.discard([row], tx);
  }
}
