import type { Actor } from '../../../platform/access/actor';
import { inTurns } from '../../../platform/event-loop';
import type { ExpectedVersion } from '../../../platform/store/records';
import type { WorkflowDocument } from '../workflow.document';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowSaving } from '../workflow-saving';
import { danglingAfter } from './dangling';
import type { DanglingReference } from './dangling';
import {
  withBinding,
  withoutBinding,
  withoutStep,
  withStep,
  withStepChanged,
  withStepMoved,
} from './step-edits';
import type { StepFields } from './step-edits';
import type { StepPlace } from './step-places';

export interface EditedWorkflow {
  readonly id: number;
  readonly expectedVersion?: ExpectedVersion;
}

/**
 * Edits of single steps and field bindings. They are saved like patches: fields that are not given
 * stay, indexes are renumbered without gaps, and references are rewritten.
 */
export function createWorkflowEdits({ saving }: { readonly saving: WorkflowSaving }) {
  /** Saves the changed document; returns the extra result of the last attempt. */
  async function edited<T>(
    actor: Actor,
    { id, expectedVersion }: EditedWorkflow,
    make: (document: WorkflowDocument) => Promise<{ document: WorkflowDocument; told: T }>,
  ): Promise<{ record: WorkflowRecord; told: T }> {
    const made: T[] = [];
    const { record } = await saving.edit(
      actor,
      id,
      {
        action: 'workflow.patch',
        origin: 'written',
        async make(base) {
          const { document, told } = await make(base.document);
          made.unshift(told);
          return document;
        },
      },
      expectedVersion,
    );
    return { record, told: made[0] };
  }

  return {
    /**
     * Adds a step; the siblings after it move on by one.
     * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
     * @throws Refused  STEP_PLACE_INVALID, COLOR_TAKEN, and the errors of a save
     */
    async addStep(
      actor: Actor,
      workflow: EditedWorkflow,
      step: StepFields,
      place: StepPlace,
    ): Promise<{ record: WorkflowRecord; stepId: string }> {
      const { record, told } = await edited(actor, workflow, async (document) => {
        const { document: after, stepId } = await inTurns((turn) =>
          withStep(document, step, place, turn),
        );
        return { document: after, told: stepId };
      });
      return { record, stepId: told };
    },

    /**
     * Changes the given fields of a step. References are rewritten if its colour or loop variable
     * changes.
     * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
     * @throws Refused  STEP_KIND_DIFFERS, COLOR_TAKEN, ITERATOR_TAKEN, and the errors of a save
     */
    async updateStep(
      actor: Actor,
      workflow: EditedWorkflow,
      stepId: string,
      step: StepFields,
    ): Promise<WorkflowRecord> {
      return (
        await edited(actor, workflow, async (document) => ({
          document: await inTurns((turn) => withStepChanged(document, stepId, step, turn)),
          told: null,
        }))
      ).record;
    },

    /**
     * Moves a step with everything in it.
     * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
     * @throws Refused  STEP_PLACE_INVALID
     */
    async moveStep(
      actor: Actor,
      workflow: EditedWorkflow,
      stepId: string,
      place: StepPlace,
    ): Promise<WorkflowRecord> {
      return (
        await edited(actor, workflow, async (document) => ({
          document: await inTurns((turn) => withStepMoved(document, stepId, place, turn)),
          told: null,
        }))
      ).record;
    },

    /**
     * Removes a step with everything in it, and returns the references that are now dangling.
     * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
     */
    async removeStep(
      actor: Actor,
      workflow: EditedWorkflow,
      stepId: string,
    ): Promise<{ record: WorkflowRecord; dangling: readonly DanglingReference[] }> {
      const { record, told } = await edited(actor, workflow, async (document) => {
        const after = withoutStep(document, stepId);
        return {
          document: after,
          told: await inTurns((turn) => danglingAfter(document, after, turn)),
        };
      });
      return { record, dangling: told };
    },

    /**
     * Adds a field binding, or changes the given fields of the one with this id.
     * @throws NotFound CONNECTION_NOT_FOUND, ENHANCEMENT_NOT_FOUND
     */
    async setBinding(
      actor: Actor,
      workflow: EditedWorkflow,
      binding: { readonly id?: string | null },
    ): Promise<{ record: WorkflowRecord; bindingId: string }> {
      const { record, told } = await edited(actor, workflow, (document) => {
        const { document: after, bindingId } = withBinding(document, binding);
        return Promise.resolve({ document: after, told: bindingId });
      });
      return { record, bindingId: told };
    },

    /** @throws NotFound CONNECTION_NOT_FOUND, ENHANCEMENT_NOT_FOUND */
    async removeBinding(
      actor: Actor,
      workflow: EditedWorkflow,
      bindingId: string,
    ): Promise<WorkflowRecord> {
      return (
        await edited(actor, workflow, (document) =>
          Promise.resolve({ document: withoutBinding(document, bindingId), told: null }),
        )
      ).record;
    },
  };
}
