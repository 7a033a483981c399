import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, nestedPage } from '../../platform/graphql/schema/connection';
import { databaseId } from '../../platform/graphql/schema/ids';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { Workflow, WorkflowConnection } from '../workflows/workflow.types';
import type { CategoryRecord } from './category.model';
import { categoryPolicy } from './category.policy';
import {
  CategoriesArgs,
  CategoriesPayload,
  Category,
  CategoryConnection,
  CategoryCreateInput,
  CategoryDeleteInput,
  CategoryIdsInput,
  CategoryPayload,
  CategoryUpdateInput,
  CategoryViewerCan,
  oneCategoryPolicy,
} from './category.types';

const readId = (id: unknown): number => databaseId(String(id), 'Category');
const FIELDS = {
  id: { path: '_id', read: readId },
  name: { folded: 'nameKey' },
  parentId: { path: 'parentId', read: readId },
};
const ORDER = { ID: '_id', NAME: 'nameKey' } as const;

const toCategoryQuery = (args: InstanceType<typeof CategoriesArgs>): PageQuery =>
  toPageQuery(args, FIELDS, ORDER, { field: 'nameKey', direction: 'asc' });

/** Reads a category; reads of the same request are batched. */
const loadCategory = (context: GraphqlContext, id: number): Promise<CategoryRecord | null> =>
  context
    .loader<number, CategoryRecord>('categories', (ids) => context.services.categories.byIds(ids))
    .load(id);

/** The category of a link; null if there is none, it is deleted, or the user may not read it. */
const linkedCategory = async (
  context: GraphqlContext,
  id: number | null,
): Promise<CategoryRecord | null> =>
  id !== null && allows(categoryPolicy.read, context.actor) ? loadCategory(context, id) : null;

@Resolver(() => Category)
export class CategoryResolver {
  @Query(() => CategoryConnection, { description: 'A page of categories of all levels.' })
  @Needs(categoryPolicy.read)
  categories(
    @Args(() => CategoriesArgs) args: InstanceType<typeof CategoriesArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<CategoryRecord>> {
    return services.categories.page(toCategoryQuery(args));
  }

  @Query(() => Category, { nullable: true, description: 'A category; null if it does not exist.' })
  @Needs(categoryPolicy.read)
  category(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<CategoryRecord | null> {
    return loadCategory(context, readId(id));
  }

  @FieldResolver(() => Category, {
    nullable: true,
    description: 'The parent category; null at the top level.',
  })
  parent(
    @Root() { parentId }: CategoryRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<CategoryRecord | null> {
    return linkedCategory(context, parentId);
  }

  @FieldResolver(() => CategoryConnection, { description: 'The direct subcategories.' })
  children(
    @Root() { _id }: CategoryRecord,
    @Args(() => CategoriesArgs) args: InstanceType<typeof CategoriesArgs>,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<CategoryRecord>> {
    return nestedPage(context, 'categoriesBelow', _id, args, (ids) =>
      context.services.categories.pagesBelow(ids, toCategoryQuery(args)),
    );
  }

  // Needs no further permission: workflows and categories have the same read permission.
  @FieldResolver(() => WorkflowConnection, {
    description:
      'The workflows directly in this category, in order of creation, without those of test runs.',
  })
  workflows(
    @Root() { _id }: CategoryRecord,
    @Args() page: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<WorkflowRecord>> {
    return nestedPage(context, 'workflowsOfCategories', _id, page, (ids) =>
      context.services.workflows.pagesOfCategories(ids, page),
    );
  }

  @FieldResolver(() => CategoryViewerCan, {
    description: 'Permissions of the signed-in user for this category.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext) {
    return viewerCan(oneCategoryPolicy, actor);
  }

  @Mutation(() => CategoryPayload, { description: 'Creates a category.' })
  @Needs(categoryPolicy.create)
  categoryCreate(
    @Arg('input', { description: 'The new category.' }) { name, parentId }: CategoryCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('category', (ids) =>
      services.categories.create(actor, {
        name,
        parentId: parentId == null ? null : ids.read('Category', parentId, ['parentId']),
      }),
    );
  }

  @Mutation(() => CategoryPayload, {
    description: 'Renames or moves a category. Its subcategories move with it.',
  })
  @Needs(categoryPolicy.update)
  categoryUpdate(
    @Arg('input', { description: 'The category and its changes.' })
    { id, name, parentId, expectedVersion }: CategoryUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
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
    description: 'Deletes a category, and with `cascade` everything in it.',
  })
  @ServedOnFullDisk()
  @Needs(categoryPolicy.delete)
  categoryDelete(
    @Arg('input', { description: 'The category to delete.' })
    { id, cascade, expectedVersion }: CategoryDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('category', (ids) =>
      services.categories.remove(actor, ids.read('Category', id), { cascade, expectedVersion }),
    );
  }

  @Mutation(() => CategoriesPayload, {
    description: 'Deletes categories, all or none, and with `cascade` everything in them.',
  })
  @ServedOnFullDisk()
  @Needs(categoryPolicy.delete)
  categoriesDelete(
    @Arg('input', { description: 'The categories to delete.' }) input: CategoryIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('categories', 'Category', (ids) =>
      services.categories.removeAll(actor, ids.readAll('Category', input.ids), {
        cascade: input.cascade,
      }),
    );
  }
}

@Resolver(() => Workflow)
export class CategoryOfWorkflowResolver {
  @FieldResolver(() => Category, {
    nullable: true,
    description: 'The category of the workflow; null if it has none.',
  })
  category(
    @Root() { categoryId }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<CategoryRecord | null> {
    return linkedCategory(context, categoryId);
  }
}

registerNode('Category', (id, context) => loadCategory(context, id), categoryPolicy.read);
