import type { Config } from '../../config/config';
import type { Actor } from '../../platform/access/actor';
import type { Need } from '../../platform/access/need';
import { allows } from '../../platform/access/need';
import { Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { inTurns } from '../../platform/json/turns';
import { requireVersion } from '../../platform/store/expected-version';
import type { ExpectedVersion } from '../../platform/store/expected-version';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { recorded, recordedChange } from './workflow.audit';
import type { WorkflowContent } from './workflow-content';
import { documentMeant } from './workflow-content';
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
  /** Fails with CONFLICT when the workflow has another version by now. */
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
}

/** Saves workflows; between two walks over a document, which may be large, others have their turn. Every save is one transaction: the workflow, its version snapshot and the audit record. */
export function createWorkflowSaving({ store, audit, config, reading, writing, versions, references }: WorkflowSavingDependencies) {
  const meantBy = (content: WorkflowContent, base: JsonObject): Promise<unknown> => documentMeant(content, base, config.limits.workflowBytes);

  /** Reads what is meant and puts stored secrets in their places; notes what speaks against it. */
  async function judged(content: WorkflowContent, stored: WorkflowDocument | null, before: FactsBefore, found: Findings): Promise<Restored | undefined> {
    const meant = await meantBy(content, stored ?? {});
    const written = await inTurns((turn) => readDocument(meant, found, turn, stored));
    if (written) await references.noteUnknown(written, before, found);
    return written ? found.of(() => inTurns((turn) => restoreDocument(written, stored, turn))) : undefined;
  }

  /** Notes what speaks against a change of a workflow that is not there: whatever it leaves out would have been right. */
  async function judgedAlone(content: WorkflowContent, found: Findings): Promise<undefined> {
    const meant = await meantBy(content, { title: 'missing' });
    await inTurns((turn) => readDocument(meant, found, turn));
  }

  /** The unique index decides; it is asked beforehand so that all that is wrong is told at once. */
  async function noteTaken(read: Restored | undefined, before: WorkflowRecord | null, found: Findings): Promise<void> {
    const title = read?.document.title ?? '';
    if (title !== '' && title !== before?.title) await found.of(() => writing.requireFree(title, before?._id ?? null));
  }

  async function create(actor: Actor, content: WorkflowContent, comment: string | null, found: Findings): Promise<WorkflowWithDocument> {
    const read = await judged(content, null, null, found);
    await noteTaken(read, null, found);
    const { document } = found.passed(read);
    const packed = await versions.pack(document);
    const change = await changeBetween(null, document);
    const id = await store.nextId('workflows');
    const record = await writing.titled(document.title, async (tx) => {
      await references.requireKnown(document, null, tx);
      const created = await writing.insert(actor, id, packed, { comment, forOneRun: false }, tx);
      await audit.record(actor, 'workflow.create', { type: 'Workflow', id }, null, { ...recorded(created), ...change }, tx);
      writing.announce(id, 'created', tx);
      return created;
    });
    return { record, document };
  }

  /** What is made of the version that was read replaces no other one; a whole document replaces whatever is there, unless a version is expected. */
  async function update(actor: Actor, id: number, content: WorkflowContent, { expectedVersion, comment = null }: SaveOptions, found: Findings): Promise<WorkflowWithDocument> {
    const stored = await found.of(() => reading.getOriginal(id));
    if (stored) found.ofSync(() => requireVersion('workflow', stored.record, expectedVersion));
    const read = stored ? await judged(content, stored.document, stored.record, found) : await judgedAlone(content, found);
    await noteTaken(read, stored?.record ?? null, found);
    const [base, { document, isMadeOfStored }] = [found.passed(stored), found.passed(read)];
    const expected = expectedVersion ?? ('change' in content || isMadeOfStored ? base.record.version : null);
    const packed = await versions.pack(document);
    const change = await changeBetween(base.document, document);
    const record = await writing.titled(document.title, async (tx) => {
      const before = await reading.get(id, tx);
      requireVersion('workflow', before, expected);
      await references.requireKnown(document, before, tx);
      const after = await writing.replace(actor, before, packed, { comment, keep: config.workflow.versionsKeep, isPatch: false }, tx);
      const isBase = before.content.id === base.record.content.id;
      const told = isBase ? change : await changeBetween(await reading.originalOf(before) ?? null, document);
      await audit.record(actor, 'workflow.update', { type: 'Workflow', id }, recorded(before), { ...recorded(after), ...told }, tx);
      writing.announce(id, 'updated', tx);
      return after;
    });
    return { record, document };
  }

  /**
   * Saves a new workflow (`id` null) or the next version of one; the version before stays as a snapshot.
   * @throws Forbidden may not create, or not update
   * @throws NotFound  CONNECTION_NOT_FOUND
   * @throws Conflict  TITLE_HAS_ALREADY_TAKEN, or CONFLICT when another version is there than was expected
   * @throws Refused   CONNECTOR_NOT_FOUND and CATEGORY_NOT_FOUND for what this save brings in, what `readDocument` refuses, or a comment that is too long
   * @throws TooLarge  the workflow has more bytes than are allowed
   */
  return async function save(actor: Actor, id: number | null, content: WorkflowContent, options: SaveOptions = {}): Promise<WorkflowWithDocument> {
    requireMay(actor, id === null ? workflowPolicy.create : workflowPolicy.update);
    const found = new Findings();
    await found.of(() => refuseComment(options.comment ?? ''));
    const { record, document } = await (id === null ? create(actor, content, options.comment ?? null, found) : update(actor, id, content, options, found));
    return { record, document: await shownTo(actor, document) };
  };
}

const changeBetween = (before: WorkflowDocument | null, after: WorkflowDocument): Promise<object> => inTurns((turn) => recordedChange(before, after, turn));

function requireMay(actor: Actor, need: Need & string): void {
  if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
}
