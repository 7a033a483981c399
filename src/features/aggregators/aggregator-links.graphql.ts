import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { RunValue } from '../runs/run.types';
import { MethodStep } from '../workflows/steps/step.types';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { Workflow } from '../workflows/workflow.types';
import { linkedAggregator } from './aggregator.loader';
import type { AggregatorRecord } from './aggregator.model';
import { Aggregator } from './aggregator.types';

@Resolver(() => MethodStep)
export class AggregatorOfStepResolver {
  @FieldResolver(() => Aggregator, {
    nullable: true,
    description: 'The aggregator as it is now; null when it names none, or one that is deleted.',
  })
  aggregator(
    @Root() { dataAggregator }: MethodStep,
    @Ctx() context: GraphqlContext,
  ): Promise<AggregatorRecord | null> {
    return linkedAggregator(context, dataAggregator);
  }
}

@Resolver(() => RunValue)
export class AggregatorOfRunValueResolver {
  @FieldResolver(() => Aggregator, {
    nullable: true,
    description:
      'The aggregator as it is now; null when it is deleted, or not for the signed-in user to read.',
  })
  aggregator(
    @Root() { aggregatorId }: RunValue,
    @Ctx() context: GraphqlContext,
  ): Promise<AggregatorRecord | null> {
    return linkedAggregator(context, aggregatorId);
  }
}

/** Needs no further permission: workflows and aggregators have the same read permission. */
@Resolver(() => Aggregator)
export class WorkflowsOfAggregatorResolver {
  @FieldResolver(() => [Workflow], {
    description: 'The workflows with a method that names it, by id.',
  })
  async usedBy(
    @Root() { _id }: AggregatorRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly WorkflowRecord[]> {
    const users = context.loader<number, readonly WorkflowRecord[]>(
      'workflowsOfAggregators',
      async (ids) => {
        const found = await context.services.workflows.workflowsOfAggregators(ids);
        return ids.map((id) => found.get(id) ?? []);
      },
    );
    return (await users.load(_id)) ?? [];
  }
}
