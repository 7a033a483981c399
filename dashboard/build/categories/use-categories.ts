import { useCallback, useEffect, useState } from 'preact/hooks';
import { toFailure } from '../../api/failure';
import type { QueryResult } from '../../api/hooks';
import { request } from '../../api/request';
import { permissionsVersion } from '../../current-user';
import { CategoriesDocument } from '../../generated/operations';
import type { CategoriesQuery, CategoryRowFragment } from '../../generated/operations';
import { buildTree } from './category-tree';
import type { CategoryNode } from './category-tree';

/** Reads all pages: a tree cannot be shown in parts. */
async function loadCategories(signal: AbortSignal): Promise<readonly CategoryNode[]> {
  const rows: CategoryRowFragment[] = [];
  for (let after: string | null = null; ;) {
    const { categories }: CategoriesQuery = await request(CategoriesDocument, { after }, signal);
    rows.push(...categories.nodes);
    after = categories.pageInfo.endCursor;
    if (!categories.pageInfo.hasNextPage || after === null) return buildTree(rows);
  }
}

type CategoryState = Pick<QueryResult<readonly CategoryNode[]>, 'data' | 'failure'>;

/** The tree of all categories. */
export function useCategories(): CategoryState & { readonly reload: () => void } {
  const [state, setState] = useState<CategoryState>({ data: null, failure: null });
  const [attempt, setAttempt] = useState(0);
  const permissions = permissionsVersion.value;
  useEffect(() => {
    const controller = new AbortController();
    loadCategories(controller.signal).then(
      (data) => setState({ data, failure: null }),
      (error: unknown) => {
        if (!controller.signal.aborted)
          setState(({ data }) => ({ data, failure: toFailure(error) }));
      },
    );
    return () => controller.abort();
  }, [attempt, permissions]);
  const reload = useCallback(() => setAttempt((before) => before + 1), []);
  return { ...state, reload };
}
