import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import { Forbidden, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { DirectoryService } from '../groups/directory.service';
import { mayHandle, requireMayHandle } from '../groups/group.policy';
import type { UserRecord } from './user.model';

/** The fields of a user that decide who may manage them. */
export interface Managed {
  readonly id: number;
  readonly groupId: number;
}

export type UserRights = ReturnType<typeof createUserRights>;

/**
 * Group rules for users: prevents gaining rights through another account, and keeps at least one
 * administrator.
 */
export function createUserRights({
  users,
  directory,
}: {
  users: Model<UserRecord>;
  directory: DirectoryService;
}) {
  /**
   * Changing an account or ending its sessions gives access to its rights or blocks their use. So
   * the group of another user must not have rights that the actor lacks.
   */
  const mayManage = (actor: Actor, { id, groupId }: Managed): boolean => {
    const group = directory.group(groupId);
    return id === actor.userId || group === null || mayHandle(actor, group);
  };

  /**
   * Writing the group record makes concurrent removals conflict, so the second one is retried and
   * sees the first.
   */
  const requireAdministratorLeft = async (
    groupId: number,
    leaving: readonly UserRecord[],
    path: InputPath,
    tx: Tx,
  ): Promise<void> => {
    await directory.noteMember(groupId, tx);
    const left = await users
      .findOne(
        { groupId, _id: { $nin: leaving.map(({ _id }) => _id) } },
        { _id: 1 },
        { session: tx.session },
      )
      .lean();
    if (!left)
      throw new Refused(
        'LAST_ADMINISTRATOR',
        'The last administrator can be neither removed nor moved to another group.',
        { path },
      );
  };

  return {
    mayManage,

    /** @throws Forbidden if the user's group has rights that the actor lacks */
    requireMayManage: (actor: Actor, user: Managed): void => {
      if (!mayManage(actor, user))
        throw new Forbidden('This user has rights that you do not have.');
    },

    /**
     * Checks that the actor may add a user to the group, and makes a concurrent deletion of the
     * group conflict. Returns false if the group does not exist.
     * @throws Forbidden if the group has rights that the actor lacks
     */
    async join(actor: Actor, groupId: number, tx: Tx): Promise<boolean> {
      const group = await directory.rightsForMember(groupId, tx);
      if (group) requireMayHandle(actor, group);
      return group !== null;
    },

    /**
     * Checks that users may leave their groups. `place` returns the input path of a user.
     * @throws Forbidden if one of the groups, even the actor's own, has rights that the actor lacks
     * @throws Refused LAST_ADMINISTRATOR
     */
    async leave(
      actor: Actor,
      leaving: readonly UserRecord[],
      place: (userId: number) => InputPath,
      tx: Tx,
    ): Promise<void> {
      for (const groupId of new Set(leaving.map((record) => record.groupId))) {
        const group = await directory.rightsOf(groupId, tx);
        if (group) requireMayHandle(actor, group);
        if (group?.name === ADMIN_GROUP)
          await requireAdministratorLeft(
            groupId,
            leaving,
            place(leaving.find((record) => record.groupId === groupId)?._id ?? 0),
            tx,
          );
      }
    },
  };
}
