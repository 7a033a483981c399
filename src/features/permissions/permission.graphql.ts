import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/schema/ids';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import type { Page } from '../../platform/store/lists/keyset';
import { permissionPolicy } from './permission.policy';
import type { Permission } from './permission.service';
import {
  PermissionConnection,
  PermissionCreateInput,
  PermissionDeleteInput,
  PermissionPayload,
  PermissionsArgs,
  PermissionType,
  PermissionUpdateInput,
} from './permission.types';

const ORDER = { ID: '_id', NAME: 'nameKey' } as const;
const BY_ID = { field: '_id', direction: 'asc' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Permission') },
  name: { folded: 'nameKey' },
};

@Resolver()
export class PermissionResolver {
  @Query(() => PermissionConnection, { description: 'The permissions that groups can grant.' })
  @Needs(permissionPolicy.read)
  permissions(
    @Args(() => PermissionsArgs) args: InstanceType<typeof PermissionsArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<Permission>> {
    return services.permissions.page(toPageQuery(args, FIELDS, ORDER, BY_ID));
  }

  @Query(() => PermissionType, {
    nullable: true,
    description: 'One permission; null if it does not exist.',
  })
  @Needs(permissionPolicy.read)
  permission(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Permission | null {
    return services.permissions.byId(databaseId(id, 'Permission'));
  }

  @Mutation(() => PermissionPayload, { description: 'Creates a permission.' })
  @Needs(permissionPolicy.create)
  permissionCreate(
    @Arg('input') input: PermissionCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('permission', () => services.permissions.create(actor, input));
  }

  @Mutation(() => PermissionPayload, {
    description: 'Changes name and description of a permission.',
  })
  @Needs(permissionPolicy.update)
  permissionUpdate(
    @Arg('input') input: PermissionUpdateInput,
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
  @ServedOnFullDisk()
  @Needs(permissionPolicy.delete)
  permissionDelete(
    @Arg('input') input: PermissionDeleteInput,
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
  permissionPolicy.read,
);
