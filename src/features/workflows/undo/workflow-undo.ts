import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import { Forbidden } from '../../../platform/errors/errors';
import { requireVersion } from '../../../platform/store/expected-version';
import type { ExpectedVersion } from '../../../platform/store/expected-version';
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

/** No other input would cure it, and nobody is told: the workflow is answered as it is. */
class NothingToUndo extends Error {}

/** Taking back the last save of a workflow: that is a save, too, and cannot be taken back itself. */
export function createWorkflowUndo({ reading, saving, undos }: WorkflowUndoDependencies) {
  /** What leads back is read after the workflow: whoever saved or took back in between has put another on top. */
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
     * Takes back the last save that was not taken back; where there is none, nothing happens.
     * @throws NotFound CONNECTION_NOT_FOUND
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN the title before is another workflow's by now; CONFLICT another version than expected
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
