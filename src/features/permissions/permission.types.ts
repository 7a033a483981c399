import { MutationPayload, VersionedInput } from '../../platform/graphql/payload';
import { ConnectionArgs, ConnectionOf, orderInput } from '../../platform/graphql/connection';
import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ALL_OF, ANY_OF, IdFilter, NameFilter, NONE_OF } from '../../platform/graphql/filters';
import { Node } from '../../platform/graphql/node';

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

@ObjectType({ description: 'A permission that was created, changed or deleted.' })
export class PermissionPayload extends MutationPayload {
  @Field(() => PermissionType, {
    nullable: true,
    description: 'The permission; null if nothing was changed.',
  })
  readonly permission!: PermissionType | null;
}

@InputType({ description: 'Filters permissions; all given conditions must hold.' })
class PermissionFilter {
  @Field(() => IdFilter, { nullable: true, description: 'Permissions by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'Name.' })
  readonly name?: NameFilter;

  @Field(() => [PermissionFilter], { nullable: true, description: ALL_OF })
  readonly and?: PermissionFilter[];

  @Field(() => [PermissionFilter], { nullable: true, description: ANY_OF })
  readonly or?: PermissionFilter[];

  @Field(() => PermissionFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

const PermissionOrderField = { ID: 'ID', NAME: 'NAME' } as const;
registerEnumType(PermissionOrderField, {
  name: 'PermissionOrderField',
  description: 'Fields that permissions can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
  },
});

const PermissionOrder = orderInput(PermissionOrderField, 'PermissionOrder');

@ArgsType()
export class PermissionsArgs extends ConnectionArgs {
  @Field(() => PermissionFilter, {
    nullable: true,
    description: 'Filter. Default: all permissions.',
  })
  readonly filter?: PermissionFilter;

  @Field(() => PermissionOrder, { nullable: true, description: 'Order. Default: by id.' })
  readonly orderBy?: InstanceType<typeof PermissionOrder>;
}

@InputType({ description: 'A new permission.' })
export class PermissionCreateInput {
  @Field(() => String, { description: 'Unique without regard to case, 45 characters at most.' })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the permission allows.',
  })
  readonly description?: string | null;
}

@InputType({
  description: 'A change of a permission. The four built-in permissions cannot be renamed.',
})
export class PermissionUpdateInput extends VersionedInput {
  @Field(() => ID, { description: 'The permission: global id or integer.' })
  readonly id!: string;

  @Field(() => String, {
    description: 'The new name. Groups that grant the permission keep it under this name.',
  })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the permission allows. Omitted: unchanged.',
  })
  readonly description?: string | null;
}

@InputType({ description: 'The permission to delete.' })
export class PermissionDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}
