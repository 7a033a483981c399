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

/** Group operations that permission changes need, inside their transactions. */
function createGroupPermissions({ writing }: { writing: GroupWriting }) {
  const granting = (permission: string, tx: Tx): Promise<GroupRecord[]> =>
    writing.groups
      .find({ 'components.permissions': permission }, null, { session: tx.session })
      .sort({ _id: 1 })
      .lean<GroupRecord[]>();

  return {
    /** Returns the name of a group that grants the permission, or null. */
    async anyGranting(permission: string, tx: Tx): Promise<string | null> {
      return (await granting(permission, tx))[0]?.name ?? null;
    },

    /** Renames a permission in all groups that grant it. Each group gets its own audit record. */
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

/** Groups and their permissions; each use case has its own file. */
export function createGroupService({ store, audit, directory, users, uploads }: GroupDependencies) {
  const reads = createGroupReads({ store, directory });
  const writing = createGroupWriting({ store, audit, directory });
  return {
    uploads,
    ...reads,
    ...createGroupSaving({ store, audit, reads, writing }),
    ...createGroupIcons({ directory, uploads, reads, writing }),
    ...createGroupDeletion({ audit, directory, users, uploads, reads, writing }),
    ...createGroupPermissions({ writing }),
  };
}
