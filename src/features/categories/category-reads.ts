import type { Model } from 'mongoose';
import { recordsByIds } from '../../platform/store/records';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { pagesOf } from '../../platform/store/pages-of';
import { titleSearch } from '../../platform/store/title-search';
import type { Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { CategoryRecord } from './category.model';
import { categoryNotFound } from './category.rules';

/** A category with its parent and its direct subcategories. */
export interface PlacedCategory {
  readonly category: CategoryRecord;
  readonly parent: CategoryRecord | null;
  readonly childIds: readonly number[];
}

export type CategoryReads = ReturnType<typeof createCategoryReads>;

export function createCategoryReads(categories: Model<CategoryRecord>) {
  const byId = (id: number, tx?: Tx): Promise<CategoryRecord | null> =>
    categories.findById(id, null, { session: tx?.session }).lean<CategoryRecord>();

  const placed = async (category: CategoryRecord): Promise<PlacedCategory> => {
    const [parent, children] = await Promise.all([
      category.parentId === null ? null : byId(category.parentId),
      categories
        .find({ parentId: category._id }, { _id: 1 })
        .sort({ _id: 1 })
        .lean<{ _id: number }[]>(),
    ]);
    return { category, parent, childIds: children.map(({ _id }) => _id) };
  };

  const get = async (id: number): Promise<CategoryRecord> => {
    const record = await byId(id);
    if (!record) throw categoryNotFound(id);
    return record;
  };

  return {
    byId,

    /** @throws NotFound CATEGORY_NOT_FOUND */
    get,

    /** In the given order; null if missing. One query. */
    async byIds(ids: readonly number[], tx?: Tx): Promise<(CategoryRecord | null)[]> {
      return recordsByIds(categories, ids, { tx });
    },

    page: (query: PageQuery): Promise<Page<CategoryRecord>> =>
      pageOf<CategoryRecord>(categories, query),

    /** One page of direct subcategories per parent. */
    pagesBelow: (parentIds: readonly number[], query: PageQuery): Promise<Page<CategoryRecord>[]> =>
      pagesOf(categories, 'parentId', parentIds, query),

    searchTitles: titleSearch(categories, { title: 'name', key: 'nameKey' }),

    placed,

    /** @throws NotFound CATEGORY_NOT_FOUND */
    getPlaced: async (id: number): Promise<PlacedCategory> => placed(await get(id)),

    /** All categories, by id. */
    async allPlaced(): Promise<PlacedCategory[]> {
      const records = await categories.find({}).sort({ _id: 1 }).lean<CategoryRecord[]>();
      const known = new Map(records.map((record) => [record._id, record]));
      const below = new Map<number, number[]>();
      for (const { _id, parentId } of records) {
        if (parentId === null) continue;
        const siblings = below.get(parentId) ?? [];
        siblings.push(_id);
        below.set(parentId, siblings);
      }
      return records.map((category) => ({
        category,
        parent: known.get(category.parentId ?? 0) ?? null,
        childIds: below.get(category._id) ?? [],
      }));
    },

    /** Returns whether a category has this name, without regard to case. */
    async exists(name: string): Promise<boolean> {
      return (await categories.exists({ nameKey: fold(name) })) !== null;
    },
  };
}
