import { Field, ID, InputType, Int } from 'type-graphql';
import { VersionedInput } from '../../../platform/graphql/payload';
import {
  FieldBindingInput,
  MethodContentInput,
  OperatorContentInput,
} from '../workflow-input.types';

@InputType({ description: 'A workflow of which a part is changed.' })
abstract class EditInput extends VersionedInput {
  @Field(() => ID, { description: 'Id of the workflow, global or integer.' })
  readonly workflowId!: string;
}

const POSITION = 'Its position among the steps there, from 0; without it: the last.';
const PARENT = 'The operator that it is to stand inside; without it: outside of all.';

@InputType({ description: 'A step to add: a method or an operator.' })
export class StepAddInput extends EditInput {
  @Field(() => ID, { nullable: true, description: PARENT })
  readonly parentStepId?: string | null;

  @Field(() => Int, { nullable: true, description: POSITION })
  readonly position?: number | null;

  @Field(() => MethodContentInput, { nullable: true, description: 'A step that calls something.' })
  readonly method?: MethodContentInput | null;

  @Field(() => OperatorContentInput, {
    nullable: true,
    description: 'A step that decides or repeats.',
  })
  readonly operator?: OperatorContentInput | null;
}

@InputType({ description: 'A step to change: fields that are not given stay.' })
export class StepUpdateInput extends EditInput {
  @Field(() => ID, { description: 'The step.' })
  readonly stepId!: string;

  @Field(() => MethodContentInput, {
    nullable: true,
    description: 'What changes of a method. References follow another colour.',
  })
  readonly method?: MethodContentInput | null;

  @Field(() => OperatorContentInput, {
    nullable: true,
    description: 'What changes of an operator. References follow another loop variable.',
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
    description: 'Its position among the other steps there, from 0; without it: the last.',
  })
  readonly position?: number | null;
}

@InputType({ description: 'A step to remove, with everything in it.' })
export class StepRemoveInput extends EditInput {
  @Field(() => ID, { description: 'The step.' })
  readonly stepId!: string;
}

@InputType({ description: 'A field binding to add or to change.' })
export class FieldBindingSetInput extends EditInput {
  @Field(() => FieldBindingInput, {
    description:
      'With the `bindingId` of one that is there: what changes of it. Without: a new one.',
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
