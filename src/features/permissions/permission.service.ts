import type { Actor } from '../../platform/access/actor';
import { ACTIONS } from '../../platform/access/catalogue';
import { NotFound, Refused } from '../../platform/errors/errors';
import type { ErrorCode } from '../../platform/errors/codes';
import { Findings } from '../../platform/errors/findings';
import { changeRecord, insertRecord, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { uniquely } from '../../platform/store/store';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import type { Store, Tx } from '../../platform/store/store';
import { hasMoreCharacters, isVisible, textProblems } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import type { GroupService } from '../groups/group.service';
import { presentPermission } from './permission-catalogue.service';
import type { Permission } from './permission-catalogue.service';
import { permissionModel } from './permission.model';
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

/**
 * A grant is written `COMPONENT:PERMISSION`, so names cannot contain colons or invisible
 * characters.
 */
const isName = (name: string): boolean => isVisible(name) && !name.includes(':');

const namesWrong = (refusals: readonly Refused[]): boolean =>
  refusals.some(({ reason }) => reason === 'NAME_INVALID');
const permissionNotFound = (id: number): NotFound =>
  new NotFound('PERMISSION_NOT_FOUND', `There is no permission ${id}.`, { path: ['id'] });
const isSeeded = (name: string): boolean => (ACTIONS as readonly string[]).includes(name);

export interface PermissionDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly directory: DirectoryService;
  readonly groups: GroupService;
}

export type PermissionService = ReturnType<typeof createPermissionService>;

/**
 * Permissions that groups can grant. The four built-in ones are fixed; installations can add
 * others.
 */
export function createPermissionService({
  store,
  audit,
  directory,
  groups,
}: PermissionDependencies) {
  const permissions = permissionModel(store);

  /**
   * Returns the problems of these texts. `code` is the error code of the released API for all of
   * them.
   */
  const textRefusals = ({ name, description }: PermissionTexts, code: ErrorCode): Refused[] => {
    const refused = (reason: ErrorCode, field: string, message: string): Refused =>
      new Refused(code, message, { path: [field], reason });
    const trimmed = name.trim();
    return [
      ...(trimmed === '' ? [refused('NAME_INVALID', 'name', 'The name is blank.')] : []),
      ...(trimmed !== '' &&
      (hasMoreCharacters(trimmed, PERMISSION_LENGTHS.name) || !isName(trimmed))
        ? [
            refused(
              'NAME_INVALID',
              'name',
              `The name may have ${PERMISSION_LENGTHS.name} visible characters and no colon.`,
            ),
          ]
        : []),
      ...textProblems(description, PERMISSION_LENGTHS.description, ['description']).map((problem) =>
        refused(problem.code, 'description', `The description does not fit. ${problem.message}`),
      ),
    ];
  };

  const nameTaken = (name: string, code: ErrorCode): Refused =>
    new Refused(code, `There is a permission called ${name.trim()} already.`, {
      path: ['name'],
      reason: 'PERMISSION_ALREADY_EXIST',
    });

  /** The unique index decides; this check allows all problems to be reported together. */
  const isTaken = async (name: string, id: number | null, { session }: Tx): Promise<boolean> =>
    (await permissions
      .exists({ nameKey: fold(name), ...(id === null ? {} : { _id: { $ne: id } }) })
      .session(session)) !== null;

  const byId = (id: number): Permission | null =>
    [...directory.current().permissions.values()].find((permission) => permission.id === id) ??
    null;

  return {
    async page(query: PageQuery): Promise<Page<Permission>> {
      return (await pageOf<PermissionRecord>(permissions, query)).map(presentPermission);
    },

    list: (): readonly Permission[] => [...directory.current().permissions.values()],

    byId,

    /** @throws NotFound PERMISSION_NOT_FOUND */
    get(id: number): Permission {
      const permission = byId(id);
      if (!permission) throw permissionNotFound(id);
      return permission;
    },

    /** @throws Refused WRONG_PERMISSION if the name is blank or taken */
    async create(actor: Actor, { name, description = null }: PermissionTexts): Promise<Permission> {
      const wrong = textRefusals({ name, description }, 'WRONG_PERMISSION');
      return uniquely(
        () =>
          directory.change(async (tx) => {
            const found = new Findings(wrong);
            if (!namesWrong(wrong) && (await isTaken(name, null, tx)))
              found.add(nameTaken(name, 'WRONG_PERMISSION'));
            found.refuse();
            const facts = {
              _id: await store.nextId('permissions', tx),
              name: name.trim(),
              nameKey: fold(name),
              description,
              version: 1,
            };
            const record = await insertRecord<PermissionRecord>(permissions, facts, tx);
            await audit.record(
              actor,
              'permission.create',
              { type: 'Permission', id: record._id },
              null,
              record,
              tx,
            );
            return presentPermission(record);
          }),
        () => nameTaken(name, 'WRONG_PERMISSION'),
      );
    },

    /**
     * Changes name and description. Groups that grant the permission grant it under its new name.
     * @throws Conflict CONFLICT if the version is not the expected one
     * @throws Refused CHANGE_DENIED if it is unknown, the name is blank or taken, or a built-in
     * permission would be renamed
     */
    async update(
      actor: Actor,
      id: number,
      { name, description }: PermissionTexts,
      expectedVersion?: ExpectedVersion,
    ): Promise<Permission> {
      const wrong = textRefusals({ name, description }, 'CHANGE_DENIED');
      return uniquely(
        () =>
          directory.change(async (tx) => {
            const found = new Findings(wrong);
            const record = await permissions
              .findById(id, null, { session: tx.session })
              .lean<PermissionRecord>();
            if (!record)
              found.add(
                new Refused('CHANGE_DENIED', `There is no permission ${id}.`, {
                  path: ['id'],
                  reason: 'PERMISSION_NOT_FOUND',
                }),
              );
            if (record) found.ofSync(() => requireVersion('permission', record, expectedVersion));
            if (
              record &&
              !namesWrong(wrong) &&
              isSeeded(record.name) &&
              name.trim() !== record.name
            ) {
              found.add(
                new Refused(
                  'CHANGE_DENIED',
                  `The permission ${record.name} keeps its name: access control is built on it.`,
                  { path: ['name'], reason: 'PERMISSION_PROTECTED' },
                ),
              );
            }
            if (!namesWrong(wrong) && name.trim() !== record?.name && (await isTaken(name, id, tx)))
              found.add(nameTaken(name, 'CHANGE_DENIED'));
            const before = found.passed(record);
            const set = {
              ...(name.trim() === before.name ? {} : { name: name.trim(), nameKey: fold(name) }),
              ...(description === undefined ? {} : { description }),
            };
            const after = await changeRecord(
              permissions,
              id,
              { ...set, version: before.version + 1 },
              tx,
            );
            if (after.name !== before.name)
              await groups.renamePermission(actor, before.name, after.name, tx);
            await audit.record(
              actor,
              'permission.update',
              { type: 'Permission', id },
              before,
              after,
              tx,
            );
            return presentPermission(after);
          }),
        () => nameTaken(name, 'CHANGE_DENIED'),
      );
    },

    /**
     * @throws NotFound PERMISSION_NOT_FOUND
     * @throws Conflict CONFLICT if the version is not the expected one
     * @throws Refused USERGROUP_NOT_DELETED if a group grants it or it is built in
     */
    async remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<Permission> {
      return directory.change(async (tx) => {
        const before = await permissions
          .findById(id, null, { session: tx.session })
          .lean<PermissionRecord>();
        if (!before) throw permissionNotFound(id);
        requireVersion('permission', before, expectedVersion);
        const group = await groups.anyGranting(before.name, tx);
        if (group !== null)
          throw new Refused(
            'USERGROUP_NOT_DELETED',
            `The permission ${before.name} is linked to the group ${group}.`,
            { path: ['id'] },
          );
        if (isSeeded(before.name)) {
          throw new Refused(
            'USERGROUP_NOT_DELETED',
            `The permission ${before.name} stays: access control is built on it.`,
            { path: ['id'], reason: 'PERMISSION_PROTECTED' },
          );
        }
        await permissions.deleteOne({ _id: id }, { session: tx.session });
        await audit.record(
          actor,
          'permission.delete',
          { type: 'Permission', id },
          before,
          null,
          tx,
        );
        return presentPermission(before);
      });
    },
  };
}
