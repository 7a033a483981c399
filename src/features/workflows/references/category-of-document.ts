import type { WorkflowDocument } from '../workflow.document';
import { idOf } from './record-id';

const outOfCategories = new WeakMap<WorkflowDocument, WorkflowDocument>();

/** The document of a workflow whose category was deleted since it was saved says so: the row knows. */
export function inCategoryOf(
  { categoryId }: { readonly categoryId?: number | null },
  document: WorkflowDocument,
): WorkflowDocument {
  if (categoryId !== null || idOf(document.categoryId) === null) return document;
  const freed = outOfCategories.get(document) ?? { ...document, categoryId: null };
  outOfCategories.set(document, freed);
  return freed;
}
