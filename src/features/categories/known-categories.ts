import type { Store, Tx } from '../../platform/store/store';
import type { KnownCategories } from '../workflows/workflow.ports';
import { categoryModel } from './category.model';

/** The categories there are, for workflows that are put into them. */
export function createKnownCategories(store: Store): KnownCategories {
  const categories = categoryModel(store);
  return {
    async known(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>> {
      const found = await categories.find({ _id: { $in: [...ids] } }, { _id: 1 }, { session: tx?.session }).lean<{ _id: number }[]>();
      return new Set(found.map(({ _id }) => _id));
    },

    async claim(ids: readonly number[], tx: Tx): Promise<void> {
      if (ids.length > 0) await categories.updateMany({ _id: { $in: [...ids] } }, { $inc: { claims: 1 } }, { session: tx.session });
    },
  };
}
