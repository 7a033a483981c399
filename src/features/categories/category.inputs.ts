import { ArgsType, Field, ID, InputType, registerEnumType } from 'type-graphql';
import { ConnectionArgs, orderInput } from '../../platform/graphql/connection';
import { VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';
import { ALL_OF, ANY_OF, IdFilter, NameFilter, NONE_OF } from '../../platform/graphql/filters';

const WHICH = 'Which category: global id or integer.';
const WITH_ALL =
  'Also delete everything below it and every workflow in any of them. Without it, workflows stay without a category and what stands below goes to the top.';

@InputType({ description: 'A new category.' })
export class CategoryCreateInput {
  @Field(() => String, { description: 'Unique without regard to case, 128 characters at most.' })
  readonly name!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'The category it is to stand below: global id or integer. Null: at the top.',
  })
  readonly parentId?: string | null;
}

@InputType({ description: 'A change of a category; what is left out stays as it is.' })
export class CategoryUpdateInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => String, { nullable: true, description: 'Its name from now on.' })
  readonly name?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'What it is to stand below from now on: global id or integer. Null: at the top.',
  })
  readonly parentId?: string | null;
}

@InputType({ description: 'A category to delete.' })
export class CategoryDeleteInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => Boolean, { defaultValue: false, description: WITH_ALL })
  readonly cascade!: boolean;
}

@InputType({ description: 'Categories to delete.' })
export class CategoryIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];

  @Field(() => Boolean, { defaultValue: false, description: WITH_ALL })
  readonly cascade!: boolean;
}

@InputType({ description: 'Which categories; all that are given must hold.' })
export class CategoryFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These categories, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly name?: NameFilter;

  @Field(() => IdFilter, {
    nullable: true,
    description: 'Directly below these; `isNull`: at the top.',
  })
  readonly parentId?: IdFilter;

  @Field(() => [CategoryFilter], { nullable: true, description: ALL_OF })
  readonly and?: CategoryFilter[];

  @Field(() => [CategoryFilter], { nullable: true, description: ANY_OF })
  readonly or?: CategoryFilter[];

  @Field(() => CategoryFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

export const CategoryOrderField = { ID: 'ID', NAME: 'NAME' } as const;
registerEnumType(CategoryOrderField, {
  name: 'CategoryOrderField',
  description: 'What a list of categories can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
  },
});

export const CategoryOrder = orderInput(CategoryOrderField, 'CategoryOrder');
export type CategoryOrder = InstanceType<typeof CategoryOrder>;

@ArgsType()
export class CategoriesArgs extends ConnectionArgs {
  @Field(() => CategoryFilter, {
    nullable: true,
    description: 'Which categories. Without it: all.',
  })
  readonly filter?: CategoryFilter;

  @Field(() => CategoryOrder, {
    nullable: true,
    description: 'In which order. Without it: by name.',
  })
  readonly orderBy?: CategoryOrder;
}
