import type { Actor } from '../../../platform/access/actor';
import { Refused } from '../../../platform/errors/errors';
import type { Collection } from '../../../platform/store/collection';
import type { Store, Tx } from '../../../platform/store/store';
import type { AuditService } from '../../audit/audit.service';
import type { WorkflowRecord } from '../workflow.model';
import { workflowCollection } from '../workflow.model';
import type { WorkflowReader } from '../workflow-reader';
import { workflowNotFound } from '../workflow-reader';
import type { WorkflowWriter } from '../saving/workflow-writer';

declare module '../../../platform/context' {
  interface Services {
    errorWorkflows: ErrorWorkflows;
  }
}

const PATH = ['errorWorkflowId'];
/** Maximum length of a chain of error workflows, and thus of runs that start each other. */
const MAX_CHAIN = 10;

/**
 * The error workflow of a workflow: it is started when a run fails. It is not part of the document,
 * so clients that save whole documents without knowing it do not remove it.
 */
export class ErrorWorkflows {
  private readonly workflows: Collection<WorkflowRecord>;

  constructor(
    private readonly store: Store,
    private readonly deps: {
      readonly audit: AuditService;
      readonly reading: WorkflowReader;
      readonly writing: WorkflowWriter;
    },
  ) {
    this.workflows = workflowCollection(store);
  }

  /**
   * Sets the error workflow of a workflow; null: none.
   * @throws NotFound CONNECTION_NOT_FOUND for either workflow
   * @throws Refused  ERROR_WORKFLOW_CIRCLE
   */
  set(actor: Actor, id: number, errorWorkflowId: number | null): Promise<WorkflowRecord> {
    const { audit, reading, writing } = this.deps;
    return this.store.transaction(async (tx) => {
      const before = await writing.claim(id, tx);
      if (errorWorkflowId !== null) await this.requireNoCircle(id, errorWorkflowId, tx);
      await this.write(id, errorWorkflowId, tx);
      await audit.record(
        actor,
        'workflow.error-workflow',
        { type: 'Workflow', id },
        { errorWorkflowId: before.errorWorkflowId ?? null },
        { errorWorkflowId },
        tx,
      );
      return reading.get(id, tx);
    });
  }

  /** Copies the error workflow to a workflow that is created in this transaction. */
  async copy(from: number, to: number, tx: Tx): Promise<void> {
    const id = await this.deps.reading.errorWorkflowIdOf(from, tx);
    if (id === null) return;
    await this.deps.writing.claim(id, tx);
    await this.write(to, id, tx);
  }

  /**
   * Writes every workflow of the chain: of two transactions that would close a cycle together, one
   * conflicts, retries and finds the other's change.
   */
  private async requireNoCircle(id: number, first: number, tx: Tx): Promise<void> {
    let next: number | undefined = first;
    for (let length = await this.lengthUpTo(id, tx); next !== undefined; length += 1) {
      if (next === id)
        throw new Refused(
          'ERROR_WORKFLOW_CIRCLE',
          `Workflow ${id} would be started by its own failure.`,
          { path: PATH },
        );
      if (length === MAX_CHAIN)
        throw new Refused(
          'ERROR_WORKFLOW_CIRCLE',
          `A chain of error workflows has at most ${MAX_CHAIN} workflows.`,
          { path: PATH },
        );
      const named: WorkflowRecord = await this.deps.writing.claim(next, tx, PATH);
      // Test workflows are temporary and hidden from users.
      if (named.test) throw workflowNotFound(next, PATH);
      next = named.errorWorkflowId;
    }
  }

  /** The length of the longest chain that ends at a workflow, including it. */
  private async lengthUpTo(id: number, tx: Tx): Promise<number> {
    let length = 0;
    for (let ids = [id]; ids.length > 0 && length < MAX_CHAIN; length += 1) {
      const before = await this.workflows.find<Pick<WorkflowRecord, '_id'>>(
        { errorWorkflowId: { $in: ids } },
        { tx, fields: { _id: 1 } },
      );
      ids = before.map(({ _id }) => _id);
    }
    return length;
  }

  private async write(id: number, errorWorkflowId: number | null, tx: Tx): Promise<void> {
    await this.workflows.updateOne(
      { _id: id },
      errorWorkflowId === null ? { $unset: { errorWorkflowId: 1 } } : { $set: { errorWorkflowId } },
      tx,
    );
  }
}
