import { randomBytes } from 'node:crypto';
import type { Actor } from '../../platform/access/actor';
import type { Need } from '../../platform/access/need';
import { allows } from '../../platform/access/need';
import { Conflict, Forbidden, Unavailable } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { nextSlice } from '../../platform/event-loop';
import { Findings } from '../../platform/errors/findings';
import { KeyedLock } from '../../platform/queues';
import { unlessChanged } from '../../platform/store/collection';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { recorded, recordedChange } from './workflow.audit';
import type { PackedJson } from './document/packed-json';
import type { UndoStack } from './editing/undo-stack';
import type { WorkflowContent, WorkflowEdit } from './document/workflow-content';
import type { ReferenceChecker } from './references/reference-checker';
import type { MaskingRuleRecords } from './rules/rule-records';
import type { WorkflowDocument } from './document/workflow-document';
import type { WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import { shownTo, WorkflowReader, workflowNotFound } from './workflow-reader';
import type { WorkflowWithDocument } from './workflow-reader';
import { isTemporaryTitleKey } from './document/title';
import { requireComment } from './versions/version.service';
import type { WorkflowVersions } from './versions/workflow-versions';
import type { WorkflowParser } from './saving/workflow-parser';
import type { WorkflowWriter } from './saving/workflow-writer';

declare module '../../platform/context' {
  interface Services {
    workflows: WorkflowService;
  }
}

interface SaveOptions {
  /** If the current version differs, the save fails with CONFLICT. */
  readonly expectedVersion?: ExpectedVersion;
  readonly comment?: string | null;
}

/**
 * Maximum attempts of an edit. Another process may save first; of two that save continuously, each
 * wins about half of the time.
 */
const MAX_EDIT_ATTEMPTS = 16;

/** Random titles practically never collide this often. */
const MAX_DRAFT_ATTEMPTS = 5;

/** Saves of an earlier document, whose references are not checked again. */
const RESTORING: ReadonlySet<string> = new Set(['workflow.undo', 'workflow.redo']);

/** The data that an edit read is inconsistent because of a concurrent save: retry the edit. */
export class Overtaken extends Error {}

/**
 * Reads, saves and edits workflows. A save is one transaction: the workflow, its version snapshot
 * and the audit record.
 */
export class WorkflowService extends WorkflowReader {
  private readonly locks = new KeyedLock();

  constructor(
    store: Store,
    versions: WorkflowVersions,
    rules: MaskingRuleRecords,
    private readonly deps: {
      readonly versionsKeep: number;
      readonly parser: WorkflowParser;
      readonly writing: WorkflowWriter;
      readonly references: ReferenceChecker;
      readonly undos: UndoStack;
    },
  ) {
    super(store, versions, rules);
  }

  /**
   * Saves a new workflow (`id` null) or a new version; the version before is kept as a snapshot.
   * @throws Forbidden may not create, or not update
   * @throws NotFound  CONNECTION_NOT_FOUND
   * @throws Conflict  TITLE_HAS_ALREADY_TAKEN; CONFLICT the version differs
   * @throws Refused   CONNECTOR_NOT_FOUND, CATEGORY_NOT_FOUND for new references; the errors of
   * `readDocument`; the comment is too long
   * @throws TooLarge  the workflow is larger than allowed
   */
  async save(
    actor: Actor,
    id: number | null,
    content: WorkflowContent,
    options: SaveOptions = {},
  ): Promise<WorkflowWithDocument> {
    requirePermission(actor, id === null ? workflowPolicy.create : workflowPolicy.update);
    const findings = new Findings();
    findings.ofSync(() => requireComment(options.comment ?? ''));
    const { record, document } = await (id === null
      ? this.create(actor, content, options.comment ?? null, findings)
      : this.update(actor, id, content, options, findings));
    return { record, document: shownTo(actor, document) };
  }

  /**
   * Saves an empty workflow with a unique title such as `Untitled 3f09ac`, for clients that need an
   * id before the first save.
   */
  async saveDraft(actor: Actor): Promise<WorkflowRecord> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const title = `Untitled ${randomBytes(3).toString('hex')}`;
        return (await this.save(actor, null, { document: { title } })).record;
      } catch (error) {
        if (!(error instanceof Conflict) || attempt >= MAX_DRAFT_ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Applies an edit to the current document and saves it. Retries after a concurrent save, unless a
   * version is expected. The returned document is unmasked: pass it to `shownTo`.
   * @param findings errors found before
   * @throws the errors of `save` and of the edit
   */
  async edit(
    actor: Actor,
    id: number,
    edit: WorkflowEdit,
    expectedVersion: ExpectedVersion,
    findings = new Findings(),
  ): Promise<WorkflowWithDocument> {
    requirePermission(actor, workflowPolicy.update);
    return this.locks.run(id, async () => {
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await this.editOnce(actor, id, edit, expectedVersion, findings);
        } catch (error) {
          const isOvertaken =
            error instanceof Overtaken ||
            (error instanceof Conflict && error.code === 'CONFLICT' && expectedVersion == null);
          if (!isOvertaken) throw error;
          if (attempts >= MAX_EDIT_ATTEMPTS)
            throw new Unavailable('Others change this workflow all the time. Try again.');
        }
      }
    });
  }

  /**
   * Writes the workflow row, so that this transaction conflicts with a deletion.
   * @throws NotFound CONNECTION_NOT_FOUND, also for a workflow that exists for a single test run
   */
  async claimLasting(id: number, tx: Tx, path?: InputPath): Promise<WorkflowRecord> {
    const record = await this.deps.writing.claim(id, tx, path);
    if (isTemporaryTitleKey(record.titleKey)) throw workflowNotFound(id, path);
    return record;
  }

  private async create(
    actor: Actor,
    content: WorkflowContent,
    comment: string | null,
    findings: Findings,
  ): Promise<WorkflowWithDocument> {
    const { writing, references } = this.deps;
    const read = await this.deps.parser.parse(content, null, findings);
    await this.checkTitle(read?.document, null, findings);
    const { document } = findings.passed(read);
    const packed = await this.versions.pack(document);
    await nextSlice();
    const change = recordedChange(null, document);
    const id = await writing.newId();
    const record = await writing.titled(document.title, async (tx) => {
      await references.require(document, null, tx);
      const created = await writing.insert(actor, id, packed, { comment, forOneRun: false }, tx);
      const after = { ...recorded(created), ...change };
      await writing.record(actor, 'workflow.create', id, [null, after], tx);
      return created;
    });
    return { record, document };
  }

  /**
   * A change, or a document with restored secrets, must replace the version it was made from; a
   * whole document replaces any version unless one is expected.
   */
  private async update(
    actor: Actor,
    id: number,
    content: WorkflowContent,
    { expectedVersion, comment = null }: SaveOptions,
    findings: Findings,
  ): Promise<WorkflowWithDocument> {
    const stored = await findings.of(() => this.getOriginal(id));
    if (stored) findings.ofSync(() => requireVersion('workflow', stored.record, expectedVersion));
    const read = stored
      ? await this.deps.parser.parse(content, stored, findings)
      : this.deps.parser.checkAlone(content, findings);
    await this.checkTitle(read?.document, stored?.record ?? null, findings);
    const [base, { document, isMadeOfStored }] = [findings.passed(stored), findings.passed(read)];
    const expected =
      expectedVersion ?? ('change' in content || isMadeOfStored ? base.record.version : null);
    return this.replace(actor, base, document, { action: 'workflow.update', expected, comment });
  }

  private async editOnce(
    actor: Actor,
    id: number,
    edit: WorkflowEdit,
    expectedVersion: ExpectedVersion,
    findings: Findings,
  ): Promise<WorkflowWithDocument> {
    const base = await findings.of(() => this.getOriginal(id));
    if (base) findings.ofSync(() => requireVersion('workflow', base.record, expectedVersion));
    const document = base && (await this.deps.parser.applyEdit(edit, base, findings));
    await this.checkTitle(document, base?.record ?? null, findings);
    return this.replace(actor, findings.passed(base), findings.passed(document), {
      action: edit.action,
      expected: findings.passed(base).record.version,
      comment: null,
      settle: edit.settle,
    });
  }

  /**
   * Checks the title before the unique index does, so that all errors are reported together, and
   * that of a new workflow before it gets an id.
   */
  private async checkTitle(
    document: WorkflowDocument | undefined,
    before: WorkflowRecord | null,
    findings: Findings,
  ): Promise<void> {
    if (before && findings.count === 0) return;
    const title = document?.title ?? '';
    if (title !== '' && title !== before?.title)
      await findings.of(() => this.deps.writing.requireFree(title, before?._id ?? null));
  }

  /** Saves the next version in one transaction. */
  private async replace(
    actor: Actor,
    base: WorkflowWithDocument,
    document: WorkflowDocument,
    { action, expected, comment, settle }: Replacement,
  ): Promise<WorkflowWithDocument> {
    const { versionsKeep, writing, references, undos } = this.deps;
    const id = base.record._id;
    const packed = await this.versions.pack(document);
    const traceOfBase = await this.traceOf(base.document, document);
    const saved = (read: WorkflowRecord | null): Promise<WorkflowRecord> =>
      writing.titled(document.title, async (tx) => {
        const before = read ?? (await this.get(id, tx));
        requireVersion('workflow', before, expected);
        if (!RESTORING.has(action)) await references.require(document, before, tx);
        const options = { comment, keep: versionsKeep, isPatch: action !== 'workflow.update' };
        const after = await writing.replace(actor, before, packed, options, tx);
        const trace =
          before.content.id === base.record.content.id
            ? traceOfBase
            : await this.traceOf((await this.originalOf(before)) ?? null, document);
        const change = [recorded(before), { ...recorded(after), ...trace.change }] as const;
        await writing.record(actor, action, id, change, tx);
        await (settle ? settle(after, trace.inverse, tx) : undos.push(after, trace.inverse, tx));
        return after;
      });
    const record = await unlessChanged(
      () => saved(base.record),
      () => saved(null),
    );
    return { record, document };
  }

  /** The changes for the audit, and the inverse. */
  private async traceOf(
    before: WorkflowDocument | null,
    document: WorkflowDocument,
  ): Promise<{ change: object; inverse: PackedJson | null }> {
    await nextSlice();
    const change = recordedChange(before, document);
    await nextSlice();
    return { change, inverse: before && (await this.deps.undos.pack(before, document)) };
  }
}

interface Replacement extends Pick<WorkflowEdit, 'settle'> {
  readonly action: WorkflowEdit['action'] | 'workflow.update';
  /** Null: replace whatever version is current then. */
  readonly expected: ExpectedVersion;
  readonly comment: string | null;
}

function requirePermission(actor: Actor, need: Need & string): void {
  if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
}
