import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import { Conflict, Refused } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import { changeAll } from '../../platform/store/change-all';
import { requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import type { Store, Tx } from '../../platform/store/store';
import { UniqueNames } from '../../platform/store/unique-names';
import { fold } from '../../platform/text/fold';
import { quantity } from '../../platform/text/characters';
import { readPermissions } from '../permissions/permission-records.service';
import type { GroupMembers } from './group.ports';
import type { DirectoryService } from './directory.service';
import { groupNotFound } from './group-records';
import type { GroupRecords } from './group-records';
import { buildGroup, grantsOf, newGroupRecord, SEEDED_GROUPS } from './group.model';
import type { ComponentGrant, Group, GroupRecord } from './group.model';
import { requireRightsOf } from './group.policy';
import type { Rights } from './group.policy';
import { resolveGrants, textErrors } from './group.rules';
import type { GrantInput, GroupChange, NewGroup } from './group.rules';

export type { Component, Group } from './group.model';
export type { GrantInput, GroupChange } from './group.rules';

declare module '../../platform/context' {
  interface Services {
    groups: GroupService;
  }
}

function checkName(before: GroupRecord, name: string): void {
  if (!SEEDED_GROUPS.includes(before.name) || name === before.name) return;
  throw new Conflict('ROLE_PROTECTED', `The built-in group ${before.name} cannot be renamed.`, {
    path: ['name'],
  });
}

/** Groups of users, their permissions for components, and their icons. */
export class GroupService {
  private readonly names: UniqueNames<GroupRecord>;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly records: GroupRecords;
      readonly directory: DirectoryService;
      readonly users: GroupMembers;
      readonly uploads: Uploads;
    },
  ) {
    this.names = new UniqueNames(deps.records.collection, {
      takenError: (name) =>
        new Conflict('ROLE_ALREADY_EXIST', `There is already a group called ${name}.`, {
          path: ['name'],
        }),
    });
  }

  async page(query: PageQuery): Promise<Page<Group>> {
    const directory = this.deps.directory.current();
    return (await pageOf<GroupRecord>(this.deps.records.collection, query)).map((record) =>
      buildGroup(record, directory),
    );
  }

  list(): readonly Group[] {
    return [...this.deps.directory.current().groups.values()];
  }

  byId(id: number): Group | null {
    return this.deps.directory.group(id);
  }

  /** @throws NotFound GROUP_NOT_FOUND */
  get(id: number): Group {
    const group = this.byId(id);
    if (!group) throw groupNotFound(id);
    return group;
  }

  exists(name: string): boolean {
    const key = fold(name);
    return this.list().some((group) => fold(group.name) === key);
  }

  /**
   * @throws BadInput if the name is blank or too long
   * @throws Conflict ROLE_ALREADY_EXIST
   * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND
   * @throws Forbidden if the group would have rights that the actor lacks
   */
  async create(actor: Actor, { components = [], ...fields }: NewGroup): Promise<Group> {
    const inputErrors = textErrors(fields);
    const name = fields.name.trim();
    const id = await this.change(name, async (tx) => {
      const findings = new Findings(inputErrors);
      const granted = (await findings.of(() => this.resolve(components, tx))) ?? [];
      requireRightsOf(actor, this.rightsOf({ name, components: granted }));
      if (inputErrors.length === 0) await this.names.check(name, null, findings, tx);
      findings.refuse();
      const _id = await this.deps.store.nextId('groups', tx);
      const record = newGroupRecord({ ...fields, _id, name, components: granted });
      await this.deps.records.insert(actor, record, tx);
      return _id;
    });
    return this.get(id);
  }

  /**
   * Changes texts and, if given, all components in one write.
   * @throws NotFound GROUP_NOT_FOUND, WRONG_COMPONENT, PERMISSION_NOT_FOUND
   * @throws Conflict ROLE_ALREADY_EXIST; CONFLICT if the version is not the expected one
   * @throws Conflict ROLE_PROTECTED if Admin or User is renamed, or Admin loses rights
   * @throws Forbidden if the group has, or would have, rights that the actor lacks
   */
  async update(
    actor: Actor,
    id: number,
    { name: nameInput, components, ...texts }: GroupChange,
    expectedVersion?: ExpectedVersion,
  ): Promise<Group> {
    const { records } = this.deps;
    const inputErrors = textErrors({ name: nameInput, ...texts });
    const name = nameInput?.trim();
    await this.change(name ?? '', async (tx) => {
      const findings = new Findings();
      const before = await findings.of(() => records.require(id, tx));
      findings.add(...inputErrors);
      const granted = components && (await findings.of(() => this.resolve(components, tx)));
      if (!before) return findings.refuse();
      requireRightsOf(actor, this.rightsOf(before));
      if (granted) requireRightsOf(actor, this.rightsOf({ ...before, components: granted }));
      findings.ofSync(() => requireVersion('group', before, expectedVersion));
      if (name !== undefined) findings.ofSync(() => checkName(before, name));
      if (granted) findings.ofSync(() => this.checkAdminKeepsRights(before, granted));
      const newName = name === before.name ? undefined : name;
      if (newName !== undefined && inputErrors.length === 0)
        await this.names.check(newName, id, findings, tx);
      findings.refuse();
      const set = {
        ...(newName === undefined ? {} : { name: newName, nameKey: fold(newName) }),
        ...texts,
        components: granted,
      };
      await records.update(actor, granted ? 'group.components' : 'group.update', before, set, tx);
    });
    return this.get(id);
  }

  /**
   * Sets or removes (null) the icon. `bytes` is an image file.
   * @throws NotFound GROUP_NOT_FOUND
   * @throws Refused WRONG_FORMAT
   * @throws Conflict CONFLICT if the version is not the expected one
   * @throws Forbidden if the group has rights that the actor lacks
   */
  async setIcon(
    actor: Actor,
    id: number,
    bytes: Buffer | null,
    expectedVersion?: ExpectedVersion,
  ): Promise<Group> {
    const { directory, records, uploads } = this.deps;
    const findings = new Findings();
    findings.ofSync(() => requireRightsOf(actor, this.get(id)));
    if (bytes) await findings.of(() => uploads.requireImage(bytes));
    findings.refuse();
    await uploads.withSaved(bytes, (icon) =>
      directory.change(async (tx) => {
        const before = await records.require(id, tx);
        requireRightsOf(actor, this.rightsOf(before));
        requireVersion('group', before, expectedVersion);
        tx.afterCommit(() => uploads.discard(before.icon));
        await records.update(actor, 'group.icon', before, { icon }, tx);
      }),
    );
    return this.get(id);
  }

  /**
   * Deletes a group. Returns it as it was.
   * @throws NotFound GROUP_NOT_FOUND
   * @throws Refused ROLE_IN_USE if it has users
   * @throws Conflict ROLE_PROTECTED for Admin and User; CONFLICT if the version is not the
   * expected one
   * @throws Forbidden if it has rights that the actor lacks
   */
  remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<Group> {
    return this.deps.directory.change((tx) =>
      this.removeOne(actor, id, THE_ID(id), expectedVersion, tx),
    );
  }

  /**
   * Deletes all given groups or none. Returns them as they were.
   * @throws BadInput if there are too many
   * @throws the errors of `remove`, for each group
   */
  removeAll(actor: Actor, ids: readonly number[]): Promise<Group[]> {
    return changeAll(
      { transaction: (work) => this.deps.directory.change(work) },
      ids,
      'groups',
      (id, path, tx) => this.removeOne(actor, id, path, undefined, tx),
    );
  }

  private rightsOf({ name, components }: Pick<GroupRecord, 'name' | 'components'>): Rights {
    return { name, grants: grantsOf(components, this.deps.directory.current().components) };
  }

  /**
   * Returns the permissions as stored. They are read inside the transaction, so that a concurrent
   * deletion of one conflicts.
   * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND
   */
  private async resolve(inputs: readonly GrantInput[], tx: Tx): Promise<ComponentGrant[]> {
    const permissions = await readPermissions(this.deps.store, tx);
    return resolveGrants(
      inputs,
      this.deps.directory.current().components,
      new Set(permissions.map(({ name }) => name)),
    );
  }

  /** Rejects removing rights from Admin: no other group might be able to restore them. */
  private checkAdminKeepsRights(before: GroupRecord, components: readonly ComponentGrant[]): void {
    if (before.name !== ADMIN_GROUP) return;
    const after = this.rightsOf({ ...before, components }).grants;
    const lost = [...this.rightsOf(before).grants].filter((grant) => !after.has(grant));
    if (lost.length > 0)
      throw new Conflict(
        'ROLE_PROTECTED',
        `The group ${ADMIN_GROUP} cannot lose rights: ${lost.slice(0, 5).join(', ')}.`,
        { path: ['components'] },
      );
  }

  private async removeOne(
    actor: Actor,
    id: number,
    path: InputPath,
    expected: ExpectedVersion,
    tx: Tx,
  ): Promise<Group> {
    const before = await this.deps.records.require(id, tx, path);
    if (SEEDED_GROUPS.includes(before.name))
      throw new Conflict('ROLE_PROTECTED', `The group ${before.name} cannot be deleted.`, { path });
    requireRightsOf(actor, this.rightsOf(before));
    const findings = new Findings();
    findings.ofSync(() => requireVersion('group', before, expected));
    const members = await this.deps.users.countInGroup(id, tx);
    if (members > 0)
      findings.add(
        new Refused('ROLE_IN_USE', `The group ${before.name} has ${quantity(members, 'member')}.`, {
          path,
        }),
      );
    findings.refuse();
    await this.deps.records.delete(actor, before, tx);
    tx.afterCommit(() => this.deps.uploads.discard(before.icon));
    return buildGroup(before, this.deps.directory.current());
  }

  /**
   * Runs a directory change that may give a group the name `name`.
   * @throws Conflict ROLE_ALREADY_EXIST
   */
  private change<R>(name: string, work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.names.guard(name, () => this.deps.directory.change(work));
  }
}
