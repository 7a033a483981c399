import { derived } from '../../platform/cache';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { MaskingRule } from '../../platform/redaction';
import type { Collection } from '../../platform/store/collection';
import { everyRecord } from '../../platform/store/records';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Order, Page, PageRequest } from '../../platform/store/lists/keyset';
import { pagesOf } from '../../platform/store/lists/pages-of';
import { readWhole } from '../../platform/store/read-whole';
import { titleSearch } from '../../platform/store/lists/title-search';
import type { TitleSearch } from '../../platform/store/lists/title-search';
import type { Store, Tx } from '../../platform/store/store';
import { inCategoryOf } from './document/stored-document';
import type { MaskingRuleRecords } from './rules/rule-records';
import { workflowOfKey } from './testing/test-key.service';
import { maskDocument } from './masking/mask-document';
import type { WorkflowDocument } from './document/workflow-document';
import type { ContentRef, WorkflowRecord } from './workflow.model';
import { workflowCollection } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import { titleKey } from './document/title';
import { withoutNotes } from './document/two-containers';
import { webhookVariables } from './document/webhook-variables';
import type { WebhookVariable } from './document/webhook-variables';
import { DocumentsTogether } from './document/packed-json';
import type { WorkflowVersions } from './versions/workflow-versions';

/** Compressed documents of a list that are read at the same time; each may have up to 4 MiB, or 20 MiB if it was imported. */
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

const maskedDocument = derived(maskDocument);
const variablesOf = derived((document: WorkflowDocument) =>
  webhookVariables(withoutNotes(document)),
);

/** Returns the document, masked if the actor may not change workflows. */
export function shownTo(actor: Actor, document: WorkflowDocument): WorkflowDocument {
  return allows(workflowPolicy.update, actor) ? document : maskedDocument(document);
}

/** Reads workflows and their documents. */
export class WorkflowReader {
  /** Title search, without workflows of test runs. */
  readonly searchTitles: TitleSearch;
  protected readonly workflows: Collection<WorkflowRecord>;

  constructor(
    store: Store,
    protected readonly versions: WorkflowVersions,
    private readonly rules: MaskingRuleRecords,
  ) {
    this.workflows = workflowCollection(store);
    this.searchTitles = titleSearch(this.workflows, {
      title: 'title',
      key: 'titleKey',
      within: { test: false },
    });
  }

  /** Returns null if missing. */
  async byId(id: number, tx?: Tx): Promise<WorkflowRecord | null> {
    return this.workflows.byId(id, tx);
  }

  /** @throws NotFound CONNECTION_NOT_FOUND */
  async get(id: number, tx?: Tx): Promise<WorkflowRecord> {
    const record = await this.byId(id, tx);
    if (!record) throw workflowNotFound(id);
    return record;
  }

  /** Workflows by id, in the given order; null if missing. */
  byIds(ids: readonly number[], tx?: Tx): Promise<(WorkflowRecord | null)[]> {
    return this.workflows.byIds(ids, { tx });
  }

  /** A page of workflows; those of test runs only if requested. */
  page(
    filter: Record<string, unknown>,
    page: PageRequest,
    more: { includeTest: boolean; orderBy: readonly Order[] },
  ): Promise<Page<WorkflowRecord>> {
    return pageOf(this.workflows, {
      ...page,
      filter,
      within: workflowsOfKind(more.includeTest),
      orderBy: more.orderBy,
    });
  }

  /** One page of workflows per category, in order of creation, without those of test runs. */
  pagesOfCategories(
    categoryIds: readonly number[],
    page: PageRequest,
  ): Promise<Page<WorkflowRecord>[]> {
    return pagesOf(this.workflows, 'categoryId', categoryIds, {
      ...page,
      within: { test: false },
      orderBy: [{ field: 'createdAt', direction: 'asc', isDefault: true }],
    });
  }

  /** Returns whether a workflow has this title, trimmed and without regard to case. */
  async titleTaken(title: string): Promise<boolean> {
    return this.workflows.exists({ titleKey: titleKey(title) });
  }

  /**
   * The workflow with its unmasked document, for internal use: never return it to a client.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async getOriginal(id: number): Promise<WorkflowWithDocument> {
    const workflow = await this.originalById(id);
    if (!workflow) throw workflowNotFound(id);
    return workflow;
  }

  /** The unmasked document; undefined if a save or deletion has removed it since. */
  async originalOf(
    record: Pick<WorkflowRecord, 'content'> & { readonly categoryId?: number | null },
  ): Promise<WorkflowDocument | undefined> {
    const document = (await this.versions.documents([record.content])).get(record.content.id);
    return document && inCategoryOf(record, document);
  }

  /**
   * The current workflow with its document, masked for the actor.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async getWithDocument(actor: Actor, id: number): Promise<WorkflowWithDocument> {
    return maskedFor(actor, await this.getOriginal(id));
  }

  /** Like `getWithDocument`; null if missing. */
  async current(actor: Actor, id: number): Promise<WorkflowWithDocument | null> {
    const workflow = await this.originalById(id);
    return workflow && maskedFor(actor, workflow);
  }

  /**
   * Adds the documents to workflows whose rows were read, in the given order. Returns the current
   * version of those saved since, and null for those deleted.
   */
  async *withDocuments(
    actor: Actor,
    records: readonly WorkflowRecord[],
  ): AsyncGenerator<WorkflowWithDocument | null, void, void> {
    let at = 0;
    const contents = records.map(({ content }) => content);
    for await (const { document } of this.versions.eachDocument(contents)) {
      const record = records[at++];
      yield document
        ? await maskedFor(actor, { record, document: inCategoryOf(record, document) })
        : await this.current(actor, record._id);
    }
  }

  /**
   * The documents by content id, in one store call, without deleted ones.
   * @throws TooLarge the documents do not fit into memory together
   */
  async documents(
    actor: Actor,
    contents: readonly ContentRef[],
  ): Promise<Map<string, WorkflowDocument>> {
    const byId = new Map<string, WorkflowDocument>();
    const unique = [...new Map(contents.map((ref) => [ref.id, ref])).values()];
    // Without a promise for each: a page has many.
    const others = unique.filter((ref) => {
      const document = allows(workflowPolicy.update, actor) && this.versions.cachedDocument(ref);
      if (document) byId.set(ref.id, document);
      return !document;
    });
    const together = new DocumentsTogether();
    for await (const { ref, document, unpackedBytes } of this.versions.eachDocument(others)) {
      together.add(unpackedBytes);
      if (document) byId.set(ref.id, shownTo(actor, document));
    }
    return byId;
  }

  /** All workflows by id, with their documents, streamed. */
  async *all(
    actor: Actor,
    { includeTest }: { includeTest: boolean },
  ): AsyncGenerator<WorkflowWithDocument, void, void> {
    const batches = everyRecord(
      this.workflows,
      includeTest ? {} : { test: false },
      null,
      DOCUMENTS_AT_ONCE,
    );
    for await (const records of batches) {
      for await (const current of this.withDocuments(actor, records)) if (current) yield current;
    }
  }

  /**
   * Returns the parameters of the webhook that starts a workflow.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async webhookVariables(workflowId: number): Promise<readonly WebhookVariable[]> {
    return variablesOf((await this.getOriginal(workflowId)).document);
  }

  /** Returns the error workflow; null if there is none or the workflow is deleted. */
  async errorWorkflowIdOf(workflowId: number, tx: Tx): Promise<number | null> {
    const row = await this.workflows.findOne<Pick<WorkflowRecord, 'errorWorkflowId'>>(
      { _id: workflowId },
      { tx, fields: { errorWorkflowId: 1 } },
    );
    return row?.errorWorkflowId ?? null;
  }

  /**
   * The masking rules for a run log. Empty if the log belongs to no workflow; null if the workflow
   * is deleted, and its rules with it.
   */
  async rulesOfLog(key: string): Promise<MaskingRule[] | null> {
    const workflowId = workflowOfKey(key);
    if (workflowId === null) return [];
    const rules = await this.rules.of(workflowId);
    if (rules.length === 0 && (await this.byId(workflowId)) === null) return null;
    return rules.map(({ type, expression }) => ({ type, expression }));
  }

  private async originalById(id: number): Promise<WorkflowWithDocument | null> {
    const result = await readWhole({
      row: () => this.byId(id),
      nameOf: ({ content }: WorkflowRecord) => content.id,
      partOf: (row) => this.originalOf(row),
    });
    return result && { record: result.row, document: result.part };
  }
}

const maskedFor = async (
  actor: Actor,
  { record, document }: WorkflowWithDocument,
): Promise<WorkflowWithDocument> => ({ record, document: shownTo(actor, document) });
