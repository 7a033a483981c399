import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/schema/ids';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import type { InputIds } from '../../platform/graphql/schema/ids';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { readUpload } from '../../platform/graphql/schema/upload';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page } from '../../platform/store/lists/keyset';
import { groupPolicy } from './group.policy';
import { fileUrl } from './group.presenter';
import type { Component, GrantInput, Group } from './group.service';
import {
  ComponentType,
  GroupComponentsSetInput,
  GroupCreateInput,
  GroupIconUploadInput,
  GroupIdInput,
  GroupIdsInput,
  GroupUpdateInput,
  GroupViewerCan,
  oneGroupPolicy,
  UserGroupConnection,
  UserGroupPayload,
  UserGroupsArgs,
  UserGroupsPayload,
  UserGroupType,
} from './group.types';
import type { ComponentGrantInput } from './group.types';

const ORDER = { ID: '_id', NAME: 'nameKey' } as const;
const BY_ID = { field: '_id', direction: 'asc' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'UserGroup') },
  name: { folded: 'nameKey' },
  description: 'description',
};

const grants = (ids: InputIds, inputs: readonly ComponentGrantInput[]): GrantInput[] =>
  inputs.map(({ componentId, permissions }, index) => ({
    componentId: ids.read('Component', componentId, ['components', index, 'componentId']),
    permissions,
  }));

@Resolver(() => UserGroupType)
export class GroupResolver {
  @Query(() => UserGroupConnection, { description: 'Groups of users.' })
  @Needs(groupPolicy.read)
  userGroups(
    @Args(() => UserGroupsArgs) args: InstanceType<typeof UserGroupsArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<Group>> {
    return services.groups.page(toPageQuery(args, FIELDS, ORDER, BY_ID));
  }

  @Query(() => UserGroupType, {
    nullable: true,
    description: 'One group; null if it does not exist.',
  })
  @Needs(groupPolicy.read)
  userGroup(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Group | null {
    return services.groups.byId(databaseId(id, 'UserGroup'));
  }

  @Query(() => [ComponentType], { description: 'The protected parts of the service.' })
  @Needs(groupPolicy.read)
  components(@Ctx() { services }: GraphqlContext): Component[] {
    return [...services.directory.current().components.values()];
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'URL of its icon; null if it has none.',
  })
  icon(@Root() group: Group, @Ctx() { origin }: GraphqlContext): string | null {
    return fileUrl(group.icon, origin.baseUrl);
  }

  @FieldResolver(() => GroupViewerCan, {
    description: 'Operations on the group that the signed-in user may do.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext) {
    return viewerCan(oneGroupPolicy, actor);
  }

  @Mutation(() => UserGroupPayload, { description: 'Creates a group.' })
  @Needs(groupPolicy.create)
  groupCreate(
    @Arg('input') { components, ...fields }: GroupCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('group', (ids) =>
      services.groups.create(actor, { ...fields, components: grants(ids, components) }),
    );
  }

  @Mutation(() => UserGroupPayload, { description: 'Changes name and description of a group.' })
  @Needs(groupPolicy.update)
  groupUpdate(
    @Arg('input') { id, expectedVersion, name, ...fields }: GroupUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('group', (ids) =>
      services.groups.update(
        actor,
        ids.read('UserGroup', id),
        { ...fields, name: name ?? undefined },
        expectedVersion,
      ),
    );
  }

  @Mutation(() => UserGroupPayload, {
    description: 'Replaces all permissions of a group, or none if one is invalid.',
  })
  @Needs(groupPolicy.update)
  groupComponentsSet(
    @Arg('input') input: GroupComponentsSetInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('group', (ids) =>
      services.groups.update(
        actor,
        ids.read('UserGroup', input.id),
        { components: grants(ids, input.components) },
        input.expectedVersion,
      ),
    );
  }

  @Mutation(() => UserGroupPayload, { description: 'Deletes a group without members.' })
  @ServedOnFullDisk()
  @Needs(groupPolicy.delete)
  groupDelete(@Arg('input') input: GroupIdInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('group', (ids) =>
      services.groups.remove(actor, ids.read('UserGroup', input.id), input.expectedVersion),
    );
  }

  @Mutation(() => UserGroupsPayload, {
    description: 'Deletes groups without members, all or none.',
  })
  @ServedOnFullDisk()
  @Needs(groupPolicy.delete)
  groupsDelete(@Arg('input') input: GroupIdsInput, @Ctx() { actor, services }: GraphqlContext) {
    return listPayload('groups', 'UserGroup', (ids) =>
      services.groups.removeAll(actor, ids.readAll('UserGroup', input.ids)),
    );
  }

  @Mutation(() => UserGroupPayload, { description: 'Sets the icon of a group.' })
  @Needs(groupPolicy.update)
  groupIconUpload(
    @Arg('input') input: GroupIconUploadInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('group', async (ids) => {
      const id = ids.read('UserGroup', input.id);
      const { bytes } = await readUpload(input.file, services.pictures.uploads.limit);
      return services.groups.setIcon(actor, id, bytes, input.expectedVersion);
    });
  }

  @Mutation(() => UserGroupPayload, { description: 'Removes the icon of a group.' })
  @ServedOnFullDisk()
  @Needs(groupPolicy.update)
  groupIconRemove(@Arg('input') input: GroupIdInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('group', (ids) =>
      services.groups.setIcon(actor, ids.read('UserGroup', input.id), null, input.expectedVersion),
    );
  }
}

registerNode('UserGroup', async (id, { services }) => services.groups.byId(id), groupPolicy.read);
registerNode(
  'Component',
  async (id, { services }) => services.directory.current().components.get(id) ?? null,
  groupPolicy.read,
);
