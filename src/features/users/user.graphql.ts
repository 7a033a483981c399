import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { knownGrants } from '../../platform/access/catalogue';
import type { HeldGrant } from '../../platform/access/catalogue';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/ids';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { toOrder } from '../../platform/graphql/connection';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { fileUrl } from '../groups/group.presenter';
import { UserGroupType } from '../groups/group.types';
import type { Group } from '../groups/directory.service';
import { GrantType } from './grant.types';
import { UsersArgs } from './user.inputs';
import { userLoader } from './user.loader';
import { userPolicy, usersPolicy } from './user.policy';
import type { User } from './user.service';
import { UserConnection, UserType, UserViewerCan } from './user.types';

const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'User') },
  email: { folded: 'emailKey' },
  groupId: { path: 'groupId', read: (id: unknown) => databaseId(String(id), 'UserGroup') },
  name: { folded: 'detailKeys.name', isEmptyForNull: true },
  surname: { folded: 'detailKeys.surname', isEmptyForNull: true },
  department: { folded: 'detailKeys.department', isEmptyForNull: true },
  organisation: { folded: 'detailKeys.organisation', isEmptyForNull: true },
  createdAt: 'createdAt',
};
const ORDER = {
  ID: '_id',
  EMAIL: 'emailKey',
  NAME: 'detailKeys.name',
  SURNAME: 'detailKeys.surname',
  CREATED_AT: 'createdAt',
  UPDATED_AT: 'updatedAt',
  LAST_LOGIN: 'lastLogin',
} as const;

export const askedUsers = ({ filter, orderBy, ...page }: UsersArgs): PageQuery => ({
  ...page,
  filter: toQuery(filter, FIELDS),
  orderBy: toOrder(orderBy, ORDER, { field: 'createdAt', direction: 'asc' }),
});

@Resolver(() => UserType)
export class UserResolver {
  @Query(() => UserConnection, { description: 'Users, a page at a time.' })
  @Needs(usersPolicy.list)
  users(@Args() args: UsersArgs, @Ctx() { services }: GraphqlContext): Promise<Page<User>> {
    return services.users.page(askedUsers(args));
  }

  @Query(() => UserType, { nullable: true, description: 'One user; null when there is none.' })
  @Needs(userPolicy.read)
  user(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<User | null> {
    return userLoader(context).load(databaseId(id, 'User'));
  }

  @Query(() => UserType, { description: 'The signed-in user.' })
  @Needs('authenticated')
  async me(@Ctx() { actor, services }: GraphqlContext): Promise<User> {
    return services.users.get(actor.userId);
  }

  @FieldResolver(() => UserGroupType, { description: 'The group whose rights the user has.' })
  group(@Root() user: User, @Ctx() { services }: GraphqlContext): Group {
    return services.groups.get(user.groupId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Address of the profile picture; null when there is none.',
  })
  profilePicture(@Root() user: User, @Ctx() { origin }: GraphqlContext): string | null {
    return fileUrl(user.picture, origin.baseUrl);
  }

  @FieldResolver(() => [String], {
    description: 'What the user may do, as `COMPONENT:PERMISSION`, sorted.',
  })
  permissions(@Root() user: User, @Ctx() { services }: GraphqlContext): string[] {
    return [...services.groups.get(user.groupId).grants].sort();
  }

  @FieldResolver(() => [GrantType], {
    description:
      'What the user may do without regard to a single object, of all that operations can need: for menus and buttons. What is for administrators is for the group Admin.',
  })
  can(@Root() user: User, @Ctx() { services }: GraphqlContext): HeldGrant[] {
    return knownGrants(services.groups.get(user.groupId).grants);
  }

  @FieldResolver(() => UserViewerCan, {
    description: 'What the signed-in user may do with this one.',
  })
  viewerCan(@Root() user: User, @Ctx() { actor, services }: GraphqlContext) {
    const can = viewerCan(userPolicy, actor, user.id);
    if (services.users.mayManage(actor, user)) return can;
    return {
      ...Object.fromEntries(Object.keys(can).map((action) => [action, false])),
      read: can.read,
    };
  }
}

registerNode('User', (id, context) => userLoader(context).load(id), userPolicy.read);
