import type { Config } from '../../config/config';
import type { Actor } from '../../platform/access/actor';
import type { Need } from '../../platform/access/need';
import { allows } from '../../platform/access/need';
import { Forbidden, Refused } from '../../platform/errors/errors';
import { inTurns } from '../../platform/json/turns';
import { requireVersion } from '../../platform/store/expected-version';
import type { ExpectedVersion } from '../../platform/store/expected-version';
import type { Store } from '../../platform/store/store';
import { characters } from '../../platform/text/characters';
import type { AuditService } from '../audit/audit.service';
import { recorded, recordedChange } from './workflow.audit';
import type { WorkflowContent } from './workflow-content';
import { documentMeant } from './workflow-content';
import { restoreDocument } from './masking/restore-document';
import type { WorkflowDocument } from './workflow.document';
import { parseDocument } from './workflow.document';
import { workflowPolicy } from './workflow.policy';
import type { WorkflowReading, WorkflowWithDocument } from './workflow-reading';
import { shownTo } from './workflow-reading';
import type { WorkflowVersions } from './workflow-versions';
import type { WorkflowWriting } from './workflow-writing';

export interface SaveOptions {
  /** Fails with CONFLICT when the workflow has another version by now. */
  readonly expectedVersion?: ExpectedVersion;
  readonly comment?: string | null;
}

export interface WorkflowSavingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly config: Pick<Config, 'workflow'>;
  readonly reading: WorkflowReading;
  readonly writing: WorkflowWriting;
  readonly versions: WorkflowVersions;
}

/** Characters of what is said about a version. */
const COMMENT_LENGTH = 500;

/** Saves workflows; between two walks over a document, which may be large, others have their turn. Every save is one transaction: the workflow, its version snapshot and the audit record. */
export function createWorkflowSaving({ store, audit, config, reading, writing, versions }: WorkflowSavingDependencies) {
  async function create(actor: Actor, content: WorkflowContent, comment: string | null): Promise<WorkflowWithDocument> {
    const written = await inTurns((turn) => parseDocument(documentMeant(content, {}), turn));
    const { document } = await inTurns((turn) => restoreDocument(written, null, turn));
    const packed = await versions.pack(document);
    const change = await changeBetween(null, document);
    const id = await store.nextId('workflows');
    const record = await writing.titled(document.title, async (tx) => {
      const created = await writing.insert(actor, id, packed, { comment, forOneRun: false }, tx);
      await audit.record(actor, 'workflow.create', { type: 'Workflow', id }, null, { ...recorded(created), ...change }, tx);
      writing.announce(id, 'created', tx);
      return created;
    });
    return { record, document };
  }

  /** What is made of the version that was read replaces no other one; a whole document replaces whatever is there, unless a version is expected. */
  async function update(actor: Actor, id: number, content: WorkflowContent, { expectedVersion, comment = null }: SaveOptions): Promise<WorkflowWithDocument> {
    const base = await reading.getOriginal(id);
    const written = await inTurns((turn) => parseDocument(documentMeant(content, base.document), turn));
    const { document, isMadeOfStored } = await inTurns((turn) => restoreDocument(written, base.document, turn));
    const expected = expectedVersion ?? ('change' in content || isMadeOfStored ? base.record.version : null);
    const packed = await versions.pack(document);
    const change = await changeBetween(base.document, document);
    const record = await writing.titled(document.title, async (tx) => {
      const before = await reading.get(id, tx);
      requireVersion('workflow', before, expected);
      const after = await writing.replace(actor, before, packed, { comment, keep: config.workflow.versionsKeep }, tx);
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
   * @throws Refused   what `parseDocument` refuses, or a comment that is too long
   */
  return async function save(actor: Actor, id: number | null, content: WorkflowContent, options: SaveOptions = {}): Promise<WorkflowWithDocument> {
    requireMay(actor, id === null ? workflowPolicy.create : workflowPolicy.update);
    refuseLongComment(options.comment ?? '');
    const { record, document } = await (id === null ? create(actor, content, options.comment ?? null) : update(actor, id, content, options));
    return { record, document: await shownTo(actor, document) };
  };
}

const changeBetween = (before: WorkflowDocument | null, after: WorkflowDocument): Promise<object> => inTurns((turn) => recordedChange(before, after, turn));

function requireMay(actor: Actor, need: Need & string): void {
  if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
}

function refuseLongComment(comment: string): void {
  if (characters(comment) <= COMMENT_LENGTH) return;
  throw new Refused('WORKFLOW_INVALID', `A comment has at most ${COMMENT_LENGTH} characters.`, { path: ['comment'] });
}
