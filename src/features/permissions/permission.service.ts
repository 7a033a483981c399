import type { Actor } from '../../platform/access/actor';
import { ACTIONS } from '../../platform/access/catalogue';
import type { ErrorCode } from '../../platform/errors/codes';
import { NotFound, Refused } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { isTaken, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { uniquely } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { textProblems } from '../../platform/errors/text-problems';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { permissionCollection, presentPermission } from './permission-records.service';
import type { Permission, PermissionRecord } from './permission-records.service';
import type { GrantingGroups, PermissionDirectory } from './permission.ports';

export type { Permission } from './permission-records.service';

declare module '../../platform/context' {
  interface Services {
    permissions: PermissionService;
  }
}

interface PermissionTexts {
  readonly name: string;
  readonly description?: string | null;
}

const MAX_LENGTHS = { name: 45, description: 255 } as const;

const permissionNotFound = (id: number): NotFound =>
  new NotFound('PERMISSION_NOT_FOUND', `There is no permission ${id}.`, { path: ['id'] });
const isSeeded = (name: string): boolean => (ACTIONS as readonly string[]).includes(name);

function nameProblem(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === '') return 'The name is blank.';
  // A grant is written `COMPONENT:PERMISSION`.
  return hasMoreCharacters(trimmed, MAX_LENGTHS.name) ||
    !isVisible(trimmed) ||
    trimmed.includes(':')
    ? `The name may have ${MAX_LENGTHS.name} visible characters and no colon.`
    : null;
}

/** An input of a change. The released API has one error code for all its problems. */
class PermissionInput {
  readonly name: string;
  readonly nameKey: string;
  readonly isNameValid: boolean;
  readonly errors: readonly Refused[];

  constructor(
    { name, description }: PermissionTexts,
    private readonly code: 'WRONG_PERMISSION' | 'CHANGE_DENIED',
  ) {
    this.name = name.trim();
    this.nameKey = fold(name);
    const problem = nameProblem(name);
    this.isNameValid = problem === null;
    this.errors = [
      ...(problem === null ? [] : [this.error('NAME_INVALID', 'name', problem)]),
      ...textProblems(description, MAX_LENGTHS.description, []).map(({ code: reason, message }) =>
        this.error(reason, 'description', `The description is invalid. ${message}`),
      ),
    ];
  }

  error(reason: ErrorCode, field: string, message: string): Refused {
    return new Refused(this.code, message, { path: [field], reason });
  }

  nameTaken(): Refused {
    const message = `There is already a permission called ${this.name}.`;
    return this.error('PERMISSION_ALREADY_EXIST', 'name', message);
  }
}

/**
 * Permissions that groups can grant. The four built-in ones are fixed; installations can add
 * others.
 */
export class PermissionService {
  private readonly permissions;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly audit: AuditService;
      readonly directory: PermissionDirectory;
      readonly groups: GrantingGroups;
    },
  ) {
    this.permissions = permissionCollection(deps.store);
  }

  async page(query: PageQuery): Promise<Page<Permission>> {
    return (await pageOf<PermissionRecord>(this.permissions, query)).map(presentPermission);
  }

  list(): readonly Permission[] {
    return [...this.deps.directory.current().permissions.values()];
  }

  byId(id: number): Permission | null {
    return this.list().find((permission) => permission.id === id) ?? null;
  }

  /** @throws NotFound PERMISSION_NOT_FOUND */
  get(id: number): Permission {
    const permission = this.byId(id);
    if (!permission) throw permissionNotFound(id);
    return permission;
  }

  /** @throws Refused WRONG_PERMISSION if the name is invalid or taken */
  async create(actor: Actor, texts: PermissionTexts): Promise<Permission> {
    const input = new PermissionInput(texts, 'WRONG_PERMISSION');
    return this.change(input, async (tx) => {
      const findings = new Findings(input.errors);
      await this.checkNameFree(input, null, findings, tx);
      findings.refuse();
      const fields = {
        _id: await this.deps.store.nextId('permissions', tx),
        name: input.name,
        nameKey: input.nameKey,
        description: texts.description ?? null,
        version: 1,
      };
      const record = await this.permissions.insert(fields, tx);
      const target = { type: 'Permission', id: record._id } as const;
      await this.deps.audit.record(actor, 'permission.create', target, null, record, tx);
      return presentPermission(record);
    });
  }

  /**
   * Changes name and description. Groups that grant the permission grant it under its new name.
   * @throws Conflict CONFLICT if the version is not the expected one
   * @throws Refused CHANGE_DENIED if it is unknown, the name is invalid or taken, or a built-in
   * permission would be renamed
   */
  async update(
    actor: Actor,
    id: number,
    texts: PermissionTexts,
    expectedVersion?: ExpectedVersion,
  ): Promise<Permission> {
    const input = new PermissionInput(texts, 'CHANGE_DENIED');
    return this.change(input, async (tx) => {
      const before = await this.checkUpdate(id, input, expectedVersion, tx);
      const { name, nameKey } = input;
      const set = {
        ...(name === before.name ? {} : { name, nameKey }),
        ...(texts.description === undefined ? {} : { description: texts.description }),
        version: before.version + 1,
      };
      const after = await this.permissions.change(id, set, tx);
      if (after.name !== before.name)
        await this.deps.groups.renamePermission(actor, before.name, after.name, tx);
      const target = { type: 'Permission', id } as const;
      await this.deps.audit.record(actor, 'permission.update', target, before, after, tx);
      return presentPermission(after);
    });
  }

  /**
   * Deletes a permission. Returns it as it was.
   * @throws NotFound PERMISSION_NOT_FOUND
   * @throws Conflict CONFLICT if the version is not the expected one
   * @throws Refused USERGROUP_NOT_DELETED if a group grants it or it is built in
   */
  async remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<Permission> {
    const { audit, directory, groups } = this.deps;
    return directory.change(async (tx) => {
      const before = await this.find(id, tx);
      if (!before) throw permissionNotFound(id);
      requireVersion('permission', before, expectedVersion);
      const [group] = await groups.findGranting(before.name, tx);
      if (group)
        throw new Refused(
          'USERGROUP_NOT_DELETED',
          `The group ${group.name} grants the permission ${before.name}.`,
          { path: ['id'] },
        );
      if (isSeeded(before.name))
        throw new Refused(
          'USERGROUP_NOT_DELETED',
          `The built-in permission ${before.name} cannot be deleted.`,
          { path: ['id'], reason: 'PERMISSION_PROTECTED' },
        );
      await this.permissions.deleteOne({ _id: id }, tx);
      const target = { type: 'Permission', id } as const;
      await audit.record(actor, 'permission.delete', target, before, null, tx);
      return presentPermission(before);
    });
  }

  /** Returns the record if the change is valid. */
  private async checkUpdate(
    id: number,
    input: PermissionInput,
    expectedVersion: ExpectedVersion,
    tx: Tx,
  ): Promise<PermissionRecord> {
    const findings = new Findings(input.errors);
    const record = await this.find(id, tx);
    const isRenamed = input.name !== record?.name;
    if (!record)
      findings.add(input.error('PERMISSION_NOT_FOUND', 'id', `There is no permission ${id}.`));
    if (record) findings.ofSync(() => requireVersion('permission', record, expectedVersion));
    if (record && isRenamed && input.isNameValid && isSeeded(record.name)) {
      const message = `The built-in permission ${record.name} cannot be renamed.`;
      findings.add(input.error('PERMISSION_PROTECTED', 'name', message));
    }
    if (isRenamed) await this.checkNameFree(input, id, findings, tx);
    return findings.passed(record);
  }

  private async find(id: number, tx: Tx): Promise<PermissionRecord | null> {
    return this.permissions.byId(id, tx);
  }

  private async checkNameFree(
    input: PermissionInput,
    id: number | null,
    findings: Findings,
    tx: Tx,
  ): Promise<void> {
    const { nameKey, isNameValid } = input;
    if (isNameValid && (await isTaken(this.permissions, { nameKey }, id, tx)))
      findings.add(input.nameTaken());
  }

  private change<R>(input: PermissionInput, work: (tx: Tx) => Promise<R>): Promise<R> {
    return uniquely(
      () => this.deps.directory.change(work),
      () => input.nameTaken(),
    );
  }
}
