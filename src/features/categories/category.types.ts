import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { IdFilter, NameFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
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
import { categoryPolicy } from './category.policy';
import { MAX_NAME_LENGTH } from './category.service';
import { inCharacters } from '../../platform/text/characters';

const { read, update, delete: remove } = categoryPolicy;
/** Permissions reported by `viewerCan` of a category. */
export const oneCategoryPolicy = { read, update, delete: remove } as const;
export const CategoryViewerCan = viewerCanType('CategoryViewerCan', oneCategoryPolicy);

const PARENT = 'The parent category: global id or integer. Null: the top level.';
const CASCADE =
  'Also delete all categories and workflows in it, at any depth. Without it, its workflows are left without a category, and its subcategories move to the top level.';

@ObjectType({ implements: Node, description: 'A folder for workflows. Categories form a tree.' })
export class Category {
  readonly _id!: number;

  @Field(() => String, { description: 'Unique in the whole tree, without regard to case.' })
  readonly name!: string;

  readonly parentId!: number | null;

  @Field(() => Int, {
    description: 'Number of changes. Pass it as `expectedVersion` to detect concurrent changes.',
  })
  readonly version!: number;
}

export const CategoryConnection = ConnectionOf(Category, 'CategoryConnection');

export const CategoryPayload = payloadType(
  'CategoryPayload',
  'category',
  Category,
  'A category that was created, changed or deleted.',
);
export const CategoriesPayload = deletedListType('CategoriesPayload', 'categories', Category);

export const CategoryCreateInput = inputType('CategoryCreateInput', 'A new category.', {
  name: [String, `Unique without regard to case; at most ${inCharacters(MAX_NAME_LENGTH)}.`],
  parentId: [optional(ID), PARENT],
});
export type CategoryCreateInput = InstanceType<typeof CategoryCreateInput>;

export const CategoryUpdateInput = inputType(
  'CategoryUpdateInput',
  'A change of a category. Omitted fields keep their value.',
  {
    name: [optional(String), 'The new name.'],
    parentId: [optional(ID), PARENT],
  },
  VersionedIdInput,
);
export type CategoryUpdateInput = InstanceType<typeof CategoryUpdateInput>;

export const CategoryDeleteInput = inputType(
  'CategoryDeleteInput',
  'A category to delete.',
  { cascade: [Boolean, CASCADE, false] },
  VersionedIdInput,
);
export type CategoryDeleteInput = InstanceType<typeof CategoryDeleteInput>;

export const CategoryIdsInput = inputType(
  'CategoryIdsInput',
  'Categories to delete.',
  { cascade: [Boolean, CASCADE, false] },
  IdsInput,
);
export type CategoryIdsInput = InstanceType<typeof CategoryIdsInput>;

const CategoryFilter = filterType('CategoryFilter', 'categories', {
  id: [IdFilter, 'Ids of categories.'],
  name: [NameFilter, 'The name.'],
  parentId: [IdFilter, 'The parent category; `isNull`: the top level.'],
});

const CategoryOrder = orderType('CategoryOrder', {
  ID: 'Id.',
  NAME: 'Name, without regard to case.',
});

export const CategoriesArgs = listArgs('categories', CategoryFilter, CategoryOrder, 'by name');
