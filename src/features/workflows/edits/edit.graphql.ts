import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { BadInput } from '../../../platform/errors/errors';
import type { PathTable } from '../../../platform/errors/findings';
import type { GraphqlContext } from '../../../platform/context';
import type { InputIds } from '../../../platform/graphql/ids';
import { Needs } from '../../../platform/graphql/needs';
import { payload } from '../../../platform/graphql/payload';
import { workflowPolicy } from '../workflow.policy';
import { Workflow, WorkflowPayload } from '../workflow.types';
import {
  FieldBindingRemoveInput,
  FieldBindingSetInput,
  StepAddInput,
  StepMoveInput,
  StepRemoveInput,
  StepUpdateInput,
  WorkflowUndoInput,
} from './edit.inputs';
import { FieldBindingPayload, StepAddPayload, StepRemovePayload } from './edit.types';
import type { StepFields } from './step-edits';
import type { EditedWorkflow } from './workflow-edits';

/** Edits of single steps and field bindings, and undo. */
@Resolver()
export class WorkflowEditsResolver {
  @Mutation(() => StepAddPayload, { description: 'Adds a step. The steps behind it move on.' })
  @Needs(workflowPolicy.update)
  async stepAdd(
    @Arg('input') input: StepAddInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<StepAddPayload> {
    const { added, userErrors } = await payload(
      'added',
      (ids) => services.workflows.addStep(actor, edited(ids, input), stepOf(input), input),
      IN_EDIT,
    );
    return {
      workflow: (added?.record ?? null) as Workflow | null,
      stepId: added?.stepId ?? null,
      userErrors,
    };
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Changes fields of a step; the others stay. References follow another colour or loop variable.',
  })
  @Needs(workflowPolicy.update)
  stepUpdate(
    @Arg('input') input: StepUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowPayload> {
    return payload(
      'workflow',
      async (ids) =>
        (await services.workflows.updateStep(
          actor,
          edited(ids, input),
          input.stepId,
          stepOf(input),
        )) as Workflow,
      IN_EDIT,
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Moves a step with everything in it. Indexes count up again, and references follow loop variables that must change.',
  })
  @Needs(workflowPolicy.update)
  stepMove(
    @Arg('input') input: StepMoveInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowPayload> {
    return payload(
      'workflow',
      async (ids) =>
        (await services.workflows.moveStep(
          actor,
          edited(ids, input),
          input.stepId,
          input,
        )) as Workflow,
      IN_EDIT,
    );
  }

  @Mutation(() => StepRemovePayload, {
    description: 'Removes a step with everything in it, and tells what still refers to it.',
  })
  @Needs(workflowPolicy.update)
  async stepRemove(
    @Arg('input') input: StepRemoveInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<StepRemovePayload> {
    const { removed, userErrors } = await payload(
      'removed',
      (ids) => services.workflows.removeStep(actor, edited(ids, input), input.stepId),
      IN_EDIT,
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
        services.workflows.setBinding(actor, edited(ids, input), { id: bindingId, ...binding }),
      IN_EDIT,
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
  ): Promise<WorkflowPayload> {
    return payload(
      'workflow',
      async (ids) =>
        (await services.workflows.removeBinding(
          actor,
          edited(ids, input),
          input.bindingId,
        )) as Workflow,
      IN_EDIT,
    );
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Undoes the last save of a workflow that was not undone; where there is none, the workflow stays as it is. An undo is a save, and is not undone itself.',
  })
  @Needs(workflowPolicy.update)
  workflowUndo(
    @Arg('input') input: WorkflowUndoInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowPayload> {
    return payload(
      'workflow',
      async (ids) =>
        (
          await services.workflows.undo(
            actor,
            ids.read('Workflow', input.workflowId, ['workflowId']),
            input.expectedVersion,
          )
        ).record as Workflow,
      IN_EDIT,
    );
  }
}

const edited = (
  ids: InputIds,
  {
    workflowId,
    expectedVersion,
  }: { readonly workflowId: string; readonly expectedVersion?: number | null },
): EditedWorkflow => ({ id: ids.read('Workflow', workflowId, ['workflowId']), expectedVersion });

/** @throws BadInput ONE_OF_REQUIRED */
function stepOf({ method, operator }: Pick<StepAddInput, 'method' | 'operator'>): StepFields {
  if (method && !operator) return { kind: 'method', fields: method };
  if (operator && !method) return { kind: 'operator', fields: operator };
  throw new BadInput('BAD_REQUEST', 'Give either a method or an operator.', {
    path: [method ? 'operator' : 'method'],
    reason: 'ONE_OF_REQUIRED',
  });
}

/**
 * Maps paths of the service to paths of these inputs, for errors. A step is in `method` or
 * `operator`.
 */
const IN_EDIT: PathTable = [
  [['id'], ['workflowId']],
  [['fromConnector', 'methods', '*'], ['method']],
  [['fromConnector', 'operators', '*'], ['operator']],
  [['fieldBinding', '*'], ['binding']],
];
