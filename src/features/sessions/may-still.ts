import { isUser } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Need } from '../../platform/access/need';
import type { DirectoryService } from '../groups/directory.service';
import type { UserService } from '../users/user.service';

export interface MayStillDependencies {
  readonly users: Pick<UserService, 'identity'>;
  readonly directory: Pick<DirectoryService, 'fresh'>;
}

/**
 * Rechecks a permission for work that continues after its request: returns false if the user was
 * deleted or their group no longer allows it.
 */
export const createMayStill =
  ({ users, directory }: MayStillDependencies) =>
  async (actor: Actor, needs: Need): Promise<boolean> => {
    // The service itself always keeps its permissions.
    if (!isUser(actor)) return true;
    const user = await users.identity(actor.userId);
    const group = user && (await directory.fresh()).groups.get(user.groupId);
    return (
      group != null &&
      allows(needs, { ...actor, groupId: group.id, groupName: group.name, grants: group.grants })
    );
  };
