import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import { BadInput, Conflict, NotFound, Refused } from '../../platform/errors/errors';
import type { Uploads } from '../../platform/files/uploads';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { readPermissions } from '../permissions/permission-catalogue.service';
import type { UserService } from '../users/user.service';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { buildGroup, grantsOf } from './directory.service';
import type { DirectoryService, Group } from './directory.service';
import type { ComponentGrant, GroupRecord } from './group.model';
import { requireMayHandle } from './group.policy';
import { requireGroupTexts, resolveGrants, SEEDED_GROUPS } from './group.rules';
import type { GrantInput } from './group.rules';

export type { Component, Group } from './directory.service';
export type { GrantInput } from './group.rules';

declare module '../../platform/context' {
  interface Services {
    groups: GroupService;
  }
}

export interface NewGroup {
  readonly name: string;
  readonly description?: string | null;
  readonly components?: readonly GrantInput[];
}

/** A change of a group: what is missing stays as it is. */
export type GroupChange = Partial<NewGroup>;

export interface GroupDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly directory: DirectoryService;
  readonly users: UserService;
  readonly uploads: Uploads;
}

/** Most groups one request deletes. */
const MOST_DELETED = 1_000;

export const groupNotFound = (id: number): NotFound => new NotFound('GROUP_NOT_FOUND', `There is no group ${id}.`, { path: ['id'] });

export type GroupService = ReturnType<typeof createGroupService>;

/** Groups, and what their members may do. Reads come from the directory, so nothing here waits for the store to answer them. */
export function createGroupService({ store, audit, directory, users, uploads }: GroupDependencies) {
  const { groups } = directory;

  const required = async (id: number, tx: Tx): Promise<GroupRecord> => {
    const record = await groups.findById(id, null, { session: tx.session }).lean<GroupRecord>();
    if (!record) throw groupNotFound(id);
    return record;
  };

  const rightsOf = (name: string, components: readonly ComponentGrant[]) => ({ name, grants: grantsOf(components, directory.current().components) });

  /** The permissions are read inside the transaction: one that is being deleted conflicts with this change. */
  const resolved = async (inputs: readonly GrantInput[], tx: Tx): Promise<ComponentGrant[]> => {
    const permissions = await readPermissions(store, tx);
    return resolveGrants(inputs, directory.current().components, new Set(permissions.map(({ name }) => name)));
  };

  const requireName = (before: GroupRecord, name: string): void => {
    if (!SEEDED_GROUPS.includes(before.name) || name === before.name) return;
    throw new Conflict('ROLE_PROTECTED', `The group ${before.name} keeps its name: the service knows it by it.`, { path: ['name'] });
  };

  /** Rights that Admin loses are rights that nobody can give back. */
  const requireAdminKeeps = (before: GroupRecord, components: readonly ComponentGrant[]): void => {
    if (before.name !== ADMIN_GROUP) return;
    const after = rightsOf(before.name, components).grants;
    const lost = [...rightsOf(before.name, before.components).grants].filter((grant) => !after.has(grant));
    if (lost.length > 0) throw new Conflict('ROLE_PROTECTED', `The group ${ADMIN_GROUP} keeps its rights: ${lost.slice(0, 5).join(', ')}.`, { path: ['components'] });
  };

  const write = async (actor: Actor, action: string, before: GroupRecord, set: Partial<GroupRecord>, tx: Tx): Promise<void> => {
    const fields = { ...set, version: before.version + 1 };
    await groups.updateOne({ _id: before._id }, { $set: fields }, { session: tx.session });
    await audit.record(actor, action, { type: 'UserGroup', id: before._id }, before, { ...before, ...fields }, tx);
  };

  const nameTaken = (name: string): Conflict => new Conflict('ROLE_ALREADY_EXIST', `There is a group called ${name} already.`, { path: ['name'] });

  const get = (id: number): Group => {
    const group = directory.group(id);
    if (!group) throw groupNotFound(id);
    return group;
  };

  return {
    /** Where icons are kept. */
    uploads,

    /** One page of groups. */
    async page(query: PageQuery): Promise<Page<Group>> {
      const { components, permissions } = directory.current();
      return (await pageOf<GroupRecord>(groups, query)).map((record) => buildGroup(record, components, permissions));
    },

    /** Everybody's group, by id. */
    list: (): readonly Group[] => [...directory.current().groups.values()],

    byId: (id: number): Group | null => directory.group(id),

    /** @throws NotFound GROUP_NOT_FOUND */
    get,

    exists: (name: string): boolean => [...directory.current().groups.values()].some((group) => fold(group.name) === fold(name)),

    /**
     * @throws BadInput  name blank or too long
     * @throws Conflict  ROLE_ALREADY_EXIST
     * @throws NotFound  WRONG_COMPONENT, PERMISSION_NOT_FOUND
     * @throws Forbidden the group would hold more than the actor
     */
    async create(actor: Actor, { name, description = null, components = [] }: NewGroup): Promise<Group> {
      requireGroupTexts({ name, description });
      const id = await store.nextId('groups');
      try {
        await directory.change(async (tx) => {
          const granted = await resolved(components, tx);
          requireMayHandle(actor, rightsOf(name.trim(), granted));
          const record: GroupRecord = { _id: id, name: name.trim(), nameKey: fold(name), description, icon: null, components: granted, memberChanges: 0, version: 1 };
          await groups.create([record], { session: tx.session });
          await audit.record(actor, 'group.create', { type: 'UserGroup', id }, null, record, tx);
        });
      } catch (error) {
        throw isDuplicateKey(error) ? nameTaken(name.trim()) : error;
      }
      return get(id);
    },

    /**
     * Changes name, description and, when they are given, all components in one write.
     * @throws NotFound  GROUP_NOT_FOUND, WRONG_COMPONENT, PERMISSION_NOT_FOUND
     * @throws Conflict  ROLE_ALREADY_EXIST, or a newer version than expected
     * @throws Conflict  ROLE_PROTECTED Admin and User keep their names, Admin its rights
     * @throws Forbidden the group holds, or would hold, more than the actor
     */
    async update(actor: Actor, id: number, { name, description, components }: GroupChange, expectedVersion?: number): Promise<Group> {
      get(id);
      requireGroupTexts({ name, description });
      try {
        await directory.change(async (tx) => {
          const before = await required(id, tx);
          if (expectedVersion !== undefined && expectedVersion !== before.version) {
            throw new Conflict('CONFLICT', 'Somebody else changed this group since you read it.', { path: ['expectedVersion'] });
          }
          requireMayHandle(actor, rightsOf(before.name, before.components));
          if (name !== undefined) requireName(before, name.trim());
          const granted = components && (await resolved(components, tx));
          if (granted) {
            requireMayHandle(actor, rightsOf(before.name, granted));
            requireAdminKeeps(before, granted);
          }
          await write(actor, granted ? 'group.components' : 'group.update', before, {
            ...(name === undefined || name.trim() === before.name ? {} : { name: name.trim(), nameKey: fold(name) }),
            ...(description === undefined ? {} : { description }),
            ...(granted ? { components: granted } : {}),
          }, tx);
        });
      } catch (error) {
        throw isDuplicateKey(error) ? nameTaken(name?.trim() ?? '') : error;
      }
      return get(id);
    },

    /**
     * Sets or removes (null) the icon: the bytes of an image.
     * @throws NotFound GROUP_NOT_FOUND
     * @throws Refused  WRONG_FORMAT
     */
    async setIcon(actor: Actor, id: number, bytes: Buffer | null): Promise<Group> {
      requireMayHandle(actor, get(id));
      const icon = bytes && (await uploads.save(bytes));
      try {
        await directory.change(async (tx) => {
          const before = await required(id, tx);
          if (before.icon !== null) tx.afterCommit(() => uploads.remove(before.icon ?? '').catch(() => undefined));
          await write(actor, 'group.icon', before, { icon }, tx);
        });
      } catch (error) {
        if (icon !== null) await uploads.remove(icon);
        throw error;
      }
      return get(id);
    },

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
      const removed = unique.map(get);
      await directory.change(async (tx) => {
        for (const id of unique) {
          const before = await required(id, tx);
          if (SEEDED_GROUPS.includes(before.name)) throw new Conflict('ROLE_PROTECTED', `The group ${before.name} cannot be deleted.`);
          requireMayHandle(actor, rightsOf(before.name, before.components));
          const members = await users.countIn(id, tx);
          if (members > 0) throw new Refused('ROLE_IN_USE', `The group ${before.name} has ${members} members.`);
          await groups.deleteOne({ _id: id }, { session: tx.session });
          await audit.record(actor, 'group.delete', { type: 'UserGroup', id }, before, null, tx);
          if (before.icon !== null) tx.afterCommit(() => uploads.remove(before.icon ?? '').catch(() => undefined));
        }
      });
      return removed;
    },
  };
}
