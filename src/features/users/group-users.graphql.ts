import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/needs';
import { nestedPage } from '../../platform/graphql/connection';
import type { Page } from '../../platform/store/page';
import type { Group } from '../groups/directory.service';
import { UserGroupType } from '../groups/group.types';
import { askedUsers } from './user.graphql';
import { UsersArgs } from './user.inputs';
import { usersPolicy } from './user.policy';
import type { User } from './user.service';
import { UserConnection } from './user.types';

@Resolver(() => UserGroupType)
export class UsersOfGroupResolver {
  @FieldResolver(() => UserConnection, {
    nullable: true,
    description: 'Its users; null, with the error FORBIDDEN, for who may not list users.',
  })
  @Needs(usersPolicy.list)
  users(
    @Root() { id }: Group,
    @Args() args: UsersArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<User>> {
    return nestedPage(context, 'usersOfGroups', id, args, (ids) =>
      context.services.users.pagesOfGroups(ids, askedUsers(args)),
    );
  }
}
