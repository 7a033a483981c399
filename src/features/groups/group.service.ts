import type { Uploads } from '../../platform/files/uploads';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { UserService } from '../users/user.service';
import type { DirectoryService } from './directory.service';
import { createGroupDeletion } from './group-deletion';
import { createGroupIcons } from './group-icon';
import { createGroupPermissions } from './group-permissions';
import { createGroupReads } from './group-reads';
import { createGroupSaving } from './group-saving';
import { createGroupWriting } from './group-writing';

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
