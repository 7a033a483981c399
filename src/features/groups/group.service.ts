import type { Uploads } from '../../platform/files/uploads';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { UserService } from '../users/user.service';
import type { DirectoryService } from './directory.service';
import { createGroupDeletion } from './group-deletion';
import { createGroupIcons } from './group-icon';
import { createGroupReads } from './group-reads';
import { createGroupSaving } from './group-saving';
import { createGroupWriting } from './group-writing';
import type { Actor } from '../../platform/access/actor';
import type { GroupWriting } from './group-writing';
import type { GroupRecord } from './group.model';

/** What the permissions themselves ask of the groups that grant them, inside their own transactions. */
function createGroupPermissions({ writing }: { writing: GroupWriting }) {
  const granting = (permission: string, tx: Tx): Promise<GroupRecord[]> =>
    writing.groups
      .find({ 'components.permissions': permission }, null, { session: tx.session })
      .sort({ _id: 1 })
      .lean<GroupRecord[]>();

  return {
    /** Name of a group that grants it. Null: none does. */
    async anyGranting(permission: string, tx: Tx): Promise<string | null> {
      return (await granting(permission, tx))[0]?.name ?? null;
    },

    /** Grants stay when the permission gets another name. Each group they stand in is a change of its own. */
    async renamePermission(actor: Actor, from: string, to: string, tx: Tx): Promise<void> {
      for (const group of await granting(from, tx)) {
        const components = group.components.map(({ componentId, permissions }) => ({
          componentId,
          permissions: permissions.map((name) => (name === from ? to : name)),
        }));
        await writing.write(actor, 'group.components', group, { components }, tx);
      }
    },
  };
}

export type { Component, Group } from './directory.service';
export type { GroupChange, NewGroup } from './group-saving';
export type { GrantInput } from './group.rules';

declare module '../../platform/context' {
  interface Services {
    groups: GroupService;
  }
}

export interface GroupDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly directory: DirectoryService;
  readonly users: UserService;
  readonly uploads: Uploads;
}

export type GroupService = ReturnType<typeof createGroupService>;

/** Groups, and what their members may do. One file for each use case. */
export function createGroupService({ store, audit, directory, users, uploads }: GroupDependencies) {
  const reads = createGroupReads({ store, directory });
  const writing = createGroupWriting({ store, audit, directory });
  return {
    /** Where icons are kept. */
    uploads,
    ...reads,
    ...createGroupSaving({ store, audit, reads, writing }),
    ...createGroupIcons({ directory, uploads, reads, writing }),
    ...createGroupDeletion({ audit, directory, users, uploads, reads, writing }),
    ...createGroupPermissions({ writing }),
  };
}
