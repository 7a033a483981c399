import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/connection';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { Node } from '../../platform/graphql/node';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { categoryPolicy } from './category.policy';

const { read, update, delete: remove } = categoryPolicy;
/** Permissions reported by `viewerCan` of a category. */
export const oneCategoryPolicy = { read, update, delete: remove } as const;
export const CategoryViewerCan = viewerCanType('CategoryViewerCan', oneCategoryPolicy);

@ObjectType({
  implements: Node,
  description: 'A folder of workflows. Folders stand in each other.',
})
export class Category {
  readonly _id!: number;

  @Field(() => String, { description: 'Unique without regard to case, wherever it stands.' })
  readonly name!: string;

  readonly parentId!: number | null;

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;
}

export const CategoryConnection = ConnectionOf(Category, 'CategoryConnection');

@ObjectType({ description: 'A category that was created, changed or deleted.' })
export class CategoryPayload extends MutationPayload {
  @Field(() => Category, {
    nullable: true,
    description: 'The category, a deleted one as it was; null when nothing was changed.',
  })
  readonly category!: Category | null;
}

@ObjectType({ description: 'Categories that were deleted.' })
export class CategoriesPayload extends ListPayload {
  @Field(() => [Category], {
    nullable: true,
    description: 'The categories as they were; null when nothing was changed.',
  })
  readonly categories!: Category[] | null;
}
