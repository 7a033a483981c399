import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { MutationPayload, VersionedInput } from '../../../platform/graphql/schema/payload';
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

@InputType({ description: 'A step to add: a method or an operator.' })
export class StepAddInput extends EditInput {
  @Field(() => ID, { nullable: true, description: PARENT })
  readonly parentStepId?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Its position among the steps there, from 0. Default: the last.',
  })
  readonly position?: number | null;

  @Field(() => MethodContentInput, {
    nullable: true,
    description: 'A step that sends a request.',
  })
  readonly method?: MethodContentInput | null;

  @Field(() => OperatorContentInput, { nullable: true, description: 'A condition or a loop.' })
  readonly operator?: OperatorContentInput | null;
}

@InputType({ description: 'A step to change. Fields that are not given stay.' })
export class StepUpdateInput extends EditInput {
  @Field(() => ID, { description: 'The step.' })
  readonly stepId!: string;

  @Field(() => MethodContentInput, {
    nullable: true,
    description: 'Changes of a method. If its colour changes, references are updated.',
  })
  readonly method?: MethodContentInput | null;

  @Field(() => OperatorContentInput, {
    nullable: true,
    description: 'Changes of an operator. If its loop variable changes, references are updated.',
  })
  readonly operator?: OperatorContentInput | null;
}

@InputType({ description: 'A step to move, with everything in it.' })
export class StepMoveInput extends EditInput {
  @Field(() => ID, { description: 'The step.' })
  readonly stepId!: string;

  @Field(() => ID, { nullable: true, description: PARENT })
  readonly parentStepId?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Its position among the other steps there, from 0. Default: the last.',
  })
  readonly position?: number | null;
}

@InputType({ description: 'A step to remove, with everything in it.' })
export class StepRemoveInput extends EditInput {
  @Field(() => ID, { description: 'The step.' })
  readonly stepId!: string;
}

@InputType({ description: 'A field binding to add or change.' })
export class FieldBindingSetInput extends EditInput {
  @Field(() => FieldBindingInput, {
    description: 'With the `bindingId` of an existing binding: its changes. Without: a new one.',
  })
  readonly binding!: FieldBindingInput;
}

@InputType({ description: 'A field binding to remove.' })
export class FieldBindingRemoveInput extends EditInput {
  @Field(() => ID, { description: 'The field binding.' })
  readonly bindingId!: string;
}

@InputType({ description: 'A workflow whose last save is undone.' })
export class WorkflowUndoInput extends EditInput {}

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
