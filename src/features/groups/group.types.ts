import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import {
  ALL_OF,
  ANY_OF,
  IdFilter,
  NameFilter,
  NONE_OF,
  StringFilter,
} from '../../platform/graphql/filters';
import { Node } from '../../platform/graphql/node';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { PermissionType } from '../permissions/permission.types';
import { groupPolicy } from './group.policy';

@ObjectType('Component', { implements: Node, description: 'A guarded part of the service.' })
export class ComponentType {
  @Field(() => String, {
    description:
      'What grants call it: the `USER` in `USER:READ`. A text: later versions have more.',
  })
  readonly name!: string;

  @Field(() => String, { description: 'What it is, for people.' })
  readonly description!: string;
}

@ObjectType('GroupComponent', { description: 'What a group may do with one component.' })
export class GroupComponentType {
  @Field(() => ComponentType, { description: 'The part of the service.' })
  readonly component!: ComponentType;

  @Field(() => [PermissionType], { description: 'What its members may do with it.' })
  readonly permissions!: readonly PermissionType[];
}

const { read, update, delete: remove } = groupPolicy;
export const oneGroupPolicy = { read, update, delete: remove } as const;
export const GroupViewerCan = viewerCanType('UserGroupViewerCan', oneGroupPolicy);

@ObjectType('UserGroup', {
  implements: Node,
  description: 'A group of users, and what its members may do. The REST API also calls it a role.',
})
export class UserGroupType {
  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the group is for, for people to read.',
  })
  readonly description!: string | null;

  @Field(() => [GroupComponentType], {
    description:
      'What its members may do, by component. Components they may do nothing with are missing.',
  })
  readonly components!: readonly GroupComponentType[];

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;
}

export const UserGroupConnection = ConnectionOf(UserGroupType, 'UserGroupConnection');

@ObjectType({ description: 'A group that was created, changed or deleted.' })
export class UserGroupPayload extends MutationPayload {
  @Field(() => UserGroupType, {
    nullable: true,
    description: 'The group; null when nothing was changed.',
  })
  readonly group!: UserGroupType | null;
}

@ObjectType({ description: 'Groups that were deleted.' })
export class UserGroupsPayload extends ListPayload {
  @Field(() => [UserGroupType], {
    nullable: true,
    description: 'The groups as they were; null when nothing was changed.',
  })
  readonly groups!: UserGroupType[] | null;
}

@InputType({ description: 'Which groups; all that are given must hold.' })
export class UserGroupFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These groups, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly name?: NameFilter;

  @Field(() => StringFilter, {
    nullable: true,
    description: 'What is written about them for people.',
  })
  readonly description?: StringFilter;

  @Field(() => [UserGroupFilter], { nullable: true, description: ALL_OF })
  readonly and?: UserGroupFilter[];

  @Field(() => [UserGroupFilter], { nullable: true, description: ANY_OF })
  readonly or?: UserGroupFilter[];

  @Field(() => UserGroupFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

export const UserGroupOrderField = { ID: 'ID', NAME: 'NAME' } as const;
registerEnumType(UserGroupOrderField, {
  name: 'UserGroupOrderField',
  description: 'What a list of groups can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
  },
});

export const UserGroupOrder = orderInput(UserGroupOrderField, 'UserGroupOrder');
export type UserGroupOrder = InstanceType<typeof UserGroupOrder>;
