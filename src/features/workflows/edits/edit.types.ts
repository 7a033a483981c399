import { Field, ID, ObjectType } from 'type-graphql';
import { MutationPayload } from '../../../platform/graphql/payload';
import { Workflow } from '../workflow.types';
import type { DanglingReference as DanglingReferenceView } from './dangling';

@ObjectType({ description: 'The workflow with a step that was added.' })
export class StepAddPayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null when nothing was changed.' })
  readonly workflow!: Workflow | null;

  @Field(() => ID, { nullable: true, description: 'The new step; null when nothing was changed.' })
  readonly stepId!: string | null;
}

@ObjectType({ description: 'A step or field binding that names a method which is gone.' })
export class DanglingReference implements DanglingReferenceView {
  @Field(() => ID, { nullable: true, description: 'The step; null for a field binding.' })
  readonly stepId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The field binding; null for a step.' })
  readonly bindingId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The place of the step in the order of execution.',
  })
  readonly index!: string | null;

  @Field(() => String, { description: 'The colour that no method has any more, in upper case.' })
  readonly color!: string;
}

@ObjectType({ description: 'The workflow without a step, and what still names it.' })
export class StepRemovePayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null when nothing was changed.' })
  readonly workflow!: Workflow | null;

  @Field(() => [DanglingReference], {
    description: 'What names methods that are gone; `Workflow.validation` tells it, too.',
  })
  readonly danglingReferences!: DanglingReference[];
}

@ObjectType({ description: 'The workflow with a field binding that was added or changed.' })
export class FieldBindingPayload extends MutationPayload {
  @Field(() => Workflow, { nullable: true, description: 'Null when nothing was changed.' })
  readonly workflow!: Workflow | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The field binding; null when nothing was changed.',
  })
  readonly bindingId!: string | null;
}
