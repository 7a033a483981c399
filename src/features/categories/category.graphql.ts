import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/ids';
import { listPayload, payload } from '../../platform/graphql/payload';
import { Needs } from '../../platform/graphql/needs';
import { nestedPage, toOrder } from '../../platform/graphql/connection';
import { registerNode } from '../../platform/graphql/node';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { Page, PageQuery } from '../../platform/store/keyset';
import {
  CategoriesArgs,
  CategoryCreateInput,
  CategoryDeleteInput,
  CategoryIdsInput,
  CategoryUpdateInput,
} from './category.inputs';
import { categoryLoader, linkedCategory } from './category.loader';
import type { CategoryRecord } from './category.model';
import { categoryPolicy } from './category.policy';
import {
  CategoriesPayload,
  Category,
  CategoryConnection,
  CategoryPayload,
  CategoryViewerCan,
  oneCategoryPolicy,
} from './category.types';

const idOf = (id: unknown): number => databaseId(String(id), 'Category');
const FIELDS = {
  id: { path: '_id', read: idOf },
  name: { folded: 'nameKey' },
  parentId: { path: 'parentId', read: idOf },
};
const ORDER = { ID: '_id', NAME: 'nameKey' } as const;
const BY_NAME = { field: 'nameKey', direction: 'asc' } as const;

/** Converts list arguments to a query. */
const asked = ({ filter, orderBy, ...page }: CategoriesArgs): PageQuery => ({
  ...page,
  filter: toQuery(filter, FIELDS),
  orderBy: toOrder(orderBy, ORDER, BY_NAME),
});

@Resolver(() => Category)
export class CategoryResolver {
  @Query(() => CategoryConnection, {
    description: 'Categories, a page at a time, wherever they stand.',
  })
  @Needs(categoryPolicy.read)
  categories(
    @Args() args: CategoriesArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<CategoryRecord>> {
    return services.categories.page(asked(args));
  }

  @Query(() => Category, { nullable: true, description: 'One category; null when there is none.' })
  @Needs(categoryPolicy.read)
  category(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<CategoryRecord | null> {
    return categoryLoader(context).load(databaseId(id, 'Category'));
  }

  @FieldResolver(() => Category, {
    nullable: true,
    description: 'What it stands below; null for one at the top.',
  })
  parent(
    @Root() { parentId }: CategoryRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<CategoryRecord | null> {
    return linkedCategory(context, parentId);
  }

  @FieldResolver(() => CategoryConnection, { description: 'What stands directly below it.' })
  children(
    @Root() { _id }: CategoryRecord,
    @Args() args: CategoriesArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<CategoryRecord>> {
    return nestedPage(context, 'categoriesBelow', _id, args, (ids) =>
      context.services.categories.pagesBelow(ids, asked(args)),
    );
  }

  @FieldResolver(() => CategoryViewerCan, {
    description: 'What the signed-in user may do with it.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext) {
    return viewerCan(oneCategoryPolicy, actor);
  }

  @Mutation(() => CategoryPayload, { description: 'Adds a category.' })
  @Needs(categoryPolicy.create)
  categoryCreate(
    @Arg('input', { description: 'What it is called, and where it stands.' })
    { name, parentId }: CategoryCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<CategoryPayload> {
    return payload('category', (ids) =>
      services.categories.create(actor, {
        name,
        parentId: parentId == null ? null : ids.read('Category', parentId, ['parentId']),
      }),
    );
  }

  @Mutation(() => CategoryPayload, {
    description: 'Renames or moves a category. What stands below it goes with it.',
  })
  @Needs(categoryPolicy.update)
  categoryUpdate(
    @Arg('input', { description: 'Which category, and what changes.' })
    { id, name, parentId, expectedVersion }: CategoryUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<CategoryPayload> {
    return payload('category', (ids) =>
      services.categories.update(
        actor,
        ids.read('Category', id),
        {
          name: name ?? undefined,
          parentId: parentId == null ? parentId : ids.read('Category', parentId, ['parentId']),
        },
        expectedVersion,
      ),
    );
  }

  @Mutation(() => CategoryPayload, {
    description: 'Deletes a category, with `cascade` everything in it, too.',
  })
  @Needs(categoryPolicy.delete)
  categoryDelete(
    @Arg('input', { description: 'Which category, and what goes with it.' })
    { id, cascade, expectedVersion }: CategoryDeleteInput,
    @Ctx() { actor, services: { categories } }: GraphqlContext,
  ): Promise<CategoryPayload> {
    return payload('category', (ids) =>
      (cascade ? categories.removeTree : categories.remove)(
        actor,
        ids.read('Category', id),
        expectedVersion,
      ),
    );
  }

  @Mutation(() => CategoriesPayload, {
    description: 'Deletes categories, all or none, with `cascade` everything in them, too.',
  })
  @Needs(categoryPolicy.delete)
  categoriesDelete(
    @Arg('input', { description: 'Which categories, and what goes with them.' })
    { ids: named, cascade }: CategoryIdsInput,
    @Ctx() { actor, services: { categories } }: GraphqlContext,
  ) {
    return listPayload('categories', 'Category', (ids) =>
      (cascade ? categories.removeTrees : categories.removeAll)(
        actor,
        ids.readAll('Category', named),
      ),
    );
  }
}

registerNode('Category', (id, context) => categoryLoader(context).load(id), categoryPolicy.read);
