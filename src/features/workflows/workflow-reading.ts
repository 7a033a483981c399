import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { inTurns } from '../../platform/event-loop';
import { everyRecord, recordsByIds } from '../../platform/store/records';
import { pageOf } from '../../platform/store/keyset';
import type { Order, Page, PageRequest } from '../../platform/store/keyset';
import { readWhole } from '../../platform/store/read-whole';
import { titleSearch } from '../../platform/store/title-search';
import type { Tx } from '../../platform/store/store';
import { inCategoryOf } from './references/category-of-document';
import { maskDocument } from './masking/mask-document';
import type { WorkflowDocument } from './workflow.document';
import type { ContentRef, VersionRecord, WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import { titleKey } from './workflow.title';
import { DocumentsTogether } from './versions/packed-json';
import type { WorkflowVersions } from './versions/workflow-versions';

/** Compressed documents of a list that are read at the same time; each may have up to 20 MiB. */
const DOCUMENTS_AT_ONCE = 10;

export const workflowNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('CONNECTION_NOT_FOUND', `There is no workflow ${id}.`, { path });

/** Lists exclude workflows of test runs unless requested. */
export const workflowsOfKind = (includeTest: boolean): Record<string, unknown> => ({
  test: includeTest ? { $in: [false, true] } : false,
});

export interface WorkflowWithDocument {
  readonly record: WorkflowRecord;
  readonly document: WorkflowDocument;
}

/** Returns the document, masked if the actor may not change workflows. */
export async function shownTo(actor: Actor, document: WorkflowDocument): Promise<WorkflowDocument> {
  if (allows(workflowPolicy.update, actor)) return document;
  const masked = maskedDocuments.get(document) ?? inTurns((turn) => maskDocument(document, turn));
  maskedDocuments.set(document, masked);
  return masked;
}

/** Cached as long as the document. Concurrent callers share one computation. */
const maskedDocuments = new WeakMap<WorkflowDocument, Promise<WorkflowDocument>>();

export type WorkflowReading = ReturnType<typeof createWorkflowReading>;

/** Reads workflows and their versions. */
export function createWorkflowReading({
  workflows,
  versions,
}: {
  workflows: Model<WorkflowRecord>;
  versions: WorkflowVersions;
}) {
  async function byId(id: number, tx?: Tx): Promise<WorkflowRecord | null> {
    return workflows.findById(id, null, { session: tx?.session }).lean<WorkflowRecord>();
  }

  async function get(id: number, tx?: Tx): Promise<WorkflowRecord> {
    const record = await byId(id, tx);
    if (!record) throw workflowNotFound(id);
    return record;
  }

  /** The unmasked document; undefined if a save or deletion has removed it since. */
  async function originalOf(
    record: Pick<WorkflowRecord, 'content'> & { readonly categoryId?: number | null },
  ): Promise<WorkflowDocument | undefined> {
    const document = (await versions.documents([record.content])).get(record.content.id);
    return document && inCategoryOf(record, document);
  }

  const nameOf = ({ content }: Pick<WorkflowRecord, 'content'>): string => content.id;

  /** The workflow with its unmasked document, for internal use: never return it to a client. */
  async function getOriginal(id: number): Promise<WorkflowWithDocument> {
    const whole = await readWhole({ row: () => get(id), nameOf, partOf: originalOf });
    if (!whole) throw workflowNotFound(id);
    return { record: whole.row, document: whole.part };
  }

  /** The current workflow with its unmasked document; null if missing. */
  async function currentOf(id: number): Promise<WorkflowWithDocument | null> {
    const whole = await readWhole({ row: () => byId(id), nameOf, partOf: originalOf });
    return whole && { record: whole.row, document: whole.part };
  }

  const shown = async (
    actor: Actor,
    whole: WorkflowWithDocument | null,
  ): Promise<WorkflowWithDocument | null> =>
    whole && { record: whole.record, document: await shownTo(actor, whole.document) };

  async function* withDocuments(
    actor: Actor,
    records: readonly WorkflowRecord[],
  ): AsyncGenerator<WorkflowWithDocument | null, void, void> {
    let at = 0;
    for await (const { document } of versions.eachDocument(records.map(({ content }) => content))) {
      const read = records[at++];
      yield await shown(
        actor,
        document
          ? { record: read, document: inCategoryOf(read, document) }
          : await currentOf(read._id),
      );
    }
  }

  return {
    /** Returns null if missing. */
    byId,

    /** @throws NotFound CONNECTION_NOT_FOUND */
    get,

    /** Workflows by id, in the given order; null if missing. */
    async byIds(ids: readonly number[], tx?: Tx): Promise<(WorkflowRecord | null)[]> {
      return recordsByIds(workflows, ids, { tx });
    },

    /** A page of workflows; those of test runs only if requested. */
    page(
      filter: Record<string, unknown>,
      page: PageRequest,
      more: { includeTest: boolean; orderBy: readonly Order[] },
    ): Promise<Page<WorkflowRecord>> {
      return pageOf(workflows, {
        ...page,
        filter,
        within: workflowsOfKind(more.includeTest),
        orderBy: more.orderBy,
      });
    },

    /** One page of versions per workflow, newest first. */
    versionPages: (
      workflowIds: readonly number[],
      page: PageRequest,
    ): Promise<Page<VersionRecord>[]> => versions.pages(workflowIds, page),

    /** Versions by snapshot id, in the given order; null if deleted or never saved. */
    versionsByIds: (ids: readonly string[]): Promise<(VersionRecord | null)[]> =>
      versions.byIds(ids),

    /**
     * Versions by content id, in the given order; null if deleted, never saved, or replaced by a
     * PATCH.
     */
    versionsByContents: (contentIds: readonly string[]): Promise<(VersionRecord | null)[]> =>
      versions.byContents(contentIds),

    getOriginal,
    originalOf,

    /** @throws NotFound CONNECTION_NOT_FOUND */
    async getWithDocument(actor: Actor, id: number): Promise<WorkflowWithDocument> {
      const { record, document } = await getOriginal(id);
      return { record, document: await shownTo(actor, document) };
    },

    /**
     * Adds the documents to workflows whose rows were read, in the given order. Returns the current
     * version of those saved since, and null for those deleted.
     */
    withDocuments,

    /** The current workflow with its document, masked for the actor; null if missing. */
    current: async (actor: Actor, id: number): Promise<WorkflowWithDocument | null> =>
      shown(actor, await currentOf(id)),

    /**
     * The documents by content id, in one store call, without deleted ones.
     * @throws TooLarge the documents do not fit into memory together
     */
    async documents(
      actor: Actor,
      contents: readonly ContentRef[],
    ): Promise<Map<string, WorkflowDocument>> {
      const found = new Map<string, WorkflowDocument>();
      const together = new DocumentsTogether();
      for await (const { ref, document, unpackedBytes } of versions.eachDocument(contents)) {
        together.add(unpackedBytes);
        if (document) found.set(ref.id, await shownTo(actor, document));
      }
      return found;
    },

    /** All workflows by id, with their documents, streamed. */
    async *all(
      actor: Actor,
      { includeTest }: { includeTest: boolean },
    ): AsyncGenerator<WorkflowWithDocument, void, void> {
      for await (const records of everyRecord(
        workflows,
        includeTest ? {} : { test: false },
        null,
        DOCUMENTS_AT_ONCE,
      )) {
        for await (const current of withDocuments(actor, records)) if (current) yield current;
      }
    },

    /** Title search, without workflows of test runs. */
    searchTitles: titleSearch(workflows, {
      title: 'title',
      key: 'titleKey',
      within: { test: false },
    }),

    /** Returns whether a workflow has this title, trimmed and without regard to case. */
    async titleTaken(title: string): Promise<boolean> {
      return (await workflows.exists({ titleKey: titleKey(title) })) !== null;
    },
  };
}
