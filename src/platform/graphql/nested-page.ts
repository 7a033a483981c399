import type { GraphqlContext } from '../context';
import type { Page } from '../store/page';

/**
 * The page of a list under one object, read together with those under all others of the same request that ask with the same arguments:
 * `workflows { nodes { runs(first: 2) } }` calls `load` once for all workflows. `name` names the list within the request; `load` is given
 * the ids of the objects and answers a page for each, in their order.
 */
export async function nestedPage<T, P extends number | string>(
  context: GraphqlContext,
  name: string,
  parentId: P,
  args: object,
  load: (parentIds: readonly P[]) => Promise<readonly Page<T>[]>,
): Promise<Page<T>> {
  const page = await context
    .loader<P, Page<T>>(`${name} ${JSON.stringify(args)}`, load)
    .load(parentId);
  if (!page) throw new Error(`The list ${name} brought no page for ${parentId}.`);
  return page;
}
