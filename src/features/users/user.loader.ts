import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { userPolicy } from './user.policy';
import type { User } from './user.service';

export function userLoader(context: GraphqlContext) {
  return context.loader<number, User>('users', (ids) => context.services.users.byIds(ids));
}

/**
 * Returns the linked user; null if deleted, if not readable for the actor, and for 0, the service
 * itself.
 */
export async function linkedUser(context: GraphqlContext, id: number): Promise<User | null> {
  return id !== 0 && allows(userPolicy.read, context.actor, id)
    ? userLoader(context).load(id)
    : null;
}
