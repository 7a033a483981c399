import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** A folder for workflows. Categories form a tree. */
export interface CategoryRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded name; unique in the whole tree. */
  readonly nameKey: string;
  /** Null at the top level. */
  readonly parentId: number | null;
  /**
   * Incremented by transactions that place categories below it, at any depth, or put workflows into
   * it. So they conflict with its move or deletion (docs/adr/0010).
   */
  readonly claims: number;
  /** Incremented by each change, for optimistic locking. */
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
