import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';
import type { GroupWriting } from './group-writing';
import type { GroupRecord } from './group.model';

/** What the permissions themselves ask of the groups that grant them, inside their own transactions. */
export function createGroupPermissions({ writing }: { writing: GroupWriting }) {
  const granting = (permission: string, tx: Tx): Promise<GroupRecord[]> =>
    writing.groups.find({ 'components.permissions': permission }, null, { session: tx.session }).sort({ _id: 1 }).lean<GroupRecord[]>();

  return {
    /** Name of a group that grants it. Null: none does. */
    async anyGranting(permission: string, tx: Tx): Promise<string | null> {
      return (await granting(permission, tx))[0]?.name ?? null;
    },

    /** Grants stay when the permission gets another name. Each group they stand in is a change of its own. */
    async renamePermission(actor: Actor, from: string, to: string, tx: Tx): Promise<void> {
      for (const group of await granting(from, tx)) {
        const components = group.components.map(({ componentId, permissions }) => ({ componentId, permissions: permissions.map((name) => (name === from ? to : name)) }));
        await writing.write(actor, 'group.components', group, { components }, tx);
      }
    },
  };
}
