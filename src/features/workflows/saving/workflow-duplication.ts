import type { Actor } from '../../../platform/access/actor';
import { Conflict } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import type { Collection } from '../../../platform/store/collection';
import type { Store } from '../../../platform/store/store';
import { withSuffix } from '../../../platform/text/characters';
import type { ErrorWorkflows } from '../error-workflow/error-workflows';
import type { ResumeSettings } from '../resume/resume-settings';
import type { MaskingRuleService } from '../rules/rule.service';
import type { WorkflowVersions } from '../versions/workflow-versions';
import { recorded } from '../workflow.audit';
import type { WorkflowRecord } from '../workflow.model';
import { workflowCollection } from '../workflow.model';
import { parseTitle, TITLE_LENGTH, titleKey } from '../document/title';
import { shownTo } from '../workflow-reader';
import type { WorkflowReader, WorkflowWithDocument } from '../workflow-reader';
import type { WorkflowWriter } from './workflow-writer';

declare module '../../../platform/context' {
  interface Services {
    workflowDuplication: WorkflowDuplication;
  }
}

/** Concurrent copies of the same workflow may take a title that was free. */
const MAX_ATTEMPTS = 20;
/** Number of titles checked per query. */
const TITLES_AT_ONCE = 50;

/**
 * Copies workflows with their masking rules and error workflow. Ids of steps and bindings are kept:
 * they are unique within a workflow, and references use them.
 */
export class WorkflowDuplication {
  private readonly workflows: Collection<WorkflowRecord>;

  constructor(
    store: Store,
    private readonly deps: {
      readonly reading: WorkflowReader;
      readonly writing: WorkflowWriter;
      readonly versions: WorkflowVersions;
      readonly rules: MaskingRuleService;
      readonly errorWorkflows: ErrorWorkflows;
      readonly resumeSettings: ResumeSettings;
    },
  ) {
    this.workflows = workflowCollection(store);
  }

  /**
   * Copies a workflow. `title` null: use a free title.
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws Refused  TITLE_INVALID
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN the given title is in use
   */
  async duplicate(actor: Actor, id: number, title: string | null): Promise<WorkflowWithDocument> {
    const findings = new Findings();
    const parsed = title === null ? null : findings.ofSync(() => parseTitle(title));
    if (parsed != null) await findings.of(() => this.deps.writing.requireFree(parsed, null));
    const source = findings.passed(await findings.of(() => this.deps.reading.getOriginal(id)));
    const copy =
      parsed == null
        ? await this.copyWithFreeTitle(actor, source)
        : await this.copy(actor, source, parsed);
    return { record: copy.record, document: shownTo(actor, copy.document) };
  }

  private async copyWithFreeTitle(
    actor: Actor,
    source: WorkflowWithDocument,
  ): Promise<WorkflowWithDocument> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.copy(actor, source, await this.freeTitle(source.document.title));
      } catch (error) {
        const isTaken = error instanceof Conflict && error.code === 'TITLE_HAS_ALREADY_TAKEN';
        if (!isTaken || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async copy(
    actor: Actor,
    source: WorkflowWithDocument,
    title: string,
  ): Promise<WorkflowWithDocument> {
    const { writing, versions, rules, errorWorkflows, resumeSettings } = this.deps;
    const document = { ...source.document, title };
    const packed = await versions.pack(document);
    const id = await writing.newId();
    const record = await writing.titled(title, async (tx) => {
      const options = { comment: null, forOneRun: false };
      const created = await writing.insert(actor, id, packed, options, tx);
      await errorWorkflows.copy(source.record._id, id, tx);
      await resumeSettings.copy(source.record, id, tx);
      const after = {
        ...recorded(created),
        duplicateOf: source.record._id,
        rules: await rules.copyRules(actor, source.record._id, id, tx),
      };
      await writing.record(actor, 'workflow.duplicate', id, [null, after], tx);
      return created;
    });
    return { record, document };
  }

  /** The first free title: `Tickets (copy)`, `Tickets (copy 2)`, … */
  private async freeTitle(title: string): Promise<string> {
    for (let number = 1; ; number += TITLES_AT_ONCE) {
      const candidates = Array.from({ length: TITLES_AT_ONCE }, (_, at) =>
        copyTitle(title, number + at),
      );
      const rows = await this.workflows.find<Pick<WorkflowRecord, 'titleKey'>>(
        { titleKey: { $in: candidates.map(titleKey) } },
        { fields: { titleKey: 1 } },
      );
      const used = new Set(rows.map((row) => row.titleKey));
      const free = candidates.find((candidate) => !used.has(titleKey(candidate)));
      if (free !== undefined) return free;
    }
  }
}

/** The title of the nth copy; the original title is cut so that the number fits. */
const copyTitle = (title: string, number: number): string =>
  withSuffix(title, number === 1 ? ' (copy)' : ` (copy ${number})`, TITLE_LENGTH);
