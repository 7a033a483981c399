import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { allows } from '../../platform/access/need';
import { knownGrants } from '../../platform/access/catalogue';
import type { HeldGrant } from '../../platform/access/catalogue';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/schema/ids';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import { Needs } from '../../platform/graphql/schema/needs';
import { nestedPage } from '../../platform/graphql/schema/connection';
import { registerNode } from '../../platform/graphql/schema/node';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { AuditActor } from '../audit/audit.types';
import { fileUrl } from '../groups/group.presenter';
import { UserGroupType } from '../groups/group.types';
import type { Group } from '../groups/directory.service';
import { Author } from '../workflows/workflow.types';
import { UsersArgs } from './user.inputs';
import { userPolicy, usersPolicy } from './user.policy';
import type { User } from './user.service';
import { GrantType, UserConnection, UserType, UserViewerCan } from './user.types';
import { emailKeyOf } from '../../platform/text/email';

const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'User') },
  email: { folded: 'emailKey', keyOf: emailKeyOf },
  groupId: { path: 'groupId', read: (id: unknown) => databaseId(String(id), 'UserGroup') },
  name: { folded: 'detailKeys.name', isEmptyForNull: true },
  surname: { folded: 'detailKeys.surname', isEmptyForNull: true },
  department: { folded: 'detailKeys.department', isEmptyForNull: true },
  organisation: { folded: 'detailKeys.organisation', isEmptyForNull: true },
  createdAt: 'createdAt',
  disabledAt: 'disabledAt',
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

const toUserQuery = (args: InstanceType<typeof UsersArgs>): PageQuery =>
  toPageQuery(args, FIELDS, ORDER, { field: 'createdAt', direction: 'asc' });

const userLoader = (context: GraphqlContext) =>
  context.loader<number, User>('users', (ids) => context.services.userRecords.byIds(ids));

/**
 * Returns the linked user; null if deleted, if not readable for the actor, and for 0, the service
 * itself.
 */
const linkedUser = async (id: number, context: GraphqlContext): Promise<User | null> =>
  id !== 0 && allows(userPolicy.read, context.actor, id) ? userLoader(context).load(id) : null;

@Resolver(() => UserType)
export class UserResolver {
  @Query(() => UserConnection, { description: 'Users.' })
  @Needs(usersPolicy.list)
  users(
    @Args(() => UsersArgs) args: InstanceType<typeof UsersArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<User>> {
    return services.userRecords.page(toUserQuery(args));
  }

  @Query(() => UserType, { nullable: true, description: 'One user; null if it does not exist.' })
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
    return services.userRecords.get(actor.userId);
  }

  @FieldResolver(() => UserGroupType, { description: 'The group whose rights the user has.' })
  group(@Root() user: User, @Ctx() { services }: GraphqlContext): Group {
    return services.groups.get(user.groupId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'URL of the profile picture; null if there is none.',
  })
  profilePicture(@Root() user: User, @Ctx() { origin }: GraphqlContext): string | null {
    return fileUrl(user.picture, origin.baseUrl);
  }

  @FieldResolver(() => [String], {
    description: 'Permissions of the user as `COMPONENT:PERMISSION`, sorted.',
  })
  permissions(@Root() user: User, @Ctx() { services }: GraphqlContext): string[] {
    return [...services.groups.get(user.groupId).grants].sort();
  }

  @FieldResolver(() => [GrantType], {
    description:
      'Permissions of the user that operations require, for menus and buttons. Operations for administrators require the group Admin instead.',
  })
  can(@Root() user: User, @Ctx() { services }: GraphqlContext): HeldGrant[] {
    return knownGrants(services.groups.get(user.groupId).grants);
  }

  @FieldResolver(() => UserViewerCan, {
    description: 'Operations on this user that the signed-in user may do.',
  })
  viewerCan(@Root() user: User, @Ctx() { actor, services }: GraphqlContext) {
    const can = viewerCan(userPolicy, actor, user.id);
    if (services.userPermissions.canManage(actor, user)) return can;
    return {
      ...Object.fromEntries(Object.keys(can).map((action) => [action, false])),
      read: can.read,
    };
  }
}

@Resolver(() => UserGroupType)
export class UsersOfGroupResolver {
  @FieldResolver(() => UserConnection, {
    nullable: true,
    description: 'Its users; null, with the error FORBIDDEN, without the permission to list users.',
  })
  @Needs(usersPolicy.list)
  users(
    @Root() { id }: Group,
    @Args(() => UsersArgs) args: InstanceType<typeof UsersArgs>,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<User>> {
    return nestedPage(context, 'usersOfGroups', id, args, (ids) =>
      context.services.userRecords.pagesOfGroups(ids, toUserQuery(args)),
    );
  }
}

const LINK = {
  nullable: true,
  description: 'The current user; null if deleted, or if the signed-in user may not read them.',
} as const;

@Resolver(() => Author)
export class UserOfAuthorResolver {
  @FieldResolver(() => UserType, LINK)
  user(@Root() { userId }: Author, @Ctx() context: GraphqlContext): Promise<User | null> {
    return linkedUser(userId, context);
  }
}

@Resolver(() => AuditActor)
export class UserOfAuditActorResolver {
  @FieldResolver(() => UserType, LINK)
  user(@Root() { userId }: AuditActor, @Ctx() context: GraphqlContext): Promise<User | null> {
    return linkedUser(userId, context);
  }
}

registerNode('User', (id, context) => userLoader(context).load(id), userPolicy.read);
