import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { inTurns } from '../../platform/json/turns';
import { recordsByIds } from '../../platform/store/by-ids';
import { everyRecord } from '../../platform/store/every-record';
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

/** Documents of a list that are read from the store at the same time, compressed; one may weigh 20 MiB. */
const DOCUMENTS_AT_ONCE = 10;

export const workflowNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('CONNECTION_NOT_FOUND', `There is no workflow ${id}.`, { path });

/** Lists leave the workflows of test runs out unless asked for them. */
export const workflowsOfKind = (includeTest: boolean): Record<string, unknown> => ({
  test: includeTest ? { $in: [false, true] } : false,
});

/** A workflow together with its document. */
export interface WorkflowWithDocument {
  readonly record: WorkflowRecord;
  readonly document: WorkflowDocument;
}

/** The document as this actor may see it: whoever may not change it sees no secrets. */
export async function shownTo(actor: Actor, document: WorkflowDocument): Promise<WorkflowDocument> {
  if (allows(workflowPolicy.update, actor)) return document;
  const masked = maskedDocuments.get(document) ?? inTurns((turn) => maskDocument(document, turn));
  maskedDocuments.set(document, masked);
  return masked;
}

/** As long as a document is kept, its masked form is. Who comes while it is made waits for the same. */
const maskedDocuments = new WeakMap<WorkflowDocument, Promise<WorkflowDocument>>();

export type WorkflowReading = ReturnType<typeof createWorkflowReading>;

/** Looks at workflows and their versions. */
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

  /** With its secrets; undefined when it was saved over or deleted meanwhile. */
  async function originalOf(
    record: Pick<WorkflowRecord, 'content'> & { readonly categoryId?: number | null },
  ): Promise<WorkflowDocument | undefined> {
    const document = (await versions.documents([record.content])).get(record.content.id);
    return document && inCategoryOf(record, document);
  }

  const nameOf = ({ content }: Pick<WorkflowRecord, 'content'>): string => content.id;

  /** With its secrets, for the service itself: nothing of it leaves through a door. */
  async function getOriginal(id: number): Promise<WorkflowWithDocument> {
    const whole = await readWhole({ row: () => get(id), nameOf, partOf: originalOf });
    if (!whole) throw workflowNotFound(id);
    return { record: whole.row, document: whole.part };
  }

  /** As it is by now, with its secrets; null where there is none. */
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
    /** Null when there is none. */
    byId,

    /** @throws NotFound CONNECTION_NOT_FOUND */
    get,

    /** By id, in the order asked for; null where there is none. */
    async byIds(ids: readonly number[], tx?: Tx): Promise<(WorkflowRecord | null)[]> {
      return recordsByIds(workflows, ids, { tx });
    },

    /** A page of workflows, those of test runs only when asked for. */
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

    /** The same page of the versions of each workflow, the newest first. */
    versionPages: (
      workflowIds: readonly number[],
      page: PageRequest,
    ): Promise<Page<VersionRecord>[]> => versions.pages(workflowIds, page),

    /** Versions by the id of their snapshot, in the order asked for; null where it is kept no more, or was never saved. */
    versionsByIds: (ids: readonly string[]): Promise<(VersionRecord | null)[]> =>
      versions.byIds(ids),

    /** Versions by the id of their content, in the order asked for; null where it is kept no more, was never saved, or a PATCH replaced it. */
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
     * Workflows whose rows were read, with their documents, in their order: as they are by now where one was saved meanwhile, null where one
     * was deleted.
     */
    withDocuments,

    /** As it is by now, with its document; null where there is none. */
    current: async (actor: Actor, id: number): Promise<WorkflowWithDocument | null> =>
      shown(actor, await currentOf(id)),

    /**
     * The documents by content id, in one store call; one that is gone by now is missing.
     * @throws TooLarge they are too large to be held together
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

    /** All workflows by id, with their documents, as they are read. */
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

    /** By their titles, without those of test runs. */
    searchTitles: titleSearch(workflows, {
      title: 'title',
      key: 'titleKey',
      within: { test: false },
    }),

    /** Is there a workflow with this title, trimmed and without regard to case? */
    async titleTaken(title: string): Promise<boolean> {
      return (await workflows.exists({ titleKey: titleKey(title) })) !== null;
    },
  };
}
