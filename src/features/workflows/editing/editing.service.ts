import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import { Forbidden } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import type { ExpectedVersion } from '../../../platform/store/records';
import { requireVersion } from '../../../platform/store/records';
import { isJsonObject } from '../document/json';
import type { WorkflowDocument } from '../document/workflow-document';
import type { WorkflowWithDocument } from '../workflow-reader';
import { shownTo } from '../workflow-reader';
import type { WorkflowService } from '../workflow.service';
import { Overtaken } from '../workflow.service';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import { parsePatch } from './json-patch';
import { partIdOf } from '../document/part-ids';
import { valueAt } from './pointer';
import {
  addStep,
  findDangling,
  moveStep,
  removeBinding,
  removeStep,
  setBinding,
  updateStep,
} from './step-edits';
import type { DanglingReference, StepFields } from './step-edits';
import { copyStep, pasteSteps } from './step-copies';
import type { StepCopy } from './step-copies';
import type { StepPlace } from './step-tree';
import type { UndoKind, UndoRecord, UndoStack } from './undo-stack';
import { applyPatch, resolveTarget } from './workflow-patch';
import type { EntryPosition, PatchTarget } from './workflow-patch';

declare module '../../../platform/context' {
  interface Services {
    workflowEditing: EditingService;
  }
}

export interface EditedWorkflow {
  readonly id: number;
  readonly expectedVersion?: ExpectedVersion;
}

/** The saved workflow, and the id of the first step or field binding that the patch added. */
export interface PatchedWorkflow {
  readonly record: WorkflowRecord;
  readonly addedId: string | null;
}

/** Internal: there is nothing to undo or redo, and the workflow is returned unchanged. */
class NothingToUndo extends Error {}

/**
 * Edits parts of workflows: JSON patches (RFC 6902), edits of single steps and field bindings, undo
 * and redo. Each edit saves a version.
 */
export class EditingService {
  constructor(
    private readonly deps: {
      readonly workflows: WorkflowService;
      readonly undos: UndoStack;
      /** Maximum size of a workflow, bytes. */
      readonly workflowBytes: number;
    },
  ) {}

  /**
   * Applies a JSON patch to a workflow or one of its parts, and saves it.
   * @param input the patch, not parsed yet
   * @throws NotFound CONNECTION_NOT_FOUND, METHOD_NOT_FOUND, OPERATOR_NOT_FOUND,
   * ENHANCEMENT_NOT_FOUND
   * @throws BadInput PATCH_INVALID the input is not a patch
   * @throws Refused  PATH_IS_INVALID, and the errors of a save
   * @throws Conflict PATCH_TEST_FAILED; CONFLICT the version differs; TITLE_HAS_ALREADY_TAKEN
   * @throws TooLarge the patch or its result is too large
   */
  async patch(
    actor: Actor,
    id: number,
    target: PatchTarget,
    input: unknown,
    expectedVersion?: ExpectedVersion,
  ): Promise<PatchedWorkflow> {
    const { workflows, workflowBytes } = this.deps;
    const findings = new Findings();
    const operations = findings.ofSync(() => parsePatch(input)) ?? [];
    const attempts: (EntryPosition | null)[] = [];
    const { record, document } = await workflows.edit(
      actor,
      id,
      {
        action: 'workflow.patch',
        origin: 'written',
        async make(base) {
          const patchable = resolveTarget(target, base);
          const { value, added } = applyPatch(patchable, operations, workflowBytes);
          attempts.push(added);
          return patchable.put(value);
        },
      },
      expectedVersion,
      findings,
    );
    // The save assigns ids and keeps positions, so the id is read from the saved document.
    const added = attempts.at(-1);
    const root = target.kind === 'connector' ? document.fromConnector : document;
    const part = added && valueAt(root, [...added.list, String(added.position)]);
    return { record, addedId: isJsonObject(part) ? partIdOf(part) : null };
  }

  /**
   * Adds a step; the siblings after it move on by one.
   * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
   * @throws Refused  STEP_PLACE_INVALID, COLOR_TAKEN, and the errors of a save
   */
  addStep(
    actor: Actor,
    workflow: EditedWorkflow,
    step: StepFields,
    place: StepPlace,
  ): Promise<{ record: WorkflowRecord; stepId: string }> {
    return this.edit(actor, workflow, (document) => addStep(document, step, place));
  }

  /**
   * Copies a step with everything in it, as its reader sees it.
   * @throws NotFound STEP_NOT_FOUND
   */
  async copyStep(actor: Actor, id: number, stepId: string): Promise<StepCopy> {
    const { document } = await this.deps.workflows.getWithDocument(actor, id);
    return copyStep(document, stepId);
  }

  /**
   * Adds copied steps; the siblings after them move on.
   * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
   * @throws BadInput STEPS_INVALID
   * @throws Refused  STEP_PLACE_INVALID, and the errors of a save
   */
  pasteSteps(
    actor: Actor,
    workflow: EditedWorkflow,
    content: unknown,
    place: StepPlace,
  ): Promise<{ record: WorkflowRecord; stepId: string }> {
    return this.edit(actor, workflow, (document) => pasteSteps(document, content, place));
  }

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
    const { record } = await this.edit(actor, workflow, (document) => ({
      document: updateStep(document, stepId, step),
    }));
    return record;
  }

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
    const { record } = await this.edit(actor, workflow, (document) => ({
      document: moveStep(document, stepId, place),
    }));
    return record;
  }

  /**
   * Removes a step with everything in it, and returns the references that are now dangling.
   * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
   */
  removeStep(
    actor: Actor,
    workflow: EditedWorkflow,
    stepId: string,
  ): Promise<{ record: WorkflowRecord; dangling: readonly DanglingReference[] }> {
    return this.edit(actor, workflow, (before) => {
      const document = removeStep(before, stepId);
      return {
        document,
        dangling: findDangling(before, document),
      };
    });
  }

  /**
   * Adds a field binding, or changes the given fields of the one with this id.
   * @throws NotFound CONNECTION_NOT_FOUND, ENHANCEMENT_NOT_FOUND
   */
  setBinding(
    actor: Actor,
    workflow: EditedWorkflow,
    binding: { readonly id?: string | null },
  ): Promise<{ record: WorkflowRecord; bindingId: string }> {
    return this.edit(actor, workflow, (document) => setBinding(document, binding));
  }

  /** @throws NotFound CONNECTION_NOT_FOUND, ENHANCEMENT_NOT_FOUND */
  async removeBinding(
    actor: Actor,
    workflow: EditedWorkflow,
    bindingId: string,
  ): Promise<WorkflowRecord> {
    const { record } = await this.edit(actor, workflow, (document) => ({
      document: removeBinding(document, bindingId),
    }));
    return record;
  }

  /**
   * Undoes the last save that was not undone yet, or redoes the last undone one, which any other
   * save ends; does nothing if there is none. This is a save as well.
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN another workflow has the earlier title; CONFLICT the
   * version differs
   */
  async revert(
    actor: Actor,
    { id, expectedVersion }: EditedWorkflow,
    kind: UndoKind,
  ): Promise<WorkflowWithDocument> {
    const { workflows, undos } = this.deps;
    if (!allows(workflowPolicy.update, actor))
      throw new Forbidden(`This needs ${workflowPolicy.update}.`);
    const attempts: UndoRecord[] = [];
    try {
      const { record, document } = await workflows.edit(
        actor,
        id,
        {
          action: `workflow.${kind}`,
          origin: 'stored',
          make: async (base) => {
            const { undo, document: other } = await this.requireUndo(base, kind);
            attempts.push(undo);
            return other;
          },
          settle: (saved, inverse, tx) =>
            undos.exchange(attempts[attempts.length - 1], saved, inverse, tx),
        },
        expectedVersion,
      );
      return { record, document: shownTo(actor, document) };
    } catch (error) {
      if (!(error instanceof NothingToUndo)) throw error;
      const current = await workflows.getWithDocument(actor, id);
      requireVersion('workflow', current.record, expectedVersion);
      return current;
    }
  }

  /** Returns whether `revert` would change something. */
  canRevert(workflow: WorkflowRecord, kind: UndoKind): Promise<boolean> {
    return this.deps.undos.has(workflow, kind);
  }

  /**
   * Returns the latest inverse of this kind, and the document that it leads to.
   * @throws NothingToUndo
   * @throws Overtaken a concurrent save or undo has replaced the entry
   */
  private async requireUndo(
    { record, document }: WorkflowWithDocument,
    kind: UndoKind,
  ): Promise<{ undo: UndoRecord; document: WorkflowDocument }> {
    const { workflows, undos } = this.deps;
    const undo = await undos.latest(record, kind);
    const previous = undo && (await undos.readPrevious(document, undo));
    if (previous) return { undo, document: previous };
    const isCurrent = (await workflows.get(record._id)).version === record.version;
    throw isCurrent ? new NothingToUndo() : new Overtaken();
  }

  /** Saves the changed document; returns the result of the last attempt. */
  private async edit<R extends { readonly document: WorkflowDocument }>(
    actor: Actor,
    { id, expectedVersion }: EditedWorkflow,
    change: (document: WorkflowDocument) => R | Promise<R>,
  ): Promise<R & { record: WorkflowRecord }> {
    const attempts: R[] = [];
    const { record } = await this.deps.workflows.edit(
      actor,
      id,
      {
        action: 'workflow.patch',
        origin: 'written',
        async make({ document }) {
          const changed = await change(document);
          attempts.push(changed);
          return changed.document;
        },
      },
      expectedVersion,
    );
    return { ...attempts[attempts.length - 1], record };
  }
}
