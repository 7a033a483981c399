import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** A folder for workflows. Folders stand in each other and form no circle. */
export interface CategoryRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded: no two have the same, wherever they stand. */
  readonly nameKey: string;
  /** Null for one at the top. */
  readonly parentId: number | null;
  /**
   * Counts what came to refer to it: categories placed below it or deeper, workflows put into it. Written by the transactions that do so, so
   * that they and its move or deletion conflict instead of passing each other unseen (docs/adr/0010).
   */
  readonly claims: number;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

const categorySchema = schemaOf<CategoryRecord>({
  _id: Number,
  name: String,
  nameKey: String,
  parentId: orNull(Number),
  claims: Number,
  version: Number,
});
categorySchema.index({ nameKey: 1 }, { unique: true });
categorySchema.index({ parentId: 1, nameKey: 1 });
categorySchema.index({ parentId: 1, _id: 1 });

export const categoryModel = (store: Store) =>
  store.model<CategoryRecord>('Category', categorySchema, 'categories');
