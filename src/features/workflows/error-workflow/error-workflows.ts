import type { Model } from 'mongoose';
import type { Actor } from '../../../platform/access/actor';
import { Refused } from '../../../platform/errors/errors';
import type { Store, Tx } from '../../../platform/store/store';
import type { AuditService } from '../../audit/audit.service';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowReading } from '../workflow-reading';
import { workflowNotFound } from '../workflow-reading';
import type { WorkflowWriting } from '../workflow-writing';

export interface ErrorWorkflowsDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly workflows: Model<WorkflowRecord>;
  readonly reading: Pick<WorkflowReading, 'get' | 'byId'>;
  readonly writing: Pick<WorkflowWriting, 'claim'>;
}

const PATH = ['errorWorkflowId'];
/** Maximum length of a chain of error workflows, and thus of runs that start each other. */
const MOST_IN_A_ROW = 10;
const tooMany = (): Refused =>
  new Refused(
    'ERROR_WORKFLOW_CIRCLE',
    `At most ${MOST_IN_A_ROW} workflows stand in a row of error workflows.`,
    { path: PATH },
  );

export type ErrorWorkflows = ReturnType<typeof createErrorWorkflows>;

/**
 * The error workflow of a workflow: it is started when a run fails. It is not part of the document,
 * so clients that save whole documents without knowing it do not remove it.
 */
export function createErrorWorkflows({
  store,
  audit,
  workflows,
  reading,
  writing,
}: ErrorWorkflowsDependencies) {
  /**
   * Writes every workflow of the chain: of two transactions that would close a cycle together, one
   * conflicts, retries and finds the other's change.
   */
  async function requireNoCircle(id: number, first: number, tx: Tx): Promise<void> {
    let next: number | undefined = first;
    for (let passed = await upTo(id, tx); next !== undefined; passed += 1) {
      if (next === id)
        throw new Refused(
          'ERROR_WORKFLOW_CIRCLE',
          `Workflow ${id} would be started by its own failure.`,
          { path: PATH },
        );
      if (passed === MOST_IN_A_ROW) throw tooMany();
      const named: WorkflowRecord = await writing.claim(next, tx, PATH);
      // Test workflows are temporary and hidden from users.
      if (named.test) throw workflowNotFound(next, PATH);
      next = named.errorWorkflowId;
    }
  }

  /** The length of the longest chain that ends at a workflow, including it. */
  async function upTo(id: number, tx: Tx): Promise<number> {
    let row = 0;
    for (let ids = [id]; ids.length > 0 && row < MOST_IN_A_ROW; row += 1) {
      const naming = await workflows
        .find({ errorWorkflowId: { $in: ids } }, { _id: 1 }, { session: tx.session })
        .lean<Pick<WorkflowRecord, '_id'>[]>();
      ids = naming.map(({ _id }) => _id);
    }
    return row;
  }

  const nameIn = (id: number, errorWorkflowId: number | null, tx: Tx) =>
    workflows.updateOne(
      { _id: id },
      errorWorkflowId === null ? { $unset: { errorWorkflowId: 1 } } : { $set: { errorWorkflowId } },
      { session: tx.session },
    );

  return {
    /**
     * Sets the error workflow of a workflow; null: none.
     * @throws NotFound CONNECTION_NOT_FOUND for either workflow
     * @throws Refused  ERROR_WORKFLOW_CIRCLE
     */
    setErrorWorkflow: (
      actor: Actor,
      id: number,
      errorWorkflowId: number | null,
    ): Promise<WorkflowRecord> =>
      store.transaction(async (tx) => {
        const before = await writing.claim(id, tx);
        if (errorWorkflowId !== null) await requireNoCircle(id, errorWorkflowId, tx);
        await nameIn(id, errorWorkflowId, tx);
        await audit.record(
          actor,
          'workflow.error-workflow',
          { type: 'Workflow', id },
          { errorWorkflowId: before.errorWorkflowId ?? null },
          { errorWorkflowId },
          tx,
        );
        return reading.get(id, tx);
      }),

    /** Returns the error workflow; null if there is none or the workflow is deleted. */
    async errorWorkflowIdOf(workflowId: number, tx: Tx): Promise<number | null> {
      const row = await workflows
        .findById(workflowId, { errorWorkflowId: 1 }, { session: tx.session })
        .lean<Pick<WorkflowRecord, 'errorWorkflowId'>>();
      return row?.errorWorkflowId ?? null;
    },

    /** Copies the error workflow to a workflow that is created in this transaction. */
    async copyErrorWorkflow(from: number, to: number, tx: Tx): Promise<void> {
      const named = (await reading.byId(from, tx))?.errorWorkflowId;
      if (named === undefined) return;
      await writing.claim(named, tx);
      await nameIn(to, named, tx);
    },

    /** Clears references to a workflow that is deleted in this transaction. */
    async forgetErrorWorkflow(id: number, tx: Tx): Promise<void> {
      await workflows.updateMany(
        { errorWorkflowId: id },
        { $unset: { errorWorkflowId: 1 } },
        { session: tx.session },
      );
    },
  };
}
