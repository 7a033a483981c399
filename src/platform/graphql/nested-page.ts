import type { GraphqlContext } from '../context';
import type { Page } from '../store/page';

/**
 * Returns the page of a list of one object, loaded together with those of all other objects in the
 * request that have the same arguments: `workflows { nodes { runs(first: 2) } }` calls `load` once.
 * `name` identifies the list within the request; `load` returns a page for each id, in order.
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
