import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { MutationPayload, VersionedInput } from '../../../platform/graphql/schema/payload';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import { FieldBindingInput } from '../document/binding-input.types';
import { MethodContentInput, OperatorContentInput } from '../document/workflow-input.types';
import { Workflow } from '../workflow.types';
import type { DanglingReference as DanglingReferenceView } from './step-edits';

@InputType({ description: 'A workflow to edit.' })
abstract class EditInput extends VersionedInput {
  @Field(() => ID, { description: 'Id of the workflow, global or integer.' })
  readonly workflowId!: string;
}

const PARENT = 'The operator that contains it. Default: no operator.';

export const StepAddInput = inputType(
  'StepAddInput',
  'A step to add: a method or an operator.',
  {
    parentStepId: [optional(ID), PARENT],
    position: [optional(Int), 'Its position among the steps there, from 0. Default: the last.'],
    method: [optional(MethodContentInput), 'A step that sends a request.'],
    operator: [optional(OperatorContentInput), 'A condition or a loop.'],
  },
  EditInput,
);
export type StepAddInput = InstanceType<typeof StepAddInput>;

export const StepPasteInput = inputType(
  'StepPasteInput',
  'Copied steps to add.',
  {
    parentStepId: [optional(ID), PARENT],
    position: [
      optional(Int),
      'Position of the first among the steps there, from 0. Default: the last.',
    ],
    content: [JSONValue, 'What `Workflow.stepCopy` returned, of this or of another workflow.'],
  },
  EditInput,
);
export type StepPasteInput = InstanceType<typeof StepPasteInput>;

export const StepUpdateInput = inputType(
  'StepUpdateInput',
  'A step to change. Fields that are not given stay.',
  {
    stepId: [ID, 'The step.'],
    method: [
      optional(MethodContentInput),
      'Changes of a method. If its colour changes, references are updated.',
    ],
    operator: [
      optional(OperatorContentInput),
      'Changes of an operator. If its loop variable changes, references are updated.',
    ],
  },
  EditInput,
);
export type StepUpdateInput = InstanceType<typeof StepUpdateInput>;

export const StepMoveInput = inputType(
  'StepMoveInput',
  'A step to move, with everything in it.',
  {
    stepId: [ID, 'The step.'],
    parentStepId: [optional(ID), PARENT],
    position: [
      optional(Int),
      'Its position among the other steps there, from 0. Default: the last.',
    ],
  },
  EditInput,
);
export type StepMoveInput = InstanceType<typeof StepMoveInput>;

export const StepRemoveInput = inputType(
  'StepRemoveInput',
  'A step to remove, with everything in it.',
  { stepId: [ID, 'The step.'] },
  EditInput,
);
export type StepRemoveInput = InstanceType<typeof StepRemoveInput>;

export const FieldBindingSetInput = inputType(
  'FieldBindingSetInput',
  'A field binding to add or change.',
  {
    binding: [
      FieldBindingInput,
      'With the `bindingId` of an existing binding: its changes. Without: a new one.',
    ],
  },
  EditInput,
);
export type FieldBindingSetInput = InstanceType<typeof FieldBindingSetInput>;

export const FieldBindingRemoveInput = inputType(
  'FieldBindingRemoveInput',
  'A field binding to remove.',
  { bindingId: [ID, 'The field binding.'] },
  EditInput,
);
export type FieldBindingRemoveInput = InstanceType<typeof FieldBindingRemoveInput>;

@InputType({ description: 'A workflow whose last save is undone.' })
export class WorkflowUndoInput extends EditInput {}

@InputType({ description: 'A workflow whose last undone save is redone.' })
export class WorkflowRedoInput extends EditInput {}

@ObjectType({ description: 'The workflow with the added step.' })
export class StepAddPayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null if nothing was changed.' })
  readonly workflow!: Workflow | null;

  @Field(() => ID, { nullable: true, description: 'The new step; null if nothing was changed.' })
  readonly stepId!: string | null;
}

@ObjectType({ description: 'A step or field binding that refers to a removed method.' })
export class DanglingReference implements DanglingReferenceView {
  @Field(() => ID, { nullable: true, description: 'The step; null for a field binding.' })
  readonly stepId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The field binding; null for a step.' })
  readonly bindingId!: string | null;

  @Field(() => String, { nullable: true, description: 'Index of the step in execution order.' })
  readonly index!: string | null;

  @Field(() => String, { description: 'The colour of the removed method, in upper case.' })
  readonly color!: string;
}

@ObjectType({ description: 'The workflow without the removed step.' })
export class StepRemovePayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null if nothing was changed.' })
  readonly workflow!: Workflow | null;

  @Field(() => [DanglingReference], {
    description: 'References to removed methods; also reported by `Workflow.validation`.',
  })
  readonly danglingReferences!: DanglingReference[];
}

@ObjectType({ description: 'The workflow with a field binding that was added or changed.' })
export class FieldBindingPayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null if nothing was changed.' })
  readonly workflow!: Workflow | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The field binding; null if nothing was changed.',
  })
  readonly bindingId!: string | null;
}
