import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import { Refused } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import { grantsOf } from '../groups/directory.service';
import type { DirectoryService } from '../groups/directory.service';
import { requireMayHandle } from '../groups/group.policy';
import type { UserRecord } from './user.model';

/** Rules about users that depend on their groups: nobody gets at rights through somebody else, and somebody administers. */
export function createUserRights({ users, directory }: { users: Model<UserRecord>; directory: DirectoryService }) {
  /**
   * Notes that somebody comes to or goes from a group, and asks for the rights to do that.
   * @throws Forbidden the group holds more than the actor
   */
  const passDoorOf = async (actor: Actor, groupId: number, tx: Tx): Promise<boolean> => {
    const group = await directory.noteMember(groupId, tx);
    if (!group) return false;
    requireMayHandle(actor, { name: group.name, grants: grantsOf(group.components, directory.current().components) });
    return true;
  };

  /** The rights of somebody's group must not be more than the actor's, or his account would be the way to them. */
  const requireMayTakeOver = (actor: Actor, record: UserRecord): void => {
    const group = directory.group(record.groupId);
    if (record._id !== actor.userId && group) requireMayHandle(actor, group);
  };

  /** Called after `passDoorOf` of the group that is left, so that two who leave at once meet there. */
  const requireAdministratorLeft = async (leaving: readonly UserRecord[], tx: Tx): Promise<void> => {
    const group = [...directory.current().groups.values()].find(({ name }) => name === ADMIN_GROUP);
    if (!group || !leaving.some(({ groupId }) => groupId === group.id)) return;
    const left = await users.find({ groupId: group.id, _id: { $nin: leaving.map(({ _id }) => _id) } }, { _id: 1 }, { session: tx.session }).limit(1).lean();
    if (left.length === 0) throw new Refused('LAST_ADMINISTRATOR', 'The last administrator can be neither removed nor moved to another group.');
  };

  return { passDoorOf, requireMayTakeOver, requireAdministratorLeft };
}
