import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import type { Need } from '../../platform/access/need';
import { Forbidden, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { DirectoryService } from '../groups/directory.service';
import { hasRightsOf, requireRightsOf } from '../groups/group.policy';
import type { UserRecords } from './user-records';
import type { User, UserRecord } from './user.model';

export const usersPolicy = {
  list: 'USER:READ',
  create: 'USER:CREATE',
  delete: 'USER:DELETE',
} as const satisfies Record<string, Need>;

/** Permissions for one user. The own profile requires the MYPROFILE permissions. */
export const userPolicy = {
  read: { own: 'MYPROFILE:READ', others: 'USER:READ' },
  /** E-mail, group and password at once, as administrators do. */
  update: 'USER:UPDATE',
  changePassword: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  removePassword: 'USER:UPDATE',
  changeDetail: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changePicture: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
  changeGroup: 'USER:UPDATE',
  disable: 'USER:UPDATE',
  /** Again, as long as they have not signed in. */
  invite: 'USER:UPDATE',
  delete: 'USER:DELETE',
} as const satisfies Record<string, Need>;

/** Permission to set a picture by e-mail. The service checks again once the user is found. */
export const pictureByEmailNeed = {
  any: ['MYPROFILE:UPDATE', 'USER:UPDATE'],
} as const satisfies Need;

declare module '../../platform/context' {
  interface Services {
    userPermissions: UserPermissions;
  }
}

/** Bus topic: a `UserAccessChanged` after e-mail, group, password or state of a user changed. */
export const USER_ACCESS_CHANGED = 'user.access-changed';

/** Cached rights of the user are outdated. */
export interface UserAccessChanged {
  readonly userId: number;
}

/**
 * Group rules for users: prevents gaining rights through another account, and keeps at least one
 * administrator who is not disabled.
 */
export class UserPermissions {
  constructor(
    private readonly users: UserRecords,
    private readonly directory: DirectoryService,
  ) {}

  /**
   * Changing an account or ending its sessions gives access to its rights or blocks their use. So
   * the group of another user must not have rights that the actor lacks.
   */
  canManage(actor: Actor, { id, groupId }: Pick<User, 'id' | 'groupId'>): boolean {
    const group = this.directory.group(groupId);
    return id === actor.userId || group === null || hasRightsOf(actor, group);
  }

  /** @throws Forbidden if the user's group has rights that the actor lacks */
  requireCanManage(actor: Actor, user: Pick<User, 'id' | 'groupId'>): void {
    if (!this.canManage(actor, user))
      throw new Forbidden('This user has rights that you do not have.');
  }

  /**
   * Checks that the actor may add a user to the group, and makes a concurrent deletion of the group
   * conflict. Returns false if the group does not exist.
   * @throws Forbidden if the group has rights that the actor lacks
   */
  async checkJoin(actor: Actor, groupId: number, tx: Tx): Promise<boolean> {
    const group = await this.directory.rightsForMember(groupId, tx);
    if (group) requireRightsOf(actor, group);
    return group !== null;
  }

  /**
   * Checks that users may leave their groups, or be disabled. `pathOf` returns the input path of a user.
   * @throws Forbidden if one of the groups, even the actor's own, has rights that the actor lacks
   * @throws Refused LAST_ADMINISTRATOR
   */
  async checkLeave(
    actor: Actor,
    leaving: readonly UserRecord[],
    pathOf: (userId: number) => InputPath,
    tx: Tx,
  ): Promise<void> {
    for (const groupId of new Set(leaving.map((record) => record.groupId))) {
      const group = await this.directory.rightsOf(groupId, tx);
      if (group) requireRightsOf(actor, group);
      if (group?.name !== ADMIN_GROUP) continue;
      const first = leaving.find((record) => record.groupId === groupId)?._id ?? 0;
      await this.requireAdministratorLeft(groupId, leaving, pathOf(first), tx);
    }
  }

  /** Makes concurrent removals conflict, so the second one is retried and sees the first. */
  private async requireAdministratorLeft(
    groupId: number,
    leaving: readonly UserRecord[],
    path: InputPath,
    tx: Tx,
  ): Promise<void> {
    await this.directory.countMembershipChange(groupId, tx);
    const others = { groupId, _id: { $nin: leaving.map(({ _id }) => _id) }, disabledAt: null };
    if (!(await this.users.collection.exists(others, tx)))
      throw new Refused(
        'LAST_ADMINISTRATOR',
        'The last administrator cannot be deleted, disabled or moved to another group.',
        { path },
      );
  }
}
