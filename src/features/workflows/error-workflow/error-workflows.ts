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
/** Workflows that name each other in a row: as many runs start each other at most. */
const MOST_IN_A_ROW = 10;
const tooMany = (): Refused =>
  new Refused(
    'ERROR_WORKFLOW_CIRCLE',
    `At most ${MOST_IN_A_ROW} workflows stand in a row of error workflows.`,
    { path: PATH },
  );

export type ErrorWorkflows = ReturnType<typeof createErrorWorkflows>;

/**
 * Which workflow is started when a run of another one fails. It stands beside the document, so that clients which save whole documents and know
 * nothing of it keep it.
 */
export function createErrorWorkflows({
  store,
  audit,
  workflows,
  reading,
  writing,
}: ErrorWorkflowsDependencies) {
  /** Writes every workflow behind it in the row, so that of two that would close a circle together one starts again and finds the other. */
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
      // Workflows of tests come and go, and nobody sees them.
      if (named.test) throw workflowNotFound(next, PATH);
      next = named.errorWorkflowId;
    }
  }

  /** How many stand in the longest row up to a workflow, itself counted. */
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
     * Names the workflow that is started when a run of this one fails; null: none.
     * @throws NotFound CONNECTION_NOT_FOUND either of them
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

    /** The workflow that a failure of this one starts, where there is one; null also when this one is gone. */
    async errorWorkflowIdOf(workflowId: number, tx: Tx): Promise<number | null> {
      const row = await workflows
        .findById(workflowId, { errorWorkflowId: 1 }, { session: tx.session })
        .lean<Pick<WorkflowRecord, 'errorWorkflowId'>>();
      return row?.errorWorkflowId ?? null;
    },

    /** Gives a workflow that is made in this transaction the error workflow of another. */
    async copyErrorWorkflow(from: number, to: number, tx: Tx): Promise<void> {
      const named = (await reading.byId(from, tx))?.errorWorkflowId;
      if (named === undefined) return;
      await writing.claim(named, tx);
      await nameIn(to, named, tx);
    },

    /** Nobody names a workflow that is deleted in this transaction. */
    async forgetErrorWorkflow(id: number, tx: Tx): Promise<void> {
      await workflows.updateMany(
        { errorWorkflowId: id },
        { $unset: { errorWorkflowId: 1 } },
        { session: tx.session },
      );
    },
  };
}
