import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { CategoryRecord } from './category.model';
import { categoryPolicy } from './category.policy';

/** Categories by id, batched per request. */
export function categoryLoader(context: GraphqlContext) {
  return context.loader<number, CategoryRecord>('categories', (ids) =>
    context.services.categories.byIds(ids),
  );
}

/** The category of a link; null if there is none, it is deleted, or the user may not read it. */
export async function linkedCategory(
  context: GraphqlContext,
  id: number | null,
): Promise<CategoryRecord | null> {
  return id !== null && allows(categoryPolicy.read, context.actor)
    ? categoryLoader(context).load(id)
    : null;
}
