import type { Actor } from '../../platform/access/actor';
import { Conflict, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { UserService } from '../users/user.service';
import type { DirectoryService, Group } from './directory.service';
import type { GroupReads } from './group-reads';
import type { GroupWriting } from './group-writing';
import { requireMayHandle } from './group.policy';
import { SEEDED_GROUPS } from './group.rules';

export interface GroupDeletionDependencies {
  readonly audit: AuditService;
  readonly directory: DirectoryService;
  readonly users: UserService;
  readonly uploads: Uploads;
  readonly reads: GroupReads;
  readonly writing: GroupWriting;
}

export function createGroupDeletion({
  audit,
  directory,
  users,
  uploads,
  reads,
  writing,
}: GroupDeletionDependencies) {
  const removeOne = async (
    actor: Actor,
    id: number,
    path: InputPath,
    expected: ExpectedVersion,
    tx: Tx,
  ): Promise<void> => {
    const before = await writing.get(id, tx, path);
    if (SEEDED_GROUPS.includes(before.name))
      throw new Conflict('ROLE_PROTECTED', `The group ${before.name} cannot be deleted.`, { path });
    requireMayHandle(actor, writing.rightsOf(before));
    const found = new Findings();
    found.ofSync(() => requireVersion('group', before, expected));
    const members = await users.countIn(id, tx);
    if (members > 0)
      found.add(
        new Refused('ROLE_IN_USE', `The group ${before.name} has ${members} members.`, { path }),
      );
    found.refuse();
    await writing.groups.deleteOne({ _id: id }, { session: tx.session });
    await audit.record(actor, 'group.delete', { type: 'UserGroup', id }, before, null, tx);
    tx.afterCommit(() => uploads.discard(before.icon));
  };

  return {
    /**
     * Deletes a group. Returns it as it was.
     * @throws NotFound GROUP_NOT_FOUND
     * @throws Refused ROLE_IN_USE if it has users
     * @throws Conflict ROLE_PROTECTED for Admin and User; CONFLICT if the version is not the
     * expected one
     * @throws Forbidden if it has rights that the actor lacks
     */
    async remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<Group> {
      const removed = reads.get(id);
      await directory.change((tx) => removeOne(actor, id, THE_ID(id), expectedVersion, tx));
      return removed;
    },

    /**
     * Deletes all given groups or none. Returns them as they were.
     * @throws BadInput if there are too many
     * @throws NotFound GROUP_NOT_FOUND if one is unknown
     * @throws Refused ROLE_IN_USE if one has users
     * @throws Conflict ROLE_PROTECTED for Admin and User
     * @throws Forbidden if one has rights that the actor lacks
     */
    async removeAll(actor: Actor, ids: readonly number[]): Promise<Group[]> {
      const [unique, place] = [eachOnce(ids, 'groups'), placesIn(ids)];
      const removed = unique.map((id) => reads.byId(id));
      await directory.change(async (tx) => {
        const found = new Findings();
        for (const id of unique)
          await found.of(() => removeOne(actor, id, place(id), undefined, tx));
        found.refuse();
      });
      return removed.filter((group) => group !== null);
    },
  };
}
