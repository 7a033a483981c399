import { knownRecords } from '../../platform/store/known-records';
import type { Store } from '../../platform/store/store';
import type { KnownCategories } from '../workflows/workflow.ports';
import { categoryModel } from './category.model';

/** Looks up categories for workflows. */
export const createKnownCategories = (store: Store): KnownCategories =>
  knownRecords(categoryModel(store));
