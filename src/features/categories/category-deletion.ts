import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { BadInput } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import {
  eachOnce,
  MOST_AT_ONCE,
  placesIn,
  requireVersion,
  THE_ID,
} from '../../platform/store/records';
import type { ExpectedVersion, PlaceOf } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { WorkflowService } from '../workflows/workflow.service';
import type { CategoryReads } from './category-reads';
import { recorded } from './category-saving';
import type { CategoryTree } from './category-tree';
import type { CategoryRecord } from './category.model';
import { categoryNotFound } from './category.rules';

export interface CategoryDeletionDependencies {
  readonly audit: AuditService;
  readonly categories: Model<CategoryRecord>;
  readonly reads: CategoryReads;
  readonly tree: CategoryTree;
  readonly workflows: Pick<WorkflowService, 'using' | 'removal' | 'uncategorize'>;
  readonly change: <R>(work: (tx: Tx) => Promise<R>) => Promise<R>;
}

/** Deletes categories: alone, which frees their contents, or with all their contents. */
export function createCategoryDeletion({
  audit,
  categories,
  reads,
  tree,
  workflows,
  change,
}: CategoryDeletionDependencies) {
  /** @throws NotFound CATEGORY_NOT_FOUND for each missing category */
  const everyOne = async (
    ids: readonly number[],
    place: PlaceOf,
    tx?: Tx,
  ): Promise<CategoryRecord[]> => {
    const found = new Findings();
    const records = (await reads.byIds(ids, tx)).flatMap((record, index) => {
      const id = ids[index] ?? 0;
      if (!record) found.add(categoryNotFound(id, place(id)));
      return record ?? [];
    });
    found.refuse();
    return records;
  };

  const deleteRecords = async (
    actor: Actor,
    records: readonly CategoryRecord[],
    tx: Tx,
  ): Promise<void> => {
    const ids = records.map(({ _id }) => _id);
    const freed = await workflows.uncategorize(ids, tx);
    await categories.updateMany(
      { parentId: { $in: ids }, _id: { $nin: ids } },
      { $set: { parentId: null }, $inc: { version: 1 } },
      { session: tx.session },
    );
    await categories.deleteMany({ _id: { $in: ids } }, { session: tx.session });
    for (const record of records) {
      const workflowIds = freed.get(record._id) ?? [];
      await audit.record(
        actor,
        'category.delete',
        { type: 'Category', id: record._id },
        { ...recorded(record), ...(workflowIds.length > 0 && { workflowIds }) },
        null,
        tx,
      );
    }
  };

  const removeAlone = (
    actor: Actor,
    ids: readonly number[],
    place: PlaceOf,
    expected: ExpectedVersion,
  ): Promise<CategoryRecord[]> =>
    change(async (tx) => {
      const records = await everyOne(ids, place, tx);
      for (const record of records) requireVersion('category', record, expected);
      await deleteRecords(actor, records, tx);
      return records;
    });

  /** The ids of all categories and workflows in these categories, at any depth. */
  const contentsOf = async (
    ids: readonly number[],
    place: PlaceOf,
    tx?: Tx,
  ): Promise<{ categoryIds: number[]; workflowIds: number[] }> => {
    const categoryIds = await tree.subtree(ids, tx);
    const workflowIds = (await workflows.using({ categoryIds }, tx)).map(
      ({ workflowId }) => workflowId,
    );
    const counts = { categories: categoryIds.length, workflows: workflowIds.length };
    if (Math.max(counts.categories, counts.workflows) > MOST_AT_ONCE) {
      const text = `This would delete ${counts.categories} categories and ${counts.workflows} workflows; at most ${MOST_AT_ONCE} of each go at once.`;
      throw new BadInput('BAD_REQUEST', text, {
        path: place(ids[0] ?? 0),
        reason: 'LIST_TOO_LONG',
      });
    }
    return { categoryIds, workflowIds };
  };

  const removeWhole = async (
    actor: Actor,
    ids: readonly number[],
    place: PlaceOf,
    expected: ExpectedVersion,
  ): Promise<CategoryRecord[]> => {
    await everyOne(ids, place);
    const removeWorkflows = await workflows.removal((await contentsOf(ids, place)).workflowIds);
    return change(async (tx) => {
      const records = await everyOne(ids, place, tx);
      for (const record of records) requireVersion('category', record, expected);
      const { categoryIds, workflowIds } = await contentsOf(ids, place, tx);
      await removeWorkflows(actor, workflowIds, tx);
      await deleteRecords(actor, await everyOne(categoryIds, THE_ID, tx), tx);
      return records;
    });
  };

  const one = async (id: number, removed: Promise<CategoryRecord[]>): Promise<CategoryRecord> => {
    const [record] = await removed;
    if (!record) throw categoryNotFound(id);
    return record;
  };

  return {
    /**
     * Deletes a category and returns the deleted record. Its workflows are left without a category,
     * and its subcategories move to the top level.
     * @throws NotFound CATEGORY_NOT_FOUND
     * @throws Conflict CONFLICT the version differs
     */
    remove: (actor: Actor, id: number, expected?: ExpectedVersion): Promise<CategoryRecord> =>
      one(id, removeAlone(actor, [id], THE_ID, expected)),

    /** `remove` for several categories, all or none. */
    removeAll: async (actor: Actor, ids: readonly number[]): Promise<CategoryRecord[]> =>
      removeAlone(actor, eachOnce(ids, 'categories'), placesIn(ids), undefined),

    /**
     * Deletes a category with all its subcategories and workflows, and returns the deleted record.
     * @throws NotFound CATEGORY_NOT_FOUND
     * @throws BadInput it contains too much
     * @throws Conflict CONFLICT the version differs
     */
    removeTree: (actor: Actor, id: number, expected?: ExpectedVersion): Promise<CategoryRecord> =>
      one(id, removeWhole(actor, [id], THE_ID, expected)),

    /** `removeTree` for several categories, all or none. */
    removeTrees: async (actor: Actor, ids: readonly number[]): Promise<CategoryRecord[]> =>
      removeWhole(actor, eachOnce(ids, 'categories'), placesIn(ids), undefined),
  };
}
