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
import type { GraphqlContext } from '../../platform/context';
import type { PathTable } from '../../platform/errors/findings';
import { databaseId } from '../../platform/graphql/ids';
import { listPayload, payload } from '../../platform/graphql/payload';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { toOrder } from '../../platform/graphql/connection';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/keyset';
import {
  AggregatorCreateInput,
  AggregatorDeleteInput,
  AggregatorIdsInput,
  AggregatorsArgs,
  AggregatorUpdateInput,
} from './aggregator.inputs';
import type { AggregatorArgumentInput } from './aggregator.inputs';
import { aggregatorLoader } from './aggregator.loader';
import type { AggregatorRecord } from './aggregator.model';
import { aggregatorPolicy } from './aggregator.policy';
import type { ArgumentInput } from './aggregator.rules';
import {
  Aggregator,
  AggregatorArgument,
  AggregatorConnection,
  AggregatorPayload,
  AggregatorsPayload,
  AggregatorViewerCan,
  oneAggregatorPolicy,
} from './aggregator.types';

const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Aggregator') },
  name: { folded: 'nameKey' },
  active: 'active',
};
const ORDER = { ID: '_id', NAME: 'nameKey' } as const;
const BY_NAME = { field: 'nameKey', direction: 'asc' } as const;

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

@Resolver(() => Aggregator)
export class AggregatorResolver {
  @Query(() => AggregatorConnection, { description: 'Aggregators, a page at a time.' })
  @Needs(aggregatorPolicy.read)
  aggregators(
    @Args() { filter, orderBy, ...page }: AggregatorsArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<AggregatorRecord>> {
    return services.aggregators.page({
      ...page,
      filter: toQuery(filter, FIELDS),
      orderBy: toOrder(orderBy, ORDER, BY_NAME),
    });
  }

  @Query(() => Aggregator, {
    nullable: true,
    description: 'One aggregator; null when there is none.',
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
    description: 'The variables whose values runs keep.',
  })
  argumentsOf(@Root() { args }: AggregatorRecord): AggregatorRecord['args'] {
    return args;
  }

  @FieldResolver(() => AggregatorViewerCan, {
    description: 'What the signed-in user may do with it.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof AggregatorViewerCan> {
    return viewerCan(oneAggregatorPolicy, actor);
  }

  @Mutation(() => AggregatorPayload, { description: 'Adds an aggregator.' })
  @Needs(aggregatorPolicy.create)
  aggregatorCreate(
    @Arg('input', () => AggregatorCreateInput, {
      description: 'What it is called, what it says and how.',
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
    @Arg('input', () => AggregatorUpdateInput, {
      description: 'Which aggregator, and what changes.',
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
    description:
      'Deletes an aggregator. One that methods of workflows name stays, unless `force` is true.',
  })
  @Needs(aggregatorPolicy.delete)
  aggregatorDelete(
    @Arg('input', () => AggregatorDeleteInput, { description: 'Which aggregator to delete.' })
    { id, force, expectedVersion }: AggregatorDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('aggregator', (ids) =>
      services.aggregators.remove(actor, ids.read('Aggregator', id), { force, expectedVersion }),
    );
  }

  @Mutation(() => AggregatorsPayload, {
    description:
      'Deletes aggregators, all or none. Those that methods of workflows name stay, unless `force` is true.',
  })
  @Needs(aggregatorPolicy.delete)
  aggregatorsDelete(
    @Arg('input', () => AggregatorIdsInput, { description: 'Which aggregators to delete.' })
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
    description: 'Its number among those of all aggregators: texts name it by it.',
  })
  argumentId(@Root() { id }: AggregatorArgument): number {
    return id;
  }
}

registerNode(
  'Aggregator',
  (id, context) => aggregatorLoader(context).load(id),
  aggregatorPolicy.read,
);
