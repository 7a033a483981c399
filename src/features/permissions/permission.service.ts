import type { Actor } from '../../platform/access/actor';
import { ACTIONS } from '../../platform/access/catalogue';
import { NotFound, Refused } from '../../platform/errors/errors';
import type { ErrorCode } from '../../platform/errors/codes';
import { isDuplicateKey } from '../../platform/store/store';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import type { Store, Tx } from '../../platform/store/store';
import { characters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import type { GroupRecord } from '../groups/group.model';
import type { Permission } from './permission-catalogue.service';
import { permissionModel } from './permission-catalogue.service';
import type { PermissionRecord } from './permission.model';

export type { Permission } from './permission-catalogue.service';

declare module '../../platform/context' {
  interface Services {
    permissions: PermissionService;
  }
}

export interface PermissionTexts {
  readonly name: string;
  readonly description?: string | null;
}

export const PERMISSION_LENGTHS = { name: 45, description: 255 } as const;

/** A grant is written `COMPONENT:PERMISSION`, so the name holds neither the colon nor what cannot be seen. */
const isName = (name: string): boolean => isVisible(name) && !name.includes(':');

const present = ({ _id, name, description }: PermissionRecord): Permission => ({ id: _id, name, description });
const isSeeded = (name: string): boolean => (ACTIONS as readonly string[]).includes(name);

export type PermissionService = ReturnType<typeof createPermissionService>;

/** The names that groups can grant. The four of the service itself stay; an installation may add its own. */
export function createPermissionService({ store, audit, directory }: { store: Store; audit: AuditService; directory: DirectoryService }) {
  const permissions = permissionModel(store);

  const requireTexts = ({ name, description }: PermissionTexts, code: ErrorCode): void => {
    const trimmed = name.trim();
    if (trimmed === '') throw new Refused(code, 'The name is blank.', { path: ['name'] });
    if (characters(trimmed) > PERMISSION_LENGTHS.name || !isName(trimmed)) {
      throw new Refused(code, `The name may have ${PERMISSION_LENGTHS.name} visible characters and no colon.`, { path: ['name'] });
    }
    if (characters(description ?? '') > PERMISSION_LENGTHS.description) {
      throw new Refused(code, `The description may have ${PERMISSION_LENGTHS.description} characters.`, { path: ['description'] });
    }
  };

  const granting = (name: string, tx: Tx): Promise<GroupRecord[]> =>
    directory.groups.find({ 'components.permissions': name }, null, { session: tx.session }).lean<GroupRecord[]>();

  /** A renamed permission keeps its grants: they move to the new name in the same transaction. Each group they stand in is a change of its own. */
  const renameGrants = async (actor: Actor, from: string, to: string, tx: Tx): Promise<void> => {
    for (const group of await granting(from, tx)) {
      const components = group.components.map(({ componentId, permissions: names }) =>
        ({ componentId, permissions: names.map((name) => (name === from ? to : name)) }));
      const fields = { components, version: group.version + 1 };
      await directory.groups.updateOne({ _id: group._id }, { $set: fields }, { session: tx.session });
      await audit.record(actor, 'group.components', { type: 'UserGroup', id: group._id }, group, { ...group, ...fields }, tx);
    }
  };

  return {
    /** One page of permissions. */
    async page(query: PageQuery): Promise<Page<Permission>> {
      return (await pageOf<PermissionRecord>(permissions, query)).map(present);
    },

    /** Every permission, by id. */
    list: (): readonly Permission[] => [...directory.current().permissions.values()],

    byId: (id: number): Permission | null => [...directory.current().permissions.values()].find((permission) => permission.id === id) ?? null,

    /** @throws Refused WRONG_PERMISSION blank or taken name */
    async create(actor: Actor, { name, description = null }: PermissionTexts): Promise<Permission> {
      requireTexts({ name, description }, 'WRONG_PERMISSION');
      const record: PermissionRecord = { _id: await store.nextId('permissions'), name: name.trim(), nameKey: fold(name), description };
      try {
        await directory.change(async (tx) => {
          await permissions.create([record], { session: tx.session });
          await audit.record(actor, 'permission.create', { type: 'Permission', id: record._id }, null, record, tx);
        });
      } catch (error) {
        throw isDuplicateKey(error) ? new Refused('WRONG_PERMISSION', `There is a permission called ${record.name} already.`, { path: ['name'] }) : error;
      }
      return present(record);
    },

    /**
     * Changes name and description. Groups that grant the permission grant it under its new name.
     * @throws Refused CHANGE_DENIED unknown, name blank or taken, or one of the four of the service would get another name
     */
    async update(actor: Actor, id: number, { name, description }: PermissionTexts): Promise<Permission> {
      requireTexts({ name, description }, 'CHANGE_DENIED');
      try {
        return await directory.change(async (tx) => {
          const before = await permissions.findById(id, null, { session: tx.session }).lean<PermissionRecord>();
          if (!before) throw new Refused('CHANGE_DENIED', `There is no permission ${id}.`, { path: ['id'] });
          const nameKey = name.trim() === before.name ? before.nameKey : fold(name);
          const after: PermissionRecord = { _id: id, name: name.trim(), nameKey, description: description === undefined ? before.description : description };
          if (isSeeded(before.name) && after.name !== before.name) {
            throw new Refused('CHANGE_DENIED', `The permission ${before.name} keeps its name: access control is built on it.`, { path: ['name'] });
          }
          await permissions.updateOne({ _id: id }, { $set: { name: after.name, nameKey: after.nameKey, description: after.description } }, { session: tx.session });
          if (after.name !== before.name) await renameGrants(actor, before.name, after.name, tx);
          await audit.record(actor, 'permission.update', { type: 'Permission', id }, before, after, tx);
          return present(after);
        });
      } catch (error) {
        throw isDuplicateKey(error) ? new Refused('CHANGE_DENIED', `There is a permission called ${name.trim()} already.`, { path: ['name'] }) : error;
      }
    },

    /**
     * @throws NotFound PERMISSION_NOT_FOUND
     * @throws Refused  USERGROUP_NOT_DELETED a group grants it, or it is one of the four of the service
     */
    async remove(actor: Actor, id: number): Promise<Permission> {
      return directory.change(async (tx) => {
        const before = await permissions.findById(id, null, { session: tx.session }).lean<PermissionRecord>();
        if (!before) throw new NotFound('PERMISSION_NOT_FOUND', `There is no permission ${id}.`, { path: ['id'] });
        const [group] = await granting(before.name, tx);
        if (group) throw new Refused('USERGROUP_NOT_DELETED', `The permission ${before.name} is linked to the group ${group.name}.`);
        if (isSeeded(before.name)) throw new Refused('USERGROUP_NOT_DELETED', `The permission ${before.name} stays: access control is built on it.`);
        await permissions.deleteOne({ _id: id }, { session: tx.session });
        await audit.record(actor, 'permission.delete', { type: 'Permission', id }, before, null, tx);
        return present(before);
      });
    },
  };
}
