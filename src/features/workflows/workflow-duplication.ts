import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Conflict } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Store, Tx } from '../../platform/store/store';
import { characters, hasMoreCharacters } from '../../platform/text/characters';
import type { AuditService } from '../audit/audit.service';
import type { ErrorWorkflows } from './error-workflow/error-workflows';
import type { MaskingRules } from './rules/masking-rules';
import type { WorkflowVersions } from './versions/workflow-versions';
import { recorded } from './workflow.audit';
import type { WorkflowRecord } from './workflow.model';
import { parseTitle, TITLE_LENGTH, titleKey } from './workflow.title';
import { shownTo } from './workflow-reading';
import type { WorkflowReading, WorkflowWithDocument } from './workflow-reading';
import type { WorkflowWriting } from './workflow-writing';

export interface WorkflowDuplicationDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly workflows: Model<WorkflowRecord>;
  readonly reading: WorkflowReading;
  readonly writing: WorkflowWriting;
  readonly versions: WorkflowVersions;
  readonly rules: Pick<MaskingRules, 'copyRules'>;
  readonly errors: Pick<ErrorWorkflows, 'copyErrorWorkflow'>;
}

/** Concurrent copies of the same workflow may take a title that was free. */
const ATTEMPTS = 20;

/**
 * Copies workflows. Ids of steps and bindings are kept: they are unique within a workflow, and
 * references use them.
 */
export function createWorkflowDuplication({
  store,
  audit,
  workflows,
  reading,
  writing,
  versions,
  rules,
  errors,
}: WorkflowDuplicationDependencies) {
  /** The first free title: `Tickets (copy)`, `Tickets (copy 2)`, … */
  async function freeTitle(title: string): Promise<string> {
    for (let number = 1; ; number += PROBES) {
      const candidates = Array.from({ length: PROBES }, (_, at) => copyTitle(title, number + at));
      const rows = await workflows
        .find({ titleKey: { $in: candidates.map(titleKey) } }, { titleKey: 1 })
        .lean<Pick<WorkflowRecord, 'titleKey'>[]>();
      const taken = new Set(rows.map((row) => row.titleKey));
      const free = candidates.find((candidate) => !taken.has(titleKey(candidate)));
      if (free !== undefined) return free;
    }
  }

  async function copyOnce(
    actor: Actor,
    source: WorkflowWithDocument,
    title: string,
  ): Promise<WorkflowWithDocument> {
    const document = { ...source.document, title };
    const packed = await versions.pack(document);
    const id = await store.nextId('workflows');
    const record = await writing.titled(title, async (tx: Tx) => {
      const created = await writing.insert(
        actor,
        id,
        packed,
        { comment: null, forOneRun: false },
        tx,
      );
      await errors.copyErrorWorkflow(source.record._id, id, tx);
      await audit.record(
        actor,
        'workflow.duplicate',
        { type: 'Workflow', id },
        null,
        {
          ...recorded(created),
          duplicateOf: source.record._id,
          rules: await rules.copyRules(actor, source.record._id, id, tx),
        },
        tx,
      );
      writing.announce(id, 'created', tx);
      return created;
    });
    return { record, document };
  }

  return {
    /**
     * Copies a workflow with its masking rules. `title` null: use a free title.
     * @throws NotFound CONNECTION_NOT_FOUND
     * @throws Refused  TITLE_INVALID
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN the given title is in use
     */
    async duplicate(actor: Actor, id: number, title: string | null): Promise<WorkflowWithDocument> {
      const found = new Findings();
      const parsed = title === null ? null : found.ofSync(() => parseTitle(title));
      if (parsed != null) await found.of(() => writing.requireFree(parsed, null));
      const source = found.passed(await found.of(() => reading.getOriginal(id)));
      const copy =
        parsed == null ? await copyFreely(actor, source) : await copyOnce(actor, source, parsed);
      return { record: copy.record, document: await shownTo(actor, copy.document) };
    },
  };

  async function copyFreely(
    actor: Actor,
    source: WorkflowWithDocument,
  ): Promise<WorkflowWithDocument> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await copyOnce(actor, source, await freeTitle(source.document.title));
      } catch (error) {
        if (
          !(error instanceof Conflict) ||
          error.code !== 'TITLE_HAS_ALREADY_TAKEN' ||
          attempt === ATTEMPTS
        )
          throw error;
      }
    }
  }
}

/** Number of titles checked per query. */
const PROBES = 50;

/** The title of the nth copy; the original title is cut so that the number fits. */
function copyTitle(title: string, number: number): string {
  const mark = number === 1 ? ' (copy)' : ` (copy ${number})`;
  const room = TITLE_LENGTH - characters(mark);
  return `${hasMoreCharacters(title, room) ? [...title].slice(0, room).join('').trimEnd() : title}${mark}`;
}
