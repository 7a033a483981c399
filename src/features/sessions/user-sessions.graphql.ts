import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, nestedPage, toOrder } from '../../platform/graphql/connection';
import { Needs } from '../../platform/graphql/needs';
import type { Page } from '../../platform/store/page';
import type { User } from '../users/user.service';
import { UserType } from '../users/user.types';
import { sessionPolicy } from './session.policy';
import type { Session } from './session.service';
import { SessionConnection, SessionOrder } from './session.types';

@ArgsType()
class SessionsArgs extends ConnectionArgs {
  @Field(() => SessionOrder, {
    nullable: true,
    description: 'Their order. Without it: the youngest first.',
  })
  readonly orderBy?: InstanceType<typeof SessionOrder>;
}

const ORDERS = { CREATED_AT: 'createdAt', LAST_ACCESSED: 'lastAccessed' } as const;

@Resolver(() => UserType)
export class SessionsOfUserResolver {
  @FieldResolver(() => SessionConnection, {
    nullable: true,
    description:
      'The sessions of the user that are still good; null, with the error FORBIDDEN, for who may not see them.',
  })
  @Needs(sessionPolicy.read, (_args, user) => (user as User).id)
  sessions(
    @Root() { id }: User,
    @Args() args: SessionsArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<Session>> {
    const { orderBy, ...page } = args;
    const order = toOrder(orderBy, ORDERS, { field: 'createdAt', direction: 'desc' });
    return nestedPage(context, 'sessionsOfUsers', id, args, (ids) =>
      context.services.sessions.pagesOfUsers(ids, page, order),
    );
  }
}
