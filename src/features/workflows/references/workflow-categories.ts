import type { Model } from 'mongoose';
import { pagesOf } from '../../../platform/store/pages-of';
import type { Page, PageRequest } from '../../../platform/store/keyset';
import type { Tx } from '../../../platform/store/store';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowWriting } from '../workflow-writing';

/** Matches all workflows. Needed because `test` is the first field of every index. */
const ANY_KIND = { test: { $in: [false, true] } };

export interface WorkflowCategoriesDependencies {
  readonly workflows: Model<WorkflowRecord>;
  readonly writing: WorkflowWriting;
}

export function createWorkflowCategories({ workflows, writing }: WorkflowCategoriesDependencies) {
  return {
    /**
     * Removes all workflows from these categories, and returns their ids by category. The documents
     * are not rewritten: `inCategoryOf` corrects them when they are read.
     */
    async uncategorize(categoryIds: readonly number[], tx: Tx): Promise<Map<number, number[]>> {
      const rows = await workflows
        .find(
          { ...ANY_KIND, categoryId: { $in: [...categoryIds] } },
          { categoryId: 1 },
          { session: tx.session },
        )
        .sort({ _id: 1 })
        .lean<Pick<WorkflowRecord, '_id' | 'categoryId'>[]>();
      const freed = new Map<number, number[]>();
      for (const { _id, categoryId } of rows) {
        freed.set(categoryId ?? 0, [...(freed.get(categoryId ?? 0) ?? []), _id]);
        writing.announce(_id, 'updated', tx);
      }
      if (rows.length > 0)
        await workflows.updateMany(
          { _id: { $in: rows.map(({ _id }) => _id) } },
          { $set: { categoryId: null } },
          { session: tx.session },
        );
      return freed;
    },

    /** One page of workflows per category, in order of creation, without those of test runs. */
    pagesOfCategories(
      categoryIds: readonly number[],
      page: PageRequest,
    ): Promise<Page<WorkflowRecord>[]> {
      return pagesOf(workflows, 'categoryId', categoryIds, {
        ...page,
        within: { test: false },
        orderBy: [{ field: 'createdAt', direction: 'asc', isDefault: true }],
      });
    },
  };
}
