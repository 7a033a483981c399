import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Findings } from '../../platform/errors/findings';
import { changeRecord, insertRecord, isTaken, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { uniquely } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { CategoryReads } from './category-reads';
import type { CategoryTree } from './category-tree';
import type { CategoryRecord } from './category.model';
import { categoryNotFound, nameTaken, parseName } from './category.rules';

export interface NewCategory {
  readonly name?: string | null;
  /** Null: top level. */
  readonly parentId?: number | null;
  /** Replaces the direct subcategories. */
  readonly childIds?: readonly number[];
}

/** A change: undefined fields keep their value. */
export type CategoryChange = NewCategory;

export interface CategorySavingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly categories: Model<CategoryRecord>;
  readonly reads: CategoryReads;
  readonly tree: CategoryTree;
  /** Runs a transaction that changes the tree; such transactions are serialised. */
  readonly change: <R>(work: (tx: Tx) => Promise<R>) => Promise<R>;
}

export const recorded = ({ name, parentId, version }: CategoryRecord): object => ({
  name,
  parentId,
  version,
});

/** Creates, renames and moves categories. */
export function createCategorySaving({
  store,
  audit,
  categories,
  reads,
  tree,
  change,
}: CategorySavingDependencies) {
  const noteTaken = async (
    name: string,
    id: number | null,
    found: Findings,
    tx: Tx,
  ): Promise<void> => {
    if (await isTaken(categories, { nameKey: fold(name) }, id, tx)) found.add(nameTaken(name));
  };

  const named = <R>(name: string, work: (tx: Tx) => Promise<R>): Promise<R> =>
    uniquely(
      () => change(work),
      () => nameTaken(name),
    );

  return {
    /**
     * @throws BadInput INVALID_CATEGORY_NAME
     * @throws NotFound PARENT_CATEGORY_NOT_FOUND, SUB_CATEGORY_NOT_FOUND
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN another category has the name; CYCLE_HAS_FOUND
     */
    async create(
      actor: Actor,
      { name: typed, parentId = null, childIds: given = [] }: NewCategory,
    ): Promise<CategoryRecord> {
      const childIds = [...new Set(given)];
      return named(typed?.trim() ?? '', async (tx) => {
        const found = new Findings();
        const name = found.ofSync(() => parseName(typed));
        if (name !== undefined) await noteTaken(name, null, found, tx);
        await tree.take({ id: null, name: name ?? '', parentId, childIds }, found, tx);
        const fit = found.passed(name);
        const id = await store.nextId('categories', tx);
        const record = await insertRecord<CategoryRecord>(
          categories,
          { _id: id, name: fit, nameKey: fold(fit), parentId, claims: 0, version: 1 },
          tx,
        );
        if (childIds.length > 0) await tree.setChildren(id, childIds, tx);
        await audit.record(
          actor,
          'category.create',
          { type: 'Category', id },
          null,
          { ...recorded(record), ...(childIds.length > 0 && { childIds }) },
          tx,
        );
        return record;
      });
    },

    /**
     * @throws BadInput INVALID_CATEGORY_NAME
     * @throws NotFound CATEGORY_NOT_FOUND, PARENT_CATEGORY_NOT_FOUND, SUB_CATEGORY_NOT_FOUND
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN another category has the name; CYCLE_HAS_FOUND;
     * CONFLICT the version differs
     */
    async update(
      actor: Actor,
      id: number,
      asked: CategoryChange,
      expectedVersion?: ExpectedVersion,
    ): Promise<CategoryRecord> {
      const childIds = asked.childIds && [...new Set(asked.childIds)];
      return named(asked.name?.trim() ?? '', async (tx) => {
        const found = new Findings();
        const before = await reads.byId(id, tx);
        if (before) found.ofSync(() => requireVersion('category', before, expectedVersion));
        else found.add(categoryNotFound(id));
        const typed =
          asked.name === undefined ? before?.name : found.ofSync(() => parseName(asked.name));
        if (typed !== undefined && typed !== before?.name) await noteTaken(typed, id, found, tx);
        const parentId = asked.parentId === undefined ? (before?.parentId ?? null) : asked.parentId;
        const isMoved = parentId !== (before?.parentId ?? null) || childIds !== undefined;
        if (isMoved)
          await tree.take(
            { id, name: typed ?? before?.name ?? '', parentId, childIds: childIds ?? [] },
            found,
            tx,
          );
        const [base, name] = [found.passed(before), found.passed(typed)];
        if (childIds) await tree.setChildren(id, childIds, tx);
        const after = await changeRecord(
          categories,
          id,
          {
            name,
            nameKey: name === base.name ? base.nameKey : fold(name),
            parentId,
            version: base.version + 1,
          },
          tx,
        );
        await audit.record(
          actor,
          'category.update',
          { type: 'Category', id },
          recorded(base),
          { ...recorded(after), ...(childIds && { childIds }) },
          tx,
        );
        return after;
      });
    },
  };
}
