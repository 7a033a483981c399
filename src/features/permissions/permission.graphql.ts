import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, toOrder } from '../../platform/graphql/connection';
import { databaseId } from '../../platform/graphql/ids';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { payload } from '../../platform/graphql/payload';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/keyset';
import { groupPolicy } from '../groups/group.policy';
import type { Permission } from './permission.service';
import {
  PermissionConnection,
  PermissionCreateInput,
  PermissionDeleteInput,
  PermissionFilter,
  PermissionOrder,
  PermissionPayload,
  PermissionType,
  PermissionUpdateInput,
} from './permission.types';

@ArgsType()
class PermissionsArgs extends ConnectionArgs {
  @Field(() => PermissionFilter, {
    nullable: true,
    description: 'Which permissions. Without it: all.',
  })
  readonly filter?: PermissionFilter;

  @Field(() => PermissionOrder, {
    nullable: true,
    description: 'In which order. Without it: by id.',
  })
  readonly orderBy?: PermissionOrder;
}

const ORDER = { ID: '_id', NAME: 'nameKey' } as const;
const BY_ID = { field: '_id', direction: 'asc' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Permission') },
  name: { folded: 'nameKey' },
};

@Resolver()
export class PermissionResolver {
  @Query(() => PermissionConnection, { description: 'The permissions that groups can grant.' })
  @Needs(groupPolicy.read)
  permissions(
    @Args() { filter, orderBy, ...page }: PermissionsArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<Permission>> {
    return services.permissions.page({
      ...page,
      filter: toQuery(filter, FIELDS),
      orderBy: toOrder(orderBy, ORDER, BY_ID),
    });
  }

  @Query(() => PermissionType, {
    nullable: true,
    description: 'One permission; null when there is none.',
  })
  @Needs(groupPolicy.read)
  permission(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Permission | null {
    return services.permissions.byId(databaseId(id, 'Permission'));
  }

  @Mutation(() => PermissionPayload, { description: 'Adds a permission.' })
  @Needs(groupPolicy.create)
  permissionCreate(
    @Arg('input', () => PermissionCreateInput, {
      description: 'What the new permission is called.',
    })
    input: PermissionCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('permission', () => services.permissions.create(actor, input));
  }

  @Mutation(() => PermissionPayload, {
    description: 'Changes name and description of a permission.',
  })
  @Needs(groupPolicy.update)
  permissionUpdate(
    @Arg('input', () => PermissionUpdateInput, {
      description: 'Which permission, and what changes.',
    })
    input: PermissionUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('permission', (ids) =>
      services.permissions.update(
        actor,
        ids.read('Permission', input.id),
        input,
        input.expectedVersion,
      ),
    );
  }

  @Mutation(() => PermissionPayload, { description: 'Deletes a permission that no group grants.' })
  @Needs(groupPolicy.delete)
  permissionDelete(
    @Arg('input', () => PermissionDeleteInput, { description: 'Which permission to delete.' })
    input: PermissionDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('permission', (ids) =>
      services.permissions.remove(actor, ids.read('Permission', input.id), input.expectedVersion),
    );
  }
}

registerNode(
  'Permission',
  async (id, { services }) => services.permissions.byId(id),
  groupPolicy.read,
);
