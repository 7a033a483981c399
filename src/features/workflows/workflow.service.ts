import { allows } from '../../platform/access/need';
import type { Actor } from '../../platform/access/actor';
import type { Config } from '../../config/config';
import type { Clock } from '../../platform/clock/clock';
import { Conflict, Forbidden, NotFound, Refused } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import { pageOf } from '../../platform/store/keyset';
import type { Order, Page, PageRequest } from '../../platform/store/keyset';
import type { Store, Tx } from '../../platform/store/store';
import { isDuplicateKey } from '../../platform/store/store';
import { characters } from '../../platform/text/characters';
import type { AuditService } from '../audit/audit.service';
import { isJsonObject } from './json';
import type { WorkflowChange } from './workflow-change';
import { applyChange } from './workflow-change';
import type { WorkflowDocument } from './workflow.document';
import { parseDocument } from './workflow.document';
import type { WorkflowChanged } from './workflow.events';
import { WORKFLOW_TOPIC } from './workflow.events';
import type { Author, ContentRef, VersionRecord, WorkflowRecord } from './workflow.model';
import { workflowSchema } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import { isTestTitle, parseTitle, temporaryTitleKey, testTitle, titleKey } from './workflow.title';
import type { PackedVersion } from './workflow-versions';
import { createWorkflowVersions } from './workflow-versions';

declare module '../../platform/context' {
  interface Services {
    workflows: WorkflowService;
  }
}

export type WorkflowService = ReturnType<typeof createWorkflowService>;

/** A workflow together with its document. */
export interface Workflow {
  readonly row: WorkflowRecord;
  readonly document: WorkflowDocument;
}

export interface SaveOptions {
  /** Fails with CONFLICT when the workflow has another version by now. */
  readonly expectedVersion?: number | null;
  readonly comment?: string | null;
}

/** What a run executes. */
export interface HeldSnapshot {
  readonly workflowId: number;
  readonly title: string;
  readonly test: boolean;
  /** Made for this run only. */
  readonly temporary: boolean;
  readonly content: ContentRef;
}

/** A document that was read and compressed, to be run once. */
export interface PreparedTest {
  readonly workflowId: number;
  readonly packed: PackedVersion;
}

export interface WorkflowDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly config: Pick<Config, 'workflow'>;
}

/** Characters of what is said about a version. */
const COMMENT_LENGTH = 500;

/** The rules of workflows. Every save is one transaction: the workflow, its version snapshot and the audit record. */
export function createWorkflowService({ store, bus, clock, audit, config }: WorkflowDependencies) {
  const workflows = store.model<WorkflowRecord>('Workflow', workflowSchema, 'workflows');
  const versions = createWorkflowVersions(store);

  const notFound = (id: number): NotFound => new NotFound('CONNECTION_NOT_FOUND', `There is no workflow ${id}.`, { path: ['id'] });
  const authorOf = ({ userId, email }: Actor): Author => ({ userId, email });

  async function byId(id: number, tx?: Tx): Promise<WorkflowRecord> {
    const row = await workflows.findById(id, null, { session: tx?.session }).lean<WorkflowRecord>();
    if (!row) throw notFound(id);
    return row;
  }

  async function withDocument(row: WorkflowRecord): Promise<Workflow> {
    const document = (await versions.documents([row.content])).get(row.content.id);
    if (document) return { row, document };
    // Saved or deleted between the two reads: look again, once.
    const fresh = await byId(row._id);
    const found = (await versions.documents([fresh.content])).get(fresh.content.id);
    if (!found) throw new Error(`The document ${fresh.content.id} of workflow ${row._id} is missing.`);
    return { row: fresh, document: found };
  }

  /** Nobody else may have the title; the unique index says so. */
  async function writing<R>(work: (tx: Tx) => Promise<R>, title: string): Promise<R> {
    try {
      return await store.transaction(work);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new Conflict('TITLE_HAS_ALREADY_TAKEN', `There is already a workflow with the title ${JSON.stringify(title)}.`, { path: ['title'] });
    }
  }

  function factsOf({ document, content }: PackedVersion): Pick<WorkflowRecord, 'title' | 'titleKey' | 'description' | 'test' | 'content' | 'methods' | 'operators'> {
    return {
      title: document.title,
      titleKey: titleKey(document.title),
      description: document.description ?? null,
      test: isTestTitle(document.title),
      content: content.ref,
      methods: document.fromConnector.methods.length,
      operators: document.fromConnector.operators.length,
    };
  }

  async function insert(actor: Actor, id: number, packed: PackedVersion, more: { comment: string | null; forOneRun: boolean }, tx: Tx): Promise<WorkflowRecord> {
    const now = clock.now();
    const author = authorOf(actor);
    const row: WorkflowRecord = {
      _id: id, ...factsOf(packed), ...(more.forOneRun ? { titleKey: temporaryTitleKey(id) } : {}), version: 1, createdAt: now, createdBy: author, updatedAt: now, updatedBy: author, lastRunId: null, lastTestRunId: null,
    };
    await workflows.create([row], { session: tx.session });
    await versions.write(packed, { workflowId: id, number: 1, author, createdAt: now, comment: more.comment, discarded: more.forOneRun }, tx);
    return row;
  }

  async function create(actor: Actor, input: unknown, options: SaveOptions = {}): Promise<Workflow> {
    const document = parseDocument(input);
    const packed = await versions.pack(document);
    const id = await store.nextId('workflows');
    const row = await writing(async (tx) => {
      const created = await insert(actor, id, packed, { comment: options.comment ?? null, forOneRun: false }, tx);
      await audit.record(actor, 'workflow.create', { type: 'Workflow', id }, null, recorded(created), tx);
      announce(id, 'created', tx);
      return created;
    }, document.title);
    return { row, document };
  }

  async function update(actor: Actor, id: number, input: unknown, options: SaveOptions = {}): Promise<Workflow> {
    await byId(id);
    const document = parseDocument(input);
    const packed = await versions.pack(document);
    const row = await writing(async (tx) => {
      const before = await byId(id, tx);
      if (options.expectedVersion != null && options.expectedVersion !== before.version) {
        throw new Conflict('CONFLICT', `The workflow has version ${before.version} by now, not ${options.expectedVersion}.`, { path: ['expectedVersion'] });
      }
      const changes = { ...factsOf(packed), version: before.version + 1, updatedAt: clock.now(), updatedBy: authorOf(actor) };
      await workflows.updateOne({ _id: id }, { $set: changes }, { session: tx.session });
      await versions.write(packed, {
        workflowId: id, number: changes.version, author: changes.updatedBy, createdAt: changes.updatedAt, comment: options.comment ?? null, discarded: false,
      }, tx);
      await versions.prune(id, config.workflow.versionsKeep, tx);
      const after: WorkflowRecord = { ...before, ...changes };
      await audit.record(actor, 'workflow.update', { type: 'Workflow', id }, recorded(before), recorded(after), tx);
      announce(id, 'updated', tx);
      return after;
    }, document.title);
    return { row, document };
  }

  function announce(workflowId: number, change: WorkflowChanged['change'], tx: Tx): void {
    tx.afterCommit(() => bus.publish<WorkflowChanged>(WORKFLOW_TOPIC, { workflowId, change }));
  }

  return {
    /** A page of workflows, those of test runs only when asked for. */
    page(filter: Record<string, unknown>, page: PageRequest, more: { includeTest: boolean; orderBy: readonly Order[] }): Promise<Page<WorkflowRecord>> {
      const hidden = more.includeTest ? [] : [{ test: false }];
      return pageOf(workflows, { ...page, filter: { $and: [filter, ...hidden] }, orderBy: more.orderBy });
    },

    /** A page of the versions of a workflow, the newest first. */
    versionPage: (workflowId: number, page: PageRequest): Promise<Page<VersionRecord>> => versions.page(workflowId, page),

    /**
     * Saves a new workflow.
     * @throws Refused  what `parseDocument` refuses
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN
     */
    create,

    /**
     * Replaces a workflow; the version before stays as a snapshot.
     * @throws NotFound CONNECTION_NOT_FOUND
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN, or CONFLICT when `expectedVersion` is not the current one
     * @throws Refused  what `parseDocument` refuses
     */
    update,

    /**
     * Creates a workflow (no `id`) or changes the given parts of one; what the change does not name stays as it is.
     * @throws Forbidden may not create, or not update
     * @throws what `create` and `update` throw
     */
    async save(actor: Actor, id: number | null, change: WorkflowChange, options: SaveOptions = {}): Promise<Workflow> {
      const need = id === null ? workflowPolicy.create : workflowPolicy.update;
      if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
      if (characters(options.comment ?? '') > COMMENT_LENGTH) {
        throw new Refused('WORKFLOW_INVALID', `A comment has at most ${COMMENT_LENGTH} characters.`, { path: ['comment'] });
      }
      if (id === null) return create(actor, applyChange({}, change), options);
      const { row, document } = await withDocument(await byId(id));
      return update(actor, id, applyChange(document, change), { ...options, expectedVersion: options.expectedVersion ?? row.version });
    },

    /** @throws NotFound CONNECTION_NOT_FOUND */
    async remove(actor: Actor, id: number): Promise<void> {
      await store.transaction(async (tx) => {
        const before = await byId(id, tx);
        await workflows.deleteOne({ _id: id }, { session: tx.session });
        await versions.discardAll(id, tx);
        await audit.record(actor, 'workflow.delete', { type: 'Workflow', id }, recorded(before), null, tx);
        announce(id, 'deleted', tx);
      });
    },

    byId: (id: number): Promise<WorkflowRecord> => byId(id),

    /** @throws NotFound CONNECTION_NOT_FOUND */
    withDocument,

    /** The document of each, in one store call; a row whose document is gone by now is missing. */
    async documentsOf(rows: readonly Pick<WorkflowRecord, 'content'>[]): Promise<Map<string, WorkflowDocument>> {
      return versions.documents(rows.map((row) => row.content));
    },

    /** By id, in the order asked for; null where there is none. */
    async byIds(ids: readonly number[]): Promise<(WorkflowRecord | null)[]> {
      const rows = await workflows.find({ _id: { $in: ids } }).lean<WorkflowRecord[]>();
      const known = new Map(rows.map((row) => [row._id, row]));
      return ids.map((id) => known.get(id) ?? null);
    },

    /** All workflows in the order of their creation, with their documents. */
    async all({ includeTest }: { includeTest: boolean }): Promise<Workflow[]> {
      const rows = await workflows.find(includeTest ? {} : { test: false }).sort({ _id: 1 }).lean<WorkflowRecord[]>();
      const documents = await versions.documents(rows.map((row) => row.content));
      return rows.flatMap((row) => {
        const document = documents.get(row.content.id);
        return document ? [{ row, document }] : [];
      });
    },

    /** Is there a workflow with this title, trimmed and without regard to case? */
    async titleTaken(title: string): Promise<boolean> {
      return (await workflows.exists({ titleKey: titleKey(title) })) !== null;
    },

    /**
     * Keeps the current version of a workflow for a run, until `releaseSnapshot`. Writes the workflow too, so that a save, a deletion
     * and a run never pass each other unseen.
     * @throws NotFound CONNECTION_NOT_FOUND
     */
    async holdSnapshot(workflowId: number, run: { readonly id: number; readonly test: boolean }, tx: Tx): Promise<HeldSnapshot> {
      const row = await byId(workflowId, tx);
      const test = run.test || row.test;
      await workflows.updateOne({ _id: workflowId }, { $set: test ? { lastTestRunId: run.id } : { lastRunId: run.id } }, { session: tx.session });
      await versions.hold(row.content.id, tx);
      return { workflowId, title: row.title, test, temporary: false, content: row.content };
    },

    /** The document of a workflow that is nothing but this change. */
    draft: (change: WorkflowChange): object => applyChange({}, change),

    /**
     * Reads a document that is to be run once, without being saved: it may have no title, or one that is taken.
     * @throws Refused what `parseDocument` refuses
     */
    async prepareTest(input: unknown): Promise<PreparedTest> {
      if (!isJsonObject(input)) throw new Refused('WORKFLOW_INVALID', 'A workflow is a JSON object.');
      const title = typeof input.title === 'string' && titleKey(input.title) !== '' ? parseTitle(input.title) : 'untitled';
      const packed = await versions.pack(parseDocument({ ...input, title: testTitle(title, clock.now()) }));
      return { workflowId: await store.nextId('workflows'), packed };
    },

    /** The workflow that exists while its test run does: `releaseSnapshot` removes it. */
    async holdTest(actor: Actor, { workflowId, packed }: PreparedTest, tx: Tx): Promise<HeldSnapshot> {
      await insert(actor, workflowId, packed, { comment: null, forOneRun: true }, tx);
      await versions.hold(packed.id, tx);
      return { workflowId, title: packed.document.title, test: true, temporary: true, content: packed.content.ref };
    },

    /** The run that executed the snapshot has ended. */
    async releaseSnapshot({ workflowId, content, temporary }: Pick<HeldSnapshot, 'workflowId' | 'content' | 'temporary'>, tx: Tx): Promise<void> {
      await versions.release(content.id, tx);
      if (!temporary) return;
      await workflows.deleteOne({ _id: workflowId }, { session: tx.session });
      await versions.discardAll(workflowId, tx);
    },
  };
}

/** What the audit keeps: the document itself is in the version snapshot it names. */
function recorded(row: WorkflowRecord): object {
  const { title, description, version, content, methods, operators } = row;
  return { title, description, version, snapshotId: content.id, hash: content.hash, methods, operators };
}
