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

/** Is somebody still there, and in a group that allows this now? For work that goes on after what asked for it was answered. */
export const createMayStill =
  ({ users, directory }: MayStillDependencies) =>
  async (actor: Actor, needs: Need): Promise<boolean> => {
    // From the service itself nobody takes anything.
    if (!isUser(actor)) return true;
    const user = await users.identity(actor.userId);
    const group = user && (await directory.fresh()).groups.get(user.groupId);
    return (
      group != null &&
      allows(needs, { ...actor, groupId: group.id, groupName: group.name, grants: group.grants })
    );
  };
