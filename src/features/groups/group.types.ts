import type { FileUpload } from 'graphql-upload-minimal';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
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

@InputType({ description: 'Permissions of a group for one component.' })
export class ComponentGrantInput {
  @Field(() => ID, { description: 'The component: global id or integer.' })
  readonly componentId!: string;

  @Field(() => [String], {
    description: 'Names of permissions, such as `READ`. They replace the previous ones.',
  })
  readonly permissions!: string[];
}

@InputType({ description: 'A new group.' })
export class GroupCreateInput {
  @Field(() => String, { description: 'Unique without regard to case, 45 characters at most.' })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: DESCRIPTION })
  readonly description?: string | null;

  @Field(() => [ComponentGrantInput], {
    defaultValue: [],
    description: 'What its members may do. Users can grant only permissions that they have.',
  })
  readonly components!: ComponentGrantInput[];
}

@InputType({ description: 'Which group.' })
export class GroupIdInput extends VersionedIdInput {}

@InputType({ description: 'A change of name and description. Omitted fields stay unchanged.' })
export class GroupUpdateInput extends GroupIdInput {
  @Field(() => String, {
    nullable: true,
    description: 'The new name. Admin and User cannot be renamed.',
  })
  readonly name?: string | null;

  @Field(() => String, { nullable: true, description: DESCRIPTION })
  readonly description?: string | null;
}

@InputType({ description: 'All permissions of a group.' })
export class GroupComponentsSetInput extends GroupIdInput {
  @Field(() => [ComponentGrantInput], { description: 'Replaces all previous permissions.' })
  readonly components!: ComponentGrantInput[];
}

@InputType({ description: 'A new icon.' })
export class GroupIconUploadInput extends GroupIdInput {
  @Field(() => Upload, { description: 'PNG, JPEG, GIF or WebP, detected from the content.' })
  readonly file!: Promise<FileUpload>;
}

@InputType({ description: 'Which groups.' })
export class GroupIdsInput extends IdsInput {}
