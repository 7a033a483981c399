import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { IdFilter, NameFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import {
  VersionedIdInput,
  filterType,
  listArgs,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';

@ObjectType('Permission', {
  implements: Node,
  description: 'An action on components. Groups grant permissions by component.',
})
export class PermissionType {
  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the permission allows.',
  })
  readonly description!: string | null;

  @Field(() => Int, {
    description:
      'Incremented with each change. Pass it as `expectedVersion` to reject a change of a newer version.',
  })
  readonly version!: number;
}

export const PermissionConnection = ConnectionOf(PermissionType, 'PermissionConnection');

export const PermissionPayload = payloadType(
  'PermissionPayload',
  'permission',
  PermissionType,
  'A permission that was created, changed or deleted.',
);

const PermissionFilter = filterType('PermissionFilter', 'permissions', {
  id: [IdFilter, 'Permissions by their ids.'],
  name: [NameFilter, 'Name.'],
});

const PermissionOrder = orderType('PermissionOrder', {
  ID: 'Id.',
  NAME: 'Name, without regard to case.',
});

export const PermissionsArgs = listArgs('permissions', PermissionFilter, PermissionOrder, 'by id');

export const PermissionCreateInput = inputType('PermissionCreateInput', 'A new permission.', {
  name: [String, 'Unique without regard to case, 45 characters at most.'],
  description: [optional(String), 'What the permission allows.'],
});
export type PermissionCreateInput = InstanceType<typeof PermissionCreateInput>;

export const PermissionUpdateInput = inputType(
  'PermissionUpdateInput',
  'A change of a permission. The four built-in permissions cannot be renamed.',
  {
    name: [String, 'The new name. Groups that grant the permission keep it under this name.'],
    description: [optional(String), 'What the permission allows. Omitted: unchanged.'],
  },
  VersionedIdInput,
);
export type PermissionUpdateInput = InstanceType<typeof PermissionUpdateInput>;

@InputType({ description: 'The permission to delete.' })
export class PermissionDeleteInput extends VersionedIdInput {}
