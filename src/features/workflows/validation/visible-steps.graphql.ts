import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { AVAILABILITIES, stepsVisibleFrom } from '../../../engine';
import type { SurroundingLoop, VisibleStep } from '../../../engine';
import type { GraphqlContext } from '../../../platform/context';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { databaseId } from '../../../platform/graphql/schema/ids';
import { Needs } from '../../../platform/graphql/schema/needs';
import { stepNotFound } from '../editing/step-tree';
import { workflowPolicy } from '../workflow.policy';

const StepAvailability = enumOf(
  AVAILABILITIES,
  'StepAvailability',
  'Whether a step has a response for the step that refers to it.',
);

@ObjectType({ description: 'A loop around a step.' })
export class StepReferenceLoop implements SurroundingLoop {
  @Field(() => ID, { description: 'The loop.' })
  readonly stepId!: string;

  @Field(() => String, { description: 'Its variable.' })
  readonly iterator!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The list as a reference: `{%#FFCFB5.(response).body.tickets%}`; null if it is computed.',
  })
  readonly list!: string | null;
}

@ObjectType({ description: 'An earlier step that a step may refer to.' })
export class StepReference implements VisibleStep {
  @Field(() => ID, { description: 'The earlier step.' })
  readonly stepId!: string;

  @Field(() => String, { description: 'Its label or operation; its number if it has neither.' })
  readonly name!: string;

  @Field(() => String, { description: '`#RRGGBB`: how references name it.' })
  readonly color!: string;

  @Field(() => String, {
    description: 'Its position for users: `2.1` is the first step inside the second one.',
  })
  readonly number!: string;

  @Field(() => StepAvailability, { description: 'Whether it has a response.' })
  readonly availability!: VisibleStep['availability'];

  @Field(() => [String], {
    description: 'Variables of the loops around the referring step that iterate over its data.',
  })
  readonly iterators!: string[];

  @Field(() => [StepReferenceLoop], {
    description: 'The loops around the referring step, outermost first.',
  })
  readonly loops!: StepReferenceLoop[];
}

@Resolver()
export class VisibleStepsResolver {
  @Query(() => [StepReference], {
    description:
      'The earlier steps of a saved workflow whose data a step may use, in execution order.',
  })
  @Needs(workflowPolicy.read)
  async stepReferences(
    @Arg('workflowId', () => ID, { description: 'The workflow: global id or integer.' })
    workflowId: string,
    @Arg('stepId', () => ID, { description: 'The referring step.' }) stepId: string,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<readonly VisibleStep[]> {
    const id = databaseId(workflowId, 'Workflow', ['workflowId']);
    const { document } = await services.workflows.getWithDocument(actor, id);
    const steps = stepsVisibleFrom(document, stepId);
    if (steps === null) throw stepNotFound(stepId, ['stepId']);
    return steps;
  }
}
