import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { PathTable } from '../../../platform/errors/findings';
import type { GraphqlContext } from '../../../platform/context';
import type { InputIds } from '../../../platform/graphql/schema/ids';
import { Needs } from '../../../platform/graphql/schema/needs';
import { payload } from '../../../platform/graphql/schema/payload';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import { Workflow, WorkflowPayload } from '../workflow.types';
import type { EditedWorkflow } from './editing.service';
import {
  FieldBindingPayload,
  FieldBindingRemoveInput,
  FieldBindingSetInput,
  StepAddInput,
  StepAddPayload,
  StepMoveInput,
  StepPasteInput,
  StepRemoveInput,
  StepRemovePayload,
  StepUpdateInput,
  WorkflowRedoInput,
  WorkflowUndoInput,
} from './editing.types';
import type { StepCopy } from './step-copies';
import { stepFieldsOf } from './step-edits';

/** Edits of single steps and field bindings, undo and redo. */
@Resolver(() => Workflow)
export class WorkflowEditsResolver {
  @Mutation(() => StepAddPayload, {
    description: 'Adds a step. The following steps move on by one.',
  })
  @Needs(workflowPolicy.update)
  stepAdd(
    @Arg('input') input: StepAddInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<StepAddPayload> {
    return stepAddPayload((ids) =>
      services.workflowEditing.addStep(
        actor,
        editedWorkflow(ids, input),
        stepFieldsOf(input),
        input,
      ),
    );
  }

  @Mutation(() => StepAddPayload, {
    description:
      'Adds copied steps with new ids. Colours and loop variables that are taken are replaced, with the references among the copied steps.',
  })
  @Needs(workflowPolicy.update)
  stepPaste(
    @Arg('input') input: StepPasteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<StepAddPayload> {
    return stepAddPayload((ids) =>
      services.workflowEditing.pasteSteps(actor, editedWorkflow(ids, input), input.content, input),
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Changes fields of a step; the others stay. If its colour or loop variable changes, references are updated.',
  })
  @Needs(workflowPolicy.update)
  stepUpdate(@Arg('input') input: StepUpdateInput, @Ctx() { actor, services }: GraphqlContext) {
    return workflowPayload((ids) =>
      services.workflowEditing.updateStep(
        actor,
        editedWorkflow(ids, input),
        input.stepId,
        stepFieldsOf(input),
      ),
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Moves a step with everything in it. Indexes are renumbered; loop variables that would clash are renamed, and references to them are updated.',
  })
  @Needs(workflowPolicy.update)
  stepMove(@Arg('input') input: StepMoveInput, @Ctx() { actor, services }: GraphqlContext) {
    return workflowPayload((ids) =>
      services.workflowEditing.moveStep(actor, editedWorkflow(ids, input), input.stepId, input),
    );
  }

  @Mutation(() => StepRemovePayload, {
    description: 'Removes a step with everything in it, and lists the references to it.',
  })
  @Needs(workflowPolicy.update)
  async stepRemove(
    @Arg('input') input: StepRemoveInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<StepRemovePayload> {
    const { removed, userErrors } = await payload(
      'removed',
      (ids) => services.workflowEditing.removeStep(actor, editedWorkflow(ids, input), input.stepId),
      INPUT_PATHS,
    );
    return {
      workflow: (removed?.record ?? null) as Workflow | null,
      danglingReferences: [...(removed?.dangling ?? [])],
      userErrors,
    };
  }

  @Mutation(() => FieldBindingPayload, {
    description: 'Adds a field binding, or changes fields of one; the others stay.',
  })
  @Needs(workflowPolicy.update)
  async fieldBindingSet(
    @Arg('input') input: FieldBindingSetInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<FieldBindingPayload> {
    const { bindingId, ...binding } = input.binding;
    const { set, userErrors } = await payload(
      'set',
      (ids) =>
        services.workflowEditing.setBinding(actor, editedWorkflow(ids, input), {
          id: bindingId,
          ...binding,
        }),
      INPUT_PATHS,
    );
    return {
      workflow: (set?.record ?? null) as Workflow | null,
      bindingId: set?.bindingId ?? null,
      userErrors,
    };
  }

  @Mutation(() => WorkflowPayload, { description: 'Removes a field binding.' })
  @Needs(workflowPolicy.update)
  fieldBindingRemove(
    @Arg('input') input: FieldBindingRemoveInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return workflowPayload((ids) =>
      services.workflowEditing.removeBinding(actor, editedWorkflow(ids, input), input.bindingId),
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Undoes the last save of a workflow that was not undone yet. If there is none, the workflow stays as it is. An undo is a save; `workflowRedo` reverts it.',
  })
  @Needs(workflowPolicy.update)
  workflowUndo(@Arg('input') input: WorkflowUndoInput, @Ctx() { actor, services }: GraphqlContext) {
    return workflowPayload(
      async (ids) =>
        (await services.workflowEditing.revert(actor, editedWorkflow(ids, input), 'undo')).record,
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Redoes the last save of a workflow that was undone, exactly. Any other save ends what can be redone. If there is none, the workflow stays as it is. It is a save, and can be undone again.',
  })
  @Needs(workflowPolicy.update)
  workflowRedo(@Arg('input') input: WorkflowRedoInput, @Ctx() { actor, services }: GraphqlContext) {
    return workflowPayload(
      async (ids) =>
        (await services.workflowEditing.revert(actor, editedWorkflow(ids, input), 'redo')).record,
    );
  }

  @FieldResolver(() => Boolean, { description: 'Whether `workflowUndo` would change it.' })
  canUndo(@Root() workflow: WorkflowRecord, @Ctx() { services }: GraphqlContext): Promise<boolean> {
    return services.workflowEditing.canRevert(workflow, 'undo');
  }

  @FieldResolver(() => Boolean, { description: 'Whether `workflowRedo` would change it.' })
  canRedo(@Root() workflow: WorkflowRecord, @Ctx() { services }: GraphqlContext): Promise<boolean> {
    return services.workflowEditing.canRevert(workflow, 'redo');
  }
}

/** Copies of steps, for `stepPaste`. */
@Resolver(() => Workflow)
export class StepCopyResolver {
  @FieldResolver(() => JSONValue, {
    description:
      'A step with everything in it and the field bindings that write to it, as in documents, for `stepPaste`.',
  })
  stepCopy(
    @Root() { _id }: WorkflowRecord,
    @Arg('stepId', () => ID, { description: 'The step.' }) stepId: string,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<StepCopy> {
    return services.workflowEditing.copyStep(actor, _id, stepId);
  }
}

async function stepAddPayload(
  change: (ids: InputIds) => Promise<{ readonly record: WorkflowRecord; readonly stepId: string }>,
): Promise<StepAddPayload> {
  const { added, userErrors } = await payload('added', change, INPUT_PATHS);
  return {
    workflow: (added?.record ?? null) as Workflow | null,
    stepId: added?.stepId ?? null,
    userErrors,
  };
}

const workflowPayload = (change: (ids: InputIds) => Promise<WorkflowRecord>) =>
  payload('workflow', change, INPUT_PATHS);

const editedWorkflow = (
  ids: InputIds,
  {
    workflowId,
    expectedVersion,
  }: { readonly workflowId: string; readonly expectedVersion?: number | null },
): EditedWorkflow => ({ id: ids.read('Workflow', workflowId, ['workflowId']), expectedVersion });

/**
 * Maps paths of the service to paths of these inputs, for errors. A step is in `method` or
 * `operator`.
 */
const INPUT_PATHS: PathTable = [
  [['id'], ['workflowId']],
  [['fromConnector', 'methods', '*'], ['method']],
  [['fromConnector', 'operators', '*'], ['operator']],
  [['fieldBinding', '*'], ['binding']],
];
