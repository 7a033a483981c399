import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, toOrder } from '../../platform/graphql/connection';
import { databaseId } from '../../platform/graphql/ids';
import type { InputIds } from '../../platform/graphql/ids';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { listPayload, payload } from '../../platform/graphql/payload';
import { readUpload } from '../../platform/graphql/upload';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/keyset';
import {
  GroupComponentsSetInput,
  GroupCreateInput,
  GroupIconUploadInput,
  GroupIdInput,
  GroupIdsInput,
  GroupUpdateInput,
} from './group.inputs';
import type { ComponentGrantInput } from './group.inputs';
import { groupPolicy } from './group.policy';
import { fileUrl } from './group.presenter';
import type { Component, GrantInput, Group } from './group.service';
import {
  ComponentType,
  GroupViewerCan,
  oneGroupPolicy,
  UserGroupConnection,
  UserGroupFilter,
  UserGroupOrder,
  UserGroupPayload,
  UserGroupsPayload,
  UserGroupType,
} from './group.types';

@ArgsType()
class UserGroupsArgs extends ConnectionArgs {
  @Field(() => UserGroupFilter, { nullable: true, description: 'Which groups. Without it: all.' })
  readonly filter?: UserGroupFilter;

  @Field(() => UserGroupOrder, {
    nullable: true,
    description: 'In which order. Without it: by id.',
  })
  readonly orderBy?: UserGroupOrder;
}

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
  @Query(() => UserGroupConnection, { description: 'Groups of users, a page at a time.' })
  @Needs(groupPolicy.read)
  userGroups(
    @Args() { filter, orderBy, ...page }: UserGroupsArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<Group>> {
    return services.groups.page({
      ...page,
      filter: toQuery(filter, FIELDS),
      orderBy: toOrder(orderBy, ORDER, BY_ID),
    });
  }

  @Query(() => UserGroupType, {
    nullable: true,
    description: 'One group; null when there is none.',
  })
  @Needs(groupPolicy.read)
  userGroup(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Group | null {
    return services.groups.byId(databaseId(id, 'UserGroup'));
  }

  @Query(() => [ComponentType], { description: 'The guarded parts of the service.' })
  @Needs(groupPolicy.read)
  components(@Ctx() { services }: GraphqlContext): Component[] {
    return [...services.directory.current().components.values()];
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Address of its icon; null when it has none.',
  })
  icon(@Root() group: Group, @Ctx() { origin }: GraphqlContext): string | null {
    return fileUrl(group.icon, origin.baseUrl);
  }

  @FieldResolver(() => GroupViewerCan, {
    description: 'What the signed-in user may do with the group.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext) {
    return viewerCan(oneGroupPolicy, actor);
  }

  @Mutation(() => UserGroupPayload, { description: 'Adds a group.' })
  @Needs(groupPolicy.create)
  groupCreate(
    @Arg('input', () => GroupCreateInput, {
      description: 'What the new group is called, and what it may do.',
    })
    input: GroupCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('group', (ids) =>
      services.groups.create(actor, {
        name: input.name,
        description: input.description,
        components: grants(ids, input.components),
      }),
    );
  }

  @Mutation(() => UserGroupPayload, { description: 'Changes name and description of a group.' })
  @Needs(groupPolicy.update)
  groupUpdate(
    @Arg('input', () => GroupUpdateInput, { description: 'Which group, and what changes.' })
    input: GroupUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('group', (ids) =>
      services.groups.update(
        actor,
        ids.read('UserGroup', input.id),
        { name: input.name ?? undefined, description: input.description },
        input.expectedVersion,
      ),
    );
  }

  @Mutation(() => UserGroupPayload, {
    description: 'Replaces everything a group may do, or nothing.',
  })
  @Needs(groupPolicy.update)
  groupComponentsSet(
    @Arg('input', () => GroupComponentsSetInput, {
      description: 'Which group, and everything it may do from now on.',
    })
    input: GroupComponentsSetInput,
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

  @Mutation(() => UserGroupPayload, { description: 'Deletes a group that nobody is in.' })
  @Needs(groupPolicy.delete)
  groupDelete(
    @Arg('input', () => GroupIdInput, { description: 'Which group.' }) input: GroupIdInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('group', (ids) =>
      services.groups.remove(actor, ids.read('UserGroup', input.id), input.expectedVersion),
    );
  }

  @Mutation(() => UserGroupsPayload, { description: 'Deletes groups, all or none.' })
  @Needs(groupPolicy.delete)
  groupsDelete(
    @Arg('input', () => GroupIdsInput, { description: 'Which groups.' }) input: GroupIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('groups', 'UserGroup', (ids) =>
      services.groups.removeAll(actor, ids.readAll('UserGroup', input.ids)),
    );
  }

  @Mutation(() => UserGroupPayload, { description: 'Sets the icon of a group.' })
  @Needs(groupPolicy.update)
  groupIconUpload(
    @Arg('input', () => GroupIconUploadInput, { description: 'Which group, and the image.' })
    input: GroupIconUploadInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('group', async (ids) => {
      const id = ids.read('UserGroup', input.id);
      const { bytes } = await readUpload(input.file, services.groups.uploads.limit);
      return services.groups.setIcon(actor, id, bytes, input.expectedVersion);
    });
  }

  @Mutation(() => UserGroupPayload, { description: 'Removes the icon of a group.' })
  @Needs(groupPolicy.update)
  groupIconRemove(
    @Arg('input', () => GroupIdInput, { description: 'Which group.' }) input: GroupIdInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
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
