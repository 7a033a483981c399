import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { PathTable } from '../../platform/errors/findings';
import { databaseId } from '../../platform/graphql/schema/ids';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page } from '../../platform/store/lists/keyset';
import { RunValue } from '../runs/run.types';
import { MethodStep } from '../workflows/document/step.types';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { Workflow } from '../workflows/workflow.types';
import type { AggregatorRecord } from './aggregator.model';
import { aggregatorPolicy } from './aggregator.policy';
import type { ArgumentInput } from './aggregator.rules';
import {
  Aggregator,
  AggregatorArgument,
  AggregatorConnection,
  AggregatorCreateInput,
  AggregatorDeleteInput,
  AggregatorIdsInput,
  AggregatorPayload,
  AggregatorsArgs,
  AggregatorsPayload,
  AggregatorUpdateInput,
  AggregatorViewerCan,
  oneAggregatorPolicy,
} from './aggregator.types';
import type { AggregatorArgumentInput } from './aggregator.types';

const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Aggregator') },
  name: { folded: 'nameKey' },
  active: 'active',
};
const ORDER = { ID: '_id', NAME: 'nameKey' } as const;

/** Maps paths of the service, which uses `args` like REST, to paths of the inputs, for errors. */
const IN_INPUT: PathTable = [
  [
    ['args', '*', 'id'],
    ['arguments', '*', 'argumentId'],
  ],
  [['args'], ['arguments']],
];

const argumentsOf = (
  list: readonly AggregatorArgumentInput[] | null | undefined,
): ArgumentInput[] | undefined =>
  list?.map(({ argumentId, name, description }) => ({ id: argumentId, name, description }));

/** Aggregators by id, batched per request. */
function aggregatorLoader(context: GraphqlContext) {
  return context.loader<number, AggregatorRecord>('aggregators', (ids) =>
    context.services.aggregators.byIds(ids),
  );
}

/** The aggregator of a link; null if there is none, it is deleted, or the user may not read it. */
async function linkedAggregator(
  context: GraphqlContext,
  id: number | null,
): Promise<AggregatorRecord | null> {
  return id !== null && allows(aggregatorPolicy.read, context.actor)
    ? aggregatorLoader(context).load(id)
    : null;
}

@Resolver(() => Aggregator)
export class AggregatorResolver {
  @Query(() => AggregatorConnection, { description: 'A page of aggregators.' })
  @Needs(aggregatorPolicy.read)
  aggregators(
    @Args(() => AggregatorsArgs)
    args: InstanceType<typeof AggregatorsArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<AggregatorRecord>> {
    return services.aggregators.page(
      toPageQuery(args, FIELDS, ORDER, { field: 'nameKey', direction: 'asc' }),
    );
  }

  @Query(() => Aggregator, {
    nullable: true,
    description: 'An aggregator; null if it does not exist.',
  })
  @Needs(aggregatorPolicy.read)
  aggregator(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<AggregatorRecord | null> {
    return aggregatorLoader(context).load(databaseId(id, 'Aggregator'));
  }

  @FieldResolver(() => [AggregatorArgument], {
    name: 'arguments',
    description: 'The variables whose values are stored with runs.',
  })
  argumentsOf(@Root() { args }: AggregatorRecord): AggregatorRecord['args'] {
    return args;
  }

  // Needs no further permission: workflows and aggregators have the same read permission.
  @FieldResolver(() => [Workflow], {
    description: 'The workflows with a method that uses it, by id.',
  })
  async usedBy(
    @Root() { _id }: AggregatorRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly WorkflowRecord[]> {
    const users = context.loader<number, readonly WorkflowRecord[]>(
      'workflowsOfAggregators',
      async (ids) => {
        const workflows = await context.services.workflowReferences.byAggregator(ids);
        return ids.map((id) => workflows.get(id) ?? []);
      },
    );
    return (await users.load(_id)) ?? [];
  }

  @FieldResolver(() => AggregatorViewerCan, {
    description: 'Permissions of the signed-in user for this aggregator.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof AggregatorViewerCan> {
    return viewerCan(oneAggregatorPolicy, actor);
  }

  @Mutation(() => AggregatorPayload, { description: 'Creates an aggregator.' })
  @Needs(aggregatorPolicy.create)
  aggregatorCreate(
    @Arg('input', {
      description: 'The new aggregator.',
    })
    input: AggregatorCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { name, script, active } = input;
    return payload(
      'aggregator',
      () =>
        services.aggregators.create(actor, {
          name,
          script,
          active,
          args: argumentsOf(input.arguments),
        }),
      IN_INPUT,
    );
  }

  @Mutation(() => AggregatorPayload, { description: 'Changes an aggregator.' })
  @Needs(aggregatorPolicy.update)
  aggregatorUpdate(
    @Arg('input', {
      description: 'The aggregator and its changes.',
    })
    input: AggregatorUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { name, script, active } = input;
    const change = {
      name: name ?? undefined,
      script: script ?? undefined,
      active: active ?? undefined,
      args: argumentsOf(input.arguments),
    };
    return payload(
      'aggregator',
      (ids) =>
        services.aggregators.update(
          actor,
          ids.read('Aggregator', input.id),
          change,
          input.expectedVersion,
        ),
      IN_INPUT,
    );
  }

  @Mutation(() => AggregatorPayload, {
    description: 'Deletes an aggregator. One that workflows use is deleted only with `force`.',
  })
  @ServedOnFullDisk()
  @Needs(aggregatorPolicy.delete)
  aggregatorDelete(
    @Arg('input', { description: 'The aggregator to delete.' })
    { id, force, expectedVersion }: AggregatorDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('aggregator', (ids) =>
      services.aggregators.remove(actor, ids.read('Aggregator', id), { force, expectedVersion }),
    );
  }

  @Mutation(() => AggregatorsPayload, {
    description:
      'Deletes aggregators, all or none. Those that workflows use are deleted only with `force`.',
  })
  @ServedOnFullDisk()
  @Needs(aggregatorPolicy.delete)
  aggregatorsDelete(
    @Arg('input', { description: 'The aggregators to delete.' })
    input: AggregatorIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('aggregators', 'Aggregator', (ids) =>
      services.aggregators.removeAll(actor, ids.readAll('Aggregator', input.ids), {
        force: input.force,
      }),
    );
  }
}

@Resolver(() => AggregatorArgument)
export class AggregatorArgumentResolver {
  @FieldResolver(() => Int, {
    description: 'Unique among the arguments of all aggregators. References in texts use it.',
  })
  argumentId(@Root() { id }: AggregatorArgument): number {
    return id;
  }
}

@Resolver(() => MethodStep)
export class AggregatorOfStepResolver {
  @FieldResolver(() => Aggregator, {
    nullable: true,
    description: 'The aggregator in its current state; null if there is none, or it was deleted.',
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
      'The aggregator in its current state; null if it was deleted, or the signed-in user may not read it.',
  })
  aggregator(
    @Root() { aggregatorId }: RunValue,
    @Ctx() context: GraphqlContext,
  ): Promise<AggregatorRecord | null> {
    return linkedAggregator(context, aggregatorId);
  }
}

registerNode(
  'Aggregator',
  (id, context) => aggregatorLoader(context).load(id),
  aggregatorPolicy.read,
);
