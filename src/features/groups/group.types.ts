import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { IdFilter, NameFilter, StringFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import { Upload } from '../../platform/graphql/schema/scalars';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import {
  IdsInput,
  VersionedIdInput,
  deletedListType,
  filterType,
  listArgs,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { PermissionType } from '../permissions/permission.types';
import { groupPolicy } from './group.policy';

@ObjectType('Component', { implements: Node, description: 'A protected part of the service.' })
export class ComponentType {
  @Field(() => String, {
    description:
      'Its name in grants: the `USER` in `USER:READ`. A string, because later versions add more.',
  })
  readonly name!: string;

  @Field(() => String, { description: 'What it is, for people.' })
  readonly description!: string;
}

@ObjectType('GroupComponent', { description: 'Permissions of a group for one component.' })
class GroupComponentType {
  @Field(() => ComponentType, { description: 'The part of the service.' })
  readonly component!: ComponentType;

  @Field(() => [PermissionType], { description: 'What its members may do with it.' })
  readonly permissions!: readonly PermissionType[];
}

const { read, update, delete: remove } = groupPolicy;
export const oneGroupPolicy = { read, update, delete: remove } as const;
export const GroupViewerCan = viewerCanType('UserGroupViewerCan', oneGroupPolicy);

const DESCRIPTION = 'What the group is for.';

@ObjectType('UserGroup', {
  implements: Node,
  description: 'A group of users with its permissions. The REST API also calls it a role.',
})
export class UserGroupType {
  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: DESCRIPTION })
  readonly description!: string | null;

  @Field(() => [GroupComponentType], {
    description: 'Permissions by component. Components without permissions are missing.',
  })
  readonly components!: readonly GroupComponentType[];

  @Field(() => Int, {
    description:
      'Incremented with each change. Pass it as `expectedVersion` to reject a change of a newer version.',
  })
  readonly version!: number;
}

export const UserGroupConnection = ConnectionOf(UserGroupType, 'UserGroupConnection');

export const UserGroupPayload = payloadType(
  'UserGroupPayload',
  'group',
  UserGroupType,
  'A group that was created, changed or deleted.',
);

export const UserGroupsPayload = deletedListType('UserGroupsPayload', 'groups', UserGroupType);

const UserGroupFilter = filterType('UserGroupFilter', 'groups', {
  id: [IdFilter, 'Groups by their ids.'],
  name: [NameFilter, 'Name.'],
  description: [StringFilter, 'Description.'],
});

const UserGroupOrder = orderType('UserGroupOrder', {
  ID: 'Id.',
  NAME: 'Name, without regard to case.',
});

export const UserGroupsArgs = listArgs('groups', UserGroupFilter, UserGroupOrder, 'by id');

export const ComponentGrantInput = inputType(
  'ComponentGrantInput',
  'Permissions of a group for one component.',
  {
    componentId: [ID, 'The component: global id or integer.'],
    permissions: [
      [String],
      'Names of permissions, such as `READ`. They replace the previous ones.',
    ],
  },
);
export type ComponentGrantInput = InstanceType<typeof ComponentGrantInput>;

export const GroupCreateInput = inputType('GroupCreateInput', 'A new group.', {
  name: [String, 'Unique without regard to case, 45 characters at most.'],
  description: [optional(String), DESCRIPTION],
  components: [
    [ComponentGrantInput],
    'What its members may do. Users can grant only permissions that they have.',
    [],
  ],
});
export type GroupCreateInput = InstanceType<typeof GroupCreateInput>;

@InputType({ description: 'Which group.' })
export class GroupIdInput extends VersionedIdInput {}

export const GroupUpdateInput = inputType(
  'GroupUpdateInput',
  'A change of name and description. Omitted fields stay unchanged.',
  {
    name: [optional(String), 'The new name. Admin and User cannot be renamed.'],
    description: [optional(String), DESCRIPTION],
  },
  GroupIdInput,
);
export type GroupUpdateInput = InstanceType<typeof GroupUpdateInput>;

export const GroupComponentsSetInput = inputType(
  'GroupComponentsSetInput',
  'All permissions of a group.',
  { components: [[ComponentGrantInput], 'Replaces all previous permissions.'] },
  GroupIdInput,
);
export type GroupComponentsSetInput = InstanceType<typeof GroupComponentsSetInput>;

export const GroupIconUploadInput = inputType(
  'GroupIconUploadInput',
  'A new icon.',
  { file: [Upload, 'PNG, JPEG, GIF or WebP, detected from the content.'] },
  GroupIdInput,
);
export type GroupIconUploadInput = InstanceType<typeof GroupIconUploadInput>;

@InputType({ description: 'Which groups.' })
export class GroupIdsInput extends IdsInput {}
