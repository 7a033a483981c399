import { createRecordTurns } from '../../platform/store/record-turns';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { WorkflowService } from '../workflows/workflow.service';
import { createCategoryDeletion } from './category-deletion';
import { createCategoryReads } from './category-reads';
import { createCategorySaving } from './category-saving';
import { createCategoryTree } from './category-tree';
import { categoryModel } from './category.model';

declare module '../../platform/context' {
  interface Services {
    categories: CategoryService;
  }
}

export interface CategoryDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly workflows: WorkflowService;
}

export type CategoryService = ReturnType<typeof createCategoryService>;

/** Categories: folders for workflows. One file per use case. */
export function createCategoryService({ store, audit, workflows }: CategoryDependencies) {
  const categories = categoryModel(store);
  const reads = createCategoryReads(categories);
  const tree = createCategoryTree(categories);
  const turns = createRecordTurns();
  const change = <R>(work: (tx: Tx) => Promise<R>): Promise<R> =>
    turns.of('tree', () => store.transaction(work));
  return {
    ...reads,
    ...createCategorySaving({ store, audit, categories, reads, tree, change }),
    ...createCategoryDeletion({ audit, categories, reads, tree, workflows, change }),
  };
}
