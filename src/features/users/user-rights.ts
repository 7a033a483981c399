import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import { Forbidden, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { DirectoryService } from '../groups/directory.service';
import { mayHandle, requireMayHandle } from '../groups/group.policy';
import type { UserRecord } from './user.model';

/** Of a user, what decides who may manage him. */
export interface Managed {
  readonly id: number;
  readonly groupId: number;
}

export type UserRights = ReturnType<typeof createUserRights>;

/** Rules about users that depend on their groups: nobody gets at rights through somebody else, and somebody administers. */
export function createUserRights({
  users,
  directory,
}: {
  users: Model<UserRecord>;
  directory: DirectoryService;
}) {
  /**
   * Whoever can change somebody's account, or end his sessions, has a way to his rights or keeps him from using them. So the group of
   * somebody else must not hold more than the actor's own.
   */
  const mayManage = (actor: Actor, { id, groupId }: Managed): boolean => {
    const group = directory.group(groupId);
    return id === actor.userId || group === null || mayHandle(actor, group);
  };

  /** Two who leave at once meet in the record of the group: one of them starts again and finds the other gone. */
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

    /** @throws Forbidden the user's group holds more than the actor */
    requireMayManage: (actor: Actor, user: Managed): void => {
      if (!mayManage(actor, user))
        throw new Forbidden('This user has rights that you do not have.');
    },

    /**
     * Puts somebody into a group. False: there is no such group.
     * @throws Forbidden the group holds more than the actor
     */
    async join(actor: Actor, groupId: number, tx: Tx): Promise<boolean> {
      const group = await directory.rightsForMember(groupId, tx);
      if (group) requireMayHandle(actor, group);
      return group !== null;
    },

    /**
     * Takes users out of their groups. `place` says where the input names somebody.
     * @throws Forbidden one of the groups holds more than the actor, whose own it may be
     * @throws Refused   LAST_ADMINISTRATOR
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
