import type { Actor } from '../../platform/access/actor';
import { Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import { changeRecord, isTaken } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { uniquely } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditAction } from '../audit/audit.actions';
import type { AuditService } from '../audit/audit.service';
import { readPermissions } from '../permissions/permission-catalogue.service';
import { grantsOf } from './directory.service';
import type { DirectoryService } from './directory.service';
import { groupModel } from './group.model';
import type { ComponentGrant, GroupRecord } from './group.model';
import type { Rights } from './group.policy';
import { resolveGrants } from './group.rules';
import type { GrantInput } from './group.rules';

export interface GroupWritingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly directory: DirectoryService;
}

export const groupNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('GROUP_NOT_FOUND', `There is no group ${id}.`, { path });

const nameTaken = (name: string): Conflict =>
  new Conflict('ROLE_ALREADY_EXIST', `There is a group called ${name} already.`, {
    path: ['name'],
  });

export type GroupWriting = ReturnType<typeof createGroupWriting>;

export function createGroupWriting({ store, audit, directory }: GroupWritingDependencies) {
  const groups = groupModel(store);
  return {
    groups,

    /** @throws NotFound GROUP_NOT_FOUND */
    async get(id: number, tx: Tx, path?: InputPath): Promise<GroupRecord> {
      const record = await groups.findById(id, null, { session: tx.session }).lean<GroupRecord>();
      if (!record) throw groupNotFound(id, path);
      return record;
    },

    rightsOf: ({ name, components }: Pick<GroupRecord, 'name' | 'components'>): Rights => ({
      name,
      grants: grantsOf(components, directory.current().components),
    }),

    /**
     * Returns the permissions as stored. They are read inside the transaction, so that a concurrent
     * deletion of one conflicts.
     * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND
     */
    async resolved(inputs: readonly GrantInput[], tx: Tx): Promise<ComponentGrant[]> {
      const permissions = await readPermissions(store, tx);
      return resolveGrants(
        inputs,
        directory.current().components,
        new Set(permissions.map(({ name }) => name)),
      );
    },

    async noteTaken(name: string, id: number | null, found: Findings, tx: Tx): Promise<void> {
      if (await isTaken(groups, { nameKey: fold(name) }, id, tx)) found.add(nameTaken(name));
    },

    async write(
      actor: Actor,
      action: AuditAction,
      before: GroupRecord,
      set: Partial<Omit<GroupRecord, '_id'>>,
      tx: Tx,
    ): Promise<void> {
      const after = await changeRecord(
        groups,
        before._id,
        { ...set, version: before.version + 1 },
        tx,
      );
      await audit.record(actor, action, { type: 'UserGroup', id: before._id }, before, after, tx);
    },

    /**
     * Runs a directory change that may give a group the name `name`.
     * @throws Conflict ROLE_ALREADY_EXIST
     */
    change: (name: string, work: (tx: Tx) => Promise<void>): Promise<void> =>
      uniquely(
        () => directory.change(work),
        () => nameTaken(name),
      ),
  };
}
