import type { Actor } from '../../../platform/access/actor';
import { isCurable, reasonsOf } from '../../../platform/errors/errors';
import type { Problem } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import type { Adoption } from '../../../platform/store/startup/adoption';
import { requireSize } from '../document/workflow-content';
import { readDocument } from '../document/workflow-document';
import type { PackedVersion, WorkflowVersions } from '../versions/workflow-versions';
import { recorded } from '../workflow.audit';
import type { WorkflowWriter } from './workflow-writer';

declare module '../../../platform/context' {
  interface Services {
    workflowAdoption: WorkflowAdoption;
  }
}

/** A workflow that is ready to be written. */
export interface PreparedWorkflow {
  readonly packed: PackedVersion;
  /** What its author has to complete. */
  readonly unfinished: readonly Problem[];
}

/** Above `limits.workflow-bytes`: other installations accept larger workflows. */
const MAX_ADOPTED_BYTES = 20 * 1024 * 1024;

/** Stores workflows of another installation with their ids. References may lead nowhere. */
export class WorkflowAdoption {
  constructor(
    private readonly deps: {
      readonly versions: WorkflowVersions;
      readonly writing: WorkflowWriter;
    },
  ) {}

  /**
   * Parses a document of any version. Operators without an expression are accepted.
   * @throws Refused TITLE_INVALID, WORKFLOW_INVALID
   * @throws TooLarge
   */
  async prepare(sent: unknown): Promise<PreparedWorkflow> {
    const { versions } = this.deps;
    requireSize(sent, MAX_ADOPTED_BYTES);
    const findings = new Findings();
    const document = readDocument(sent, findings);
    const unfinished = unfinishedIn(findings);
    if (!document) throw new Error('The document was not read although no error was found.');
    return { packed: await versions.pack(document), unfinished };
  }

  /** The title must be free. */
  async adopt(actor: Actor, { packed }: PreparedWorkflow, { id, tx }: Adoption): Promise<void> {
    const { writing } = this.deps;
    const created = await writing.insert(
      actor,
      id,
      packed,
      { comment: null, forOneRun: false },
      tx,
    );
    await writing.record(actor, 'workflow.create', id, [null, recorded(created)], tx);
  }
}

/** Returns problems of unfinished operators; throws all others. */
function unfinishedIn(findings: Findings): Problem[] {
  try {
    findings.refuse();
    return [];
  } catch (error) {
    if (!isCurable(error)) throw error;
    const problems = reasonsOf(error);
    if (problems.every(({ code }) => code === 'OPERATOR_EXPRESSION_IS_EMPTY')) return problems;
    throw error;
  }
}
