import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import { MutationPayload, VersionedInput } from '../../platform/graphql/payload';
import { ALL_OF, ANY_OF, IdFilter, NameFilter, NONE_OF } from '../../platform/graphql/filters';
import { Node } from '../../platform/graphql/node';

@ObjectType('Permission', {
  implements: Node,
  description: 'What may be done with a component. Groups grant permissions by component.',
})
export class PermissionType {
  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What it lets somebody do, for people to read.',
  })
  readonly description!: string | null;

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;
}

export const PermissionConnection = ConnectionOf(PermissionType, 'PermissionConnection');

@ObjectType({ description: 'A permission that was created, changed or deleted.' })
export class PermissionPayload extends MutationPayload {
  @Field(() => PermissionType, {
    nullable: true,
    description: 'The permission; null when nothing was changed.',
  })
  readonly permission!: PermissionType | null;
}

@InputType({ description: 'Which permissions; all that are given must hold.' })
export class PermissionFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These permissions, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly name?: NameFilter;

  @Field(() => [PermissionFilter], { nullable: true, description: ALL_OF })
  readonly and?: PermissionFilter[];

  @Field(() => [PermissionFilter], { nullable: true, description: ANY_OF })
  readonly or?: PermissionFilter[];

  @Field(() => PermissionFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

export const PermissionOrderField = { ID: 'ID', NAME: 'NAME' } as const;
registerEnumType(PermissionOrderField, {
  name: 'PermissionOrderField',
  description: 'What a list of permissions can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
  },
});

export const PermissionOrder = orderInput(PermissionOrderField, 'PermissionOrder');
export type PermissionOrder = InstanceType<typeof PermissionOrder>;

@InputType({ description: 'A new permission.' })
export class PermissionCreateInput {
  @Field(() => String, { description: 'Unique without regard to case, 45 characters at most.' })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What it lets somebody do, for people to read.',
  })
  readonly description?: string | null;
}

@InputType({
  description: 'A change of a permission. The four of the service itself keep their names.',
})
export class PermissionUpdateInput extends VersionedInput {
  @Field(() => ID, { description: 'Which one: global id or integer.' })
  readonly id!: string;

  @Field(() => String, {
    description: 'Its name from now on. Groups that grant it grant it under this name.',
  })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What it lets somebody do, for people to read. Left out: stays as it is.',
  })
  readonly description?: string | null;
}

@InputType({ description: 'Which permission to delete.' })
export class PermissionDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}
