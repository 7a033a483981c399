import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { BadInput } from '../../platform/errors/errors';
import { enumOf } from '../../platform/graphql/schema/enums';
import { Needs } from '../../platform/graphql/schema/needs';
import { linkedNode, Node } from '../../platform/graphql/schema/node';
import { MAX_HITS } from './search.service';
import type { SearchHit } from './search.service';

const SearchType = enumOf(
  {
    Workflow: 'Workflows, without those of test runs.',
    Connector: 'Connectors.',
    Invoker: 'Invokers, by name.',
    Template: 'Templates, by name.',
    Secret: 'Named secrets, by name.',
    Category: 'Categories, by name.',
    Aggregator: 'Data aggregators, by name.',
    Schedule: 'Schedules.',
  },
  'SearchType',
  'Types of records that can be searched by title.',
);
type SearchType = (typeof SearchType)[string];

@ArgsType()
class SearchArgs {
  @Field(() => String, {
    description:
      'The text to find, at most 200 characters. Case, compatibility forms and surrounding blanks are ignored.',
  })
  readonly text!: string;

  @Field(() => [SearchType], {
    nullable: true,
    description: 'Types to search. Default: all types that the signed-in user may read.',
  })
  readonly types?: readonly SearchType[] | null;

  @Field(() => Int, {
    defaultValue: 10,
    description: `Maximum number of results per type, 1 to ${MAX_HITS}.`,
  })
  readonly limit!: number;
}

@ObjectType('SearchHit', { description: 'A record whose title contains the text.' })
class SearchHitType {
  readonly id!: number;

  @Field(() => SearchType, { description: 'Type of the record.' })
  readonly type!: SearchType;

  @Field(() => String, { description: 'Title or name of the record.' })
  readonly title!: string;
}

@Resolver(() => SearchHitType)
export class SearchResolver {
  @Query(() => [SearchHitType], {
    description:
      'Finds records by title among those that the signed-in user may read. Results are grouped by type; titles that begin with the text come first. In collections of more than 10,000 records only these are found.',
  })
  @Needs('authenticated')
  search(
    @Args() { text, types, limit }: SearchArgs,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<SearchHit[]> {
    if (limit < 1 || limit > MAX_HITS)
      throw new BadInput('BAD_REQUEST', `\`limit\` must be 1 to ${MAX_HITS}.`, { path: ['limit'] });
    return services.search.titles(actor, text, { types: types ?? undefined, limit });
  }

  @FieldResolver(() => Node, {
    nullable: true,
    description: 'The record; null if it was deleted.',
  })
  node(@Root() { type, id }: SearchHit, @Ctx() context: GraphqlContext): Promise<object | null> {
    return linkedNode(type, id, context);
  }
}
