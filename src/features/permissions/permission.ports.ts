import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';
import type { Permission } from './permission-records.service';

/** The permissions in memory. All changes of them pass through here. */
export interface PermissionDirectory {
  current(): { readonly permissions: ReadonlyMap<unknown, Permission> };
  /** Runs a change in a transaction and loads the permissions again before it returns. */
  change<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
}

export interface GrantingGroups {
  /** Returns the groups that grant a permission, ordered by id. */
  findGranting(permission: string, tx: Tx): Promise<readonly { readonly name: string }[]>;
  /** Renames a permission in all groups that grant it. */
  renamePermission(actor: Actor, from: string, to: string, tx: Tx): Promise<void>;
}
