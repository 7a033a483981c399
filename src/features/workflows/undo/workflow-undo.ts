import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import { Forbidden } from '../../../platform/errors/errors';
import { requireVersion } from '../../../platform/store/records';
import type { ExpectedVersion } from '../../../platform/store/records';
import type { Tx } from '../../../platform/store/store';
import { shownTo } from '../workflow-reading';
import type { WorkflowReading, WorkflowWithDocument } from '../workflow-reading';
import { Overtaken } from '../workflow-saving';
import type { WorkflowSaving } from '../workflow-saving';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import type { UndoStack } from './undo-stack';

export interface WorkflowUndoDependencies {
  readonly reading: WorkflowReading;
  readonly saving: WorkflowSaving;
  readonly undos: UndoStack;
}

/** Internal: there is nothing to undo, and the workflow is returned unchanged. */
class NothingToUndo extends Error {}

/** Undoes the last save of a workflow. This is a save as well, and cannot be undone itself. */
export function createWorkflowUndo({ reading, saving, undos }: WorkflowUndoDependencies) {
  /**
   * The inverse is read after the workflow: a concurrent save or undo may have replaced it in
   * between.
   */
  const isCurrent = async ({ _id, version }: WorkflowRecord): Promise<boolean> =>
    (await reading.get(_id)).version === version;

  async function undone(
    actor: Actor,
    id: number,
    expectedVersion: ExpectedVersion,
  ): Promise<WorkflowWithDocument> {
    let settle: (tx: Tx) => Promise<void> = () => Promise.resolve();
    return saving.edit(
      actor,
      id,
      {
        action: 'workflow.undo',
        origin: 'stored',
        async make({ record, document }) {
          const last = await undos.top(record);
          const before = last && (await undos.before(document, last));
          if (!before) throw (await isCurrent(record)) ? new NothingToUndo() : new Overtaken();
          settle = (tx) => undos.remove([last], tx);
          return before;
        },
        settle: (tx) => settle(tx),
      },
      expectedVersion,
    );
  }

  return {
    /**
     * Undoes the last save that was not undone yet; does nothing if there is none.
     * @throws NotFound CONNECTION_NOT_FOUND
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN another workflow has the earlier title; CONFLICT the
     * version differs
     */
    async undo(
      actor: Actor,
      id: number,
      expectedVersion?: ExpectedVersion,
    ): Promise<WorkflowWithDocument> {
      if (!allows(workflowPolicy.update, actor))
        throw new Forbidden(`This needs ${workflowPolicy.update}.`);
      try {
        const { record, document } = await undone(actor, id, expectedVersion);
        return { record, document: await shownTo(actor, document) };
      } catch (error) {
        if (!(error instanceof NothingToUndo)) throw error;
        const there = await reading.getWithDocument(actor, id);
        requireVersion('workflow', there.record, expectedVersion);
        return there;
      }
    },
  };
}
