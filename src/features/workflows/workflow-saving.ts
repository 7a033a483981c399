import type { Config } from '../../config/config';
import type { Actor } from '../../platform/access/actor';
import type { Need } from '../../platform/access/need';
import { allows } from '../../platform/access/need';
import { Conflict, Forbidden, Unavailable } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { inTurns } from '../../platform/event-loop';
import { createRecordTurns } from '../../platform/store/record-turns';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { recorded, recordedChange } from './workflow.audit';
import type { PackedJson } from './versions/packed-json';
import type { UndoStack } from './undo/undo-stack';
import type { WorkflowContent, WorkflowEdit } from './workflow-content';
import { documentMeant, requireSize } from './workflow-content';
import type { JsonObject } from './json';
import type { FactsBefore, KnownReferences } from './references/known-references';
import { restoreDocument } from './masking/restore-document';
import type { Restored } from './masking/restore-document';
import type { WorkflowDocument } from './workflow.document';
import { readDocument } from './workflow.document';
import type { WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import type { WorkflowReading, WorkflowWithDocument } from './workflow-reading';
import { shownTo } from './workflow-reading';
import { refuseComment } from './versions/version.rules';
import type { WorkflowVersions } from './versions/workflow-versions';
import type { WorkflowWriting } from './workflow-writing';

export interface SaveOptions {
  /** If the current version differs, the save fails with CONFLICT. */
  readonly expectedVersion?: ExpectedVersion;
  readonly comment?: string | null;
}

export interface WorkflowSavingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly config: Pick<Config, 'workflow' | 'limits'>;
  readonly reading: WorkflowReading;
  readonly writing: WorkflowWriting;
  readonly versions: WorkflowVersions;
  readonly references: KnownReferences;
  readonly undos: UndoStack;
}

/**
 * Maximum attempts of an edit. Another process may save first; of two that save continuously, each
 * wins about half of the time.
 */
const MOST_ATTEMPTS = 16;

/** The data that an edit read is inconsistent because of a concurrent save: retry the edit. */
export class Overtaken extends Error {}

/**
 * Saves workflows. One transaction per save: the workflow, its version snapshot and the audit
 * record. Yields between walks over a document, which may be large.
 */
export function createWorkflowSaving({
  store,
  audit,
  config,
  reading,
  writing,
  versions,
  references,
  undos,
}: WorkflowSavingDependencies) {
  const turns = createRecordTurns();
  const meantBy = (content: WorkflowContent, base: JsonObject): Promise<unknown> =>
    documentMeant(content, base, config.limits.workflowBytes);

  /** Parses the content, restores stored secrets and collects the errors. */
  async function judged(
    content: WorkflowContent,
    stored: WorkflowDocument | null,
    before: FactsBefore,
    found: Findings,
  ): Promise<Restored | undefined> {
    const meant = await meantBy(content, stored ?? {});
    const written = await inTurns((turn) => readDocument(meant, found, turn, stored));
    if (written) references.noteImpossible(written, stored, found);
    if (written) await references.noteUnknown(written, before, found);
    return written
      ? found.of(() => inTurns((turn) => restoreDocument(written, stored, turn)))
      : undefined;
  }

  /**
   * Collects the errors of a change although the workflow is missing. A dummy title avoids a false
   * error.
   */
  async function judgedAlone(content: WorkflowContent, found: Findings): Promise<undefined> {
    const meant = await meantBy(content, { title: 'missing' });
    await inTurns((turn) => readDocument(meant, found, turn));
  }

  /** Checks the title before the unique index does, so that all errors are reported together. */
  async function noteTaken(
    read: Restored | undefined,
    before: WorkflowRecord | null,
    found: Findings,
  ): Promise<void> {
    const title = read?.document.title ?? '';
    if (title !== '' && title !== before?.title)
      await found.of(() => writing.requireFree(title, before?._id ?? null));
  }

  async function create(
    actor: Actor,
    content: WorkflowContent,
    comment: string | null,
    found: Findings,
  ): Promise<WorkflowWithDocument> {
    const read = await judged(content, null, null, found);
    await noteTaken(read, null, found);
    const { document } = found.passed(read);
    const packed = await versions.pack(document);
    const change = await changeBetween(null, document);
    const id = await store.nextId('workflows');
    const record = await writing.titled(document.title, async (tx) => {
      await references.requireKnown(document, null, tx);
      const created = await writing.insert(actor, id, packed, { comment, forOneRun: false }, tx);
      await audit.record(
        actor,
        'workflow.create',
        { type: 'Workflow', id },
        null,
        { ...recorded(created), ...change },
        tx,
      );
      writing.announce(id, 'created', tx);
      return created;
    });
    return { record, document };
  }

  /**
   * A change, or a document with restored secrets, must replace the version it was made from; a
   * whole document replaces any version unless one is expected.
   */
  async function update(
    actor: Actor,
    id: number,
    content: WorkflowContent,
    { expectedVersion, comment = null }: SaveOptions,
    found: Findings,
  ): Promise<WorkflowWithDocument> {
    const stored = await found.of(() => reading.getOriginal(id));
    if (stored) found.ofSync(() => requireVersion('workflow', stored.record, expectedVersion));
    const read = stored
      ? await judged(content, stored.document, stored.record, found)
      : await judgedAlone(content, found);
    await noteTaken(read, stored?.record ?? null, found);
    const [base, { document, isMadeOfStored }] = [found.passed(stored), found.passed(read)];
    const expected =
      expectedVersion ?? ('change' in content || isMadeOfStored ? base.record.version : null);
    return replace(actor, base, document, { action: 'workflow.update', expected, comment });
  }

  /** Computes the document of an edit and collects the errors. */
  async function judgedEdit(
    edit: WorkflowEdit,
    base: WorkflowWithDocument,
    found: Findings,
  ): Promise<WorkflowDocument | undefined> {
    const meant = await found.of(() => edit.make(base));
    if (meant === undefined) return undefined;
    await requireSize(meant, config.limits.workflowBytes);
    const written = await inTurns((turn) => readDocument(meant, found, turn, base.document));
    if (!written) return undefined;
    // A stored document is saved byte for byte. References in it are not checked again:
    // `validation` reports those that are missing now.
    if (edit.origin === 'stored') return meant as WorkflowDocument;
    references.noteImpossible(written, base.document, found);
    await references.noteUnknown(written, base.record, found);
    return (await found.of(() => inTurns((turn) => restoreDocument(written, base.document, turn))))
      ?.document;
  }

  async function attempt(
    actor: Actor,
    id: number,
    edit: WorkflowEdit,
    expectedVersion: ExpectedVersion,
    found: Findings,
  ): Promise<WorkflowWithDocument> {
    const base = await found.of(() => reading.getOriginal(id));
    if (base) found.ofSync(() => requireVersion('workflow', base.record, expectedVersion));
    const document = base && (await judgedEdit(edit, base, found));
    await noteTaken(document && { document, isMadeOfStored: true }, base?.record ?? null, found);
    return replace(actor, found.passed(base), found.passed(document), {
      action: edit.action,
      expected: found.passed(base).record.version,
      comment: null,
      settle: edit.settle,
    });
  }

  /**
   * Saves the next version in one transaction. `expected` null: whatever version is current then.
   */
  async function replace(
    actor: Actor,
    base: WorkflowWithDocument,
    document: WorkflowDocument,
    { action, expected, comment, settle }: Replacement,
  ): Promise<WorkflowWithDocument> {
    const id = base.record._id;
    const packed = await versions.pack(document);
    const made = await leftBy(base.document, document, settle);
    const record = await writing.titled(document.title, async (tx) => {
      const before = await reading.get(id, tx);
      requireVersion('workflow', before, expected);
      if (action !== 'workflow.undo') await references.requireKnown(document, before, tx);
      const after = await writing.replace(
        actor,
        before,
        packed,
        { comment, keep: config.workflow.versionsKeep, isPatch: action !== 'workflow.update' },
        tx,
      );
      const isBase = before.content.id === base.record.content.id;
      const left = isBase
        ? made
        : await leftBy((await reading.originalOf(before)) ?? null, document, settle);
      await audit.record(
        actor,
        action,
        { type: 'Workflow', id },
        recorded(before),
        { ...recorded(after), ...left.change },
        tx,
      );
      await (settle ? settle(tx) : undos.push(after, left.undo, tx));
      writing.announce(id, 'updated', tx);
      return after;
    });
    return { record, document };
  }

  /** The changes for the audit, and the undo entry unless `settle` replaces it. */
  async function leftBy(
    before: WorkflowDocument | null,
    document: WorkflowDocument,
    settle: WorkflowEdit['settle'],
  ): Promise<{ change: object; undo: PackedJson | null }> {
    return {
      change: await changeBetween(before, document),
      undo: before && !settle ? await undos.pack(before, document) : null,
    };
  }

  return {
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
      requireMay(actor, id === null ? workflowPolicy.create : workflowPolicy.update);
      const found = new Findings();
      await found.of(() => refuseComment(options.comment ?? ''));
      const { record, document } = await (id === null
        ? create(actor, content, options.comment ?? null, found)
        : update(actor, id, content, options, found));
      return { record, document: await shownTo(actor, document) };
    },

    /**
     * Applies an edit to the current document and saves it. Retries after a concurrent save, unless
     * a version is expected. The returned document is unmasked: pass it to `shownTo`.
     * @param found errors found before
     * @throws the errors of `save` and of the edit
     */
    async edit(
      actor: Actor,
      id: number,
      edit: WorkflowEdit,
      expectedVersion: ExpectedVersion,
      found = new Findings(),
    ): Promise<WorkflowWithDocument> {
      requireMay(actor, workflowPolicy.update);
      return turns.of(String(id), async () => {
        for (let attempts = 1; ; attempts += 1) {
          try {
            return await attempt(actor, id, edit, expectedVersion, found);
          } catch (error) {
            const isOvertaken =
              error instanceof Overtaken ||
              (error instanceof Conflict && error.code === 'CONFLICT' && expectedVersion == null);
            if (!isOvertaken) throw error;
            if (attempts >= MOST_ATTEMPTS)
              throw new Unavailable('Others change this workflow all the time. Try again.');
          }
        }
      });
    },
  };
}

export type WorkflowSaving = ReturnType<typeof createWorkflowSaving>;

interface Replacement extends Pick<WorkflowEdit, 'settle'> {
  readonly action: WorkflowEdit['action'] | 'workflow.update';
  readonly expected: ExpectedVersion;
  readonly comment: string | null;
}

const changeBetween = (before: WorkflowDocument | null, after: WorkflowDocument): Promise<object> =>
  inTurns((turn) => recordedChange(before, after, turn));

function requireMay(actor: Actor, need: Need & string): void {
  if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
}
