import { compileFilter } from '../../src/query/filter';

/** Whether a document matches a query. @throws StoreError if the query is not supported */
export const matches = (
  filter: Record<string, unknown>,
  document: Record<string, unknown>,
): boolean => compileFilter(filter).test(document);
