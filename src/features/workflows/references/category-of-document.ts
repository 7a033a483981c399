import type { WorkflowDocument } from '../workflow.document';
import { idOf } from './record-id';

const outOfCategories = new WeakMap<WorkflowDocument, WorkflowDocument>();

/**
 * Returns the document without its category if that was deleted after the save: only the row is
 * updated.
 */
export function inCategoryOf(
  { categoryId }: { readonly categoryId?: number | null },
  document: WorkflowDocument,
): WorkflowDocument {
  if (categoryId !== null || idOf(document.categoryId) === null) return document;
  const freed = outOfCategories.get(document) ?? { ...document, categoryId: null };
  outOfCategories.set(document, freed);
  return freed;
}
