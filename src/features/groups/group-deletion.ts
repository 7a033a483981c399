import type { Actor } from '../../platform/access/actor';
import { BadInput, Conflict, Refused } from '../../platform/errors/errors';
import type { Uploads } from '../../platform/files/uploads';
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

/** Most groups one request deletes. */
const MOST_DELETED = 1_000;

/** Deleting groups. */
export function createGroupDeletion({ audit, directory, users, uploads, reads, writing }: GroupDeletionDependencies) {
  const removeOne = async (actor: Actor, id: number, tx: Tx): Promise<void> => {
    const before = await writing.get(id, tx);
    if (SEEDED_GROUPS.includes(before.name)) throw new Conflict('ROLE_PROTECTED', `The group ${before.name} cannot be deleted.`);
    requireMayHandle(actor, writing.rightsOf(before));
    const members = await users.countIn(id, tx);
    if (members > 0) throw new Refused('ROLE_IN_USE', `The group ${before.name} has ${members} members.`);
    await writing.groups.deleteOne({ _id: id }, { session: tx.session });
    await audit.record(actor, 'group.delete', { type: 'UserGroup', id }, before, null, tx);
    tx.afterCommit(() => uploads.discard(before.icon));
  };

  return {
    /**
     * Deletes groups, all or none.
     * @throws NotFound  GROUP_NOT_FOUND one of them is unknown
     * @throws Refused   ROLE_IN_USE users hold it
     * @throws Conflict  ROLE_PROTECTED Admin and User stay
     * @throws Forbidden one of them holds more than the actor
     */
    async remove(actor: Actor, ids: readonly number[]): Promise<Group[]> {
      if (ids.length > MOST_DELETED) throw new BadInput('BAD_REQUEST', `At most ${MOST_DELETED} groups at once.`);
      const unique = [...new Set(ids)];
      const removed = unique.map((id) => reads.get(id));
      await directory.change(async (tx) => {
        for (const id of unique) await removeOne(actor, id, tx);
      });
      return removed;
    },
  };
}
