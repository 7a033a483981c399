import type { DocumentFacts } from '../document/document-facts';
import { isTestTitle, titleKey } from '../document/title';
import type { WorkflowDocument } from '../document/workflow-document';
import type { ContentRef, WorkflowRecord } from '../workflow.model';

export type DerivedFields = Pick<
  WorkflowRecord,
  'title' | 'titleKey' | 'description' | 'test' | 'content' | 'methods' | 'operators'
> &
  DocumentFacts;

export const rowOf = (
  document: WorkflowDocument,
  content: ContentRef,
  facts: DocumentFacts,
): DerivedFields => ({
  ...facts,
  title: document.title,
  titleKey: titleKey(document.title),
  description: document.description ?? null,
  test: isTestTitle(document.title),
  content,
  methods: document.fromConnector.methods.length,
  operators: document.fromConnector.operators.length,
});

/**
 * An unchanged title keeps its stored key: under newer folding rules another workflow may have the
 * same key.
 */
export function rowAfter(
  before: WorkflowRecord,
  document: WorkflowDocument,
  content: ContentRef,
  facts: DocumentFacts,
): DerivedFields {
  const row = rowOf(document, content, facts);
  return row.title === before.title ? { ...row, titleKey: before.titleKey } : row;
}
