import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Int,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { BadInput } from '../../platform/errors/errors';
import { Needs } from '../../platform/graphql/needs';
import { linkedNode, Node } from '../../platform/graphql/node';
import { MOST_HITS } from './search.service';
import type { SearchHit as Found } from './search.service';
import { SearchHit, SearchType } from './search.types';

@ArgsType()
class SearchArgs {
  @Field(() => String, {
    description:
      'The text to look for, 200 characters at most; case, compatibility forms and blanks around it do not count.',
  })
  readonly text!: string;

  @Field(() => [SearchType], {
    nullable: true,
    description: 'What to search. Without it: everything the signed-in user may read.',
  })
  readonly types?: readonly SearchType[] | null;

  @Field(() => Int, { defaultValue: 10, description: `How many of each type, 1 to ${MOST_HITS}.` })
  readonly limit!: number;
}

@Resolver(() => SearchHit)
export class SearchResolver {
  @Query(() => [SearchHit], {
    description:
      'What the signed-in user may read and has this text in its title, type by type, those that begin with it first. Of more than 10,000 of a type, only those.',
  })
  @Needs('authenticated')
  search(
    @Args() { text, types, limit }: SearchArgs,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<Found[]> {
    if (limit < 1 || limit > MOST_HITS)
      throw new BadInput('BAD_REQUEST', `\`limit\` is 1 to ${MOST_HITS}.`, { path: ['limit'] });
    return services.search.titles(actor, text, { types: types ?? undefined, limit });
  }

  @FieldResolver(() => Node, {
    nullable: true,
    description: 'The thing itself; null when it is deleted by now.',
  })
  node(@Root() { type, id }: Found, @Ctx() context: GraphqlContext): Promise<object | null> {
    return linkedNode(type, id, context);
  }
}
