import type { FileUpload } from 'graphql-upload-minimal';
import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionArgs, ConnectionOf, orderInput } from '../../platform/graphql/connection';
import {
  ListPayload,
  MutationPayload,
  VersionedInput,
  WHICH_IDS,
} from '../../platform/graphql/payload';
import {
  ALL_OF,
  ANY_OF,
  IdFilter,
  NameFilter,
  NONE_OF,
  StringFilter,
} from '../../platform/graphql/filters';
import { Node } from '../../platform/graphql/node';
import { Upload } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
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

@ObjectType({ description: 'A group that was created, changed or deleted.' })
export class UserGroupPayload extends MutationPayload {
  @Field(() => UserGroupType, {
    nullable: true,
    description: 'The group; null if nothing was changed.',
  })
  readonly group!: UserGroupType | null;
}

@ObjectType({ description: 'Groups that were deleted.' })
export class UserGroupsPayload extends ListPayload {
  @Field(() => [UserGroupType], {
    nullable: true,
    description: 'The groups before the deletion; null if nothing was changed.',
  })
  readonly groups!: UserGroupType[] | null;
}

@InputType({ description: 'Filters groups; all given conditions must hold.' })
class UserGroupFilter {
  @Field(() => IdFilter, { nullable: true, description: 'Groups by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'Name.' })
  readonly name?: NameFilter;

  @Field(() => StringFilter, { nullable: true, description: 'Description.' })
  readonly description?: StringFilter;

  @Field(() => [UserGroupFilter], { nullable: true, description: ALL_OF })
  readonly and?: UserGroupFilter[];

  @Field(() => [UserGroupFilter], { nullable: true, description: ANY_OF })
  readonly or?: UserGroupFilter[];

  @Field(() => UserGroupFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

const UserGroupOrderField = { ID: 'ID', NAME: 'NAME' } as const;
registerEnumType(UserGroupOrderField, {
  name: 'UserGroupOrderField',
  description: 'Fields that groups can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
  },
});

const UserGroupOrder = orderInput(UserGroupOrderField, 'UserGroupOrder');

@ArgsType()
export class UserGroupsArgs extends ConnectionArgs {
  @Field(() => UserGroupFilter, { nullable: true, description: 'Filter. Default: all groups.' })
  readonly filter?: UserGroupFilter;

  @Field(() => UserGroupOrder, { nullable: true, description: 'Order. Default: by id.' })
  readonly orderBy?: InstanceType<typeof UserGroupOrder>;
}

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
export class GroupIdInput extends VersionedInput {
  @Field(() => ID, { description: 'The group: global id or integer.' })
  readonly id!: string;
}

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
export class GroupIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];
}
