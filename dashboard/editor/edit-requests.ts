import { request } from '../api/request';
import {
  AddStepDocument,
  EditWorkflowDocument,
  MoveStepDocument,
  RedoWorkflowDocument,
  PasteStepsDocument,
  RemoveBindingDocument,
  RemoveStepDocument,
  SetBindingDocument,
  UndoWorkflowDocument,
  UpdateStepDocument,
} from '../generated/operations';
import type { EditErrorFragment } from '../generated/operations';
import { isUnsavedId } from './document';
import type { Edit, SavedWorkflow } from './document';

/** The result of one edit. `workflow` is null if it was rejected. */
export interface EditResult {
  readonly workflow: SavedWorkflow | null;
  readonly userErrors: readonly EditErrorFragment[];
  /** Id that the service gave to the added step or binding. */
  readonly addedId?: string | null;
}

interface Base {
  readonly workflowId: string;
  readonly expectedVersion: number;
}

/** Sends one edit. @throws Failure */
export async function sendEdit(edit: Edit, base: Base): Promise<EditResult> {
  switch (edit.kind) {
    case 'update': {
      const { stepId, changes } = edit;
      return (await request(UpdateStepDocument, { input: { ...base, stepId, ...changes } }))
        .stepUpdate;
    }
    case 'add': {
      const { changes, parentId: parentStepId, position } = edit;
      const { stepAdd } = await request(AddStepDocument, {
        input: { ...base, parentStepId, position, ...changes },
      });
      return { ...stepAdd, addedId: stepAdd.stepId };
    }
    case 'paste': {
      const { content, parentId: parentStepId, position } = edit;
      const { stepPaste } = await request(PasteStepsDocument, {
        input: { ...base, parentStepId, position, content },
      });
      return { ...stepPaste, addedId: stepPaste.stepId };
    }
    case 'move': {
      const { stepId, parentId: parentStepId, position } = edit;
      return (
        await request(MoveStepDocument, { input: { ...base, stepId, parentStepId, position } })
      ).stepMove;
    }
    case 'remove':
      return (await request(RemoveStepDocument, { input: { ...base, stepId: edit.stepId } }))
        .stepRemove;
    case 'bind': {
      const { bindingId, ...binding } = edit.binding;
      const { fieldBindingSet } = await request(SetBindingDocument, {
        input: {
          ...base,
          binding:
            bindingId == null || isUnsavedId(String(bindingId))
              ? binding
              : { bindingId, ...binding },
        },
      });
      return { ...fieldBindingSet, addedId: fieldBindingSet.bindingId };
    }
    case 'unbind':
      return (
        await request(RemoveBindingDocument, { input: { ...base, bindingId: edit.bindingId } })
      ).fieldBindingRemove;
    case 'details': {
      const { kind: _kind, ...details } = edit;
      const { workflowId: id, expectedVersion } = base;
      return (await request(EditWorkflowDocument, { input: { id, expectedVersion, ...details } }))
        .workflowUpdate;
    }
  }
}

/** Undoes the last save. @throws Failure */
export const sendUndo = async (base: Base): Promise<EditResult> =>
  (await request(UndoWorkflowDocument, { input: base })).workflowUndo;

/** Redoes the last save that was undone. @throws Failure */
export const sendRedo = async (base: Base): Promise<EditResult> =>
  (await request(RedoWorkflowDocument, { input: base })).workflowRedo;
