import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, nestedPage } from '../../platform/graphql/connection';
import type { Page } from '../../platform/store/page';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { Workflow, WorkflowConnection } from '../workflows/workflow.types';
import { linkedCategory } from './category.loader';
import type { CategoryRecord } from './category.model';
import { Category } from './category.types';

@Resolver(() => Workflow)
export class CategoryOfWorkflowResolver {
  @FieldResolver(() => Category, {
    nullable: true,
    description: 'The folder it is in; null when it is in none.',
  })
  category(
    @Root() { categoryId }: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<CategoryRecord | null> {
    return linkedCategory(context, categoryId);
  }
}

/** Needs no further permission: workflows and categories have the same read permission. */
@Resolver(() => Category)
export class WorkflowsOfCategoryResolver {
  @FieldResolver(() => WorkflowConnection, {
    description:
      'The workflows directly in it, in the order of their creation, without those of test runs.',
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
}
