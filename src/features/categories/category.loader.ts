import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { CategoryRecord } from './category.model';
import { categoryPolicy } from './category.policy';

/** Categories by id, read together with all others the request asks for. */
export function categoryLoader(context: GraphqlContext) {
  return context.loader<number, CategoryRecord>('categories', (ids) =>
    context.services.categories.byIds(ids),
  );
}

/** The category behind a link; null when there is none, when it is deleted, and when the signed-in user may not read it. */
export async function linkedCategory(
  context: GraphqlContext,
  id: number | null,
): Promise<CategoryRecord | null> {
  return id !== null && allows(categoryPolicy.read, context.actor)
    ? categoryLoader(context).load(id)
    : null;
}
