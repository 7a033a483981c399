import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import { Conflict } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { insertRecord, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { Group } from './directory.service';
import type { GroupReads } from './group-reads';
import type { GroupWriting } from './group-writing';
import type { ComponentGrant, GroupRecord } from './group.model';
import { requireMayHandle } from './group.policy';
import { SEEDED_GROUPS, textRefusals } from './group.rules';
import type { GrantInput } from './group.rules';

export interface NewGroup {
  readonly name: string;
  readonly description?: string | null;
  readonly components?: readonly GrantInput[];
}

/** A change of a group; missing fields stay unchanged. */
export type GroupChange = Partial<NewGroup>;

export interface GroupSavingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly reads: GroupReads;
  readonly writing: GroupWriting;
}

export function createGroupSaving({ store, audit, reads, writing }: GroupSavingDependencies) {
  const requireName = (before: GroupRecord, name: string): void => {
    if (!SEEDED_GROUPS.includes(before.name) || name === before.name) return;
    throw new Conflict(
      'ROLE_PROTECTED',
      `The group ${before.name} keeps its name: the service knows it by it.`,
      { path: ['name'] },
    );
  };

  /** Rejects removing rights from Admin: no other group might be able to restore them. */
  const requireAdminKeeps = (before: GroupRecord, components: readonly ComponentGrant[]): void => {
    if (before.name !== ADMIN_GROUP) return;
    const after = writing.rightsOf({ ...before, components }).grants;
    const lost = [...writing.rightsOf(before).grants].filter((grant) => !after.has(grant));
    if (lost.length > 0)
      throw new Conflict(
        'ROLE_PROTECTED',
        `The group ${ADMIN_GROUP} keeps its rights: ${lost.slice(0, 5).join(', ')}.`,
        { path: ['components'] },
      );
  };

  return {
    /**
     * @throws BadInput if the name is blank or too long
     * @throws Conflict ROLE_ALREADY_EXIST
     * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND
     * @throws Forbidden if the group would have rights that the actor lacks
     */
    async create(
      actor: Actor,
      { name: typed, description = null, components = [] }: NewGroup,
    ): Promise<Group> {
      const wrong = textRefusals({ name: typed, description });
      const name = typed.trim();
      let id = 0;
      await writing.change(name, async (tx) => {
        const found = new Findings(wrong);
        const granted = (await found.of(() => writing.resolved(components, tx))) ?? [];
        requireMayHandle(actor, writing.rightsOf({ name, components: granted }));
        if (wrong.length === 0) await writing.noteTaken(name, null, found, tx);
        found.refuse();
        id = await store.nextId('groups', tx);
        const record = await insertRecord<GroupRecord>(
          writing.groups,
          {
            _id: id,
            name,
            nameKey: fold(name),
            description,
            icon: null,
            components: granted,
            memberChanges: 0,
            version: 1,
          },
          tx,
        );
        await audit.record(actor, 'group.create', { type: 'UserGroup', id }, null, record, tx);
      });
      return reads.get(id);
    },

    /**
     * Changes name, description and, if given, all components in one write.
     * @throws NotFound GROUP_NOT_FOUND, WRONG_COMPONENT, PERMISSION_NOT_FOUND
     * @throws Conflict ROLE_ALREADY_EXIST; CONFLICT if the version is not the expected one
     * @throws Conflict ROLE_PROTECTED if Admin or User is renamed, or Admin loses rights
     * @throws Forbidden if the group has, or would have, rights that the actor lacks
     */
    async update(
      actor: Actor,
      id: number,
      { name: typed, description, components }: GroupChange,
      expectedVersion?: ExpectedVersion,
    ): Promise<Group> {
      const wrong = textRefusals({ name: typed, description });
      const name = typed?.trim();
      await writing.change(name ?? '', async (tx) => {
        const found = new Findings();
        const before = await found.of(() => writing.get(id, tx));
        found.add(...wrong);
        const granted = components && (await found.of(() => writing.resolved(components, tx)));
        if (!before) return found.refuse();
        requireMayHandle(actor, writing.rightsOf(before));
        if (granted) requireMayHandle(actor, writing.rightsOf({ ...before, components: granted }));
        found.ofSync(() => requireVersion('group', before, expectedVersion));
        if (name !== undefined) found.ofSync(() => requireName(before, name));
        if (granted) found.ofSync(() => requireAdminKeeps(before, granted));
        if (name !== undefined && name !== before.name && wrong.length === 0)
          await writing.noteTaken(name, id, found, tx);
        found.refuse();
        await writing.write(
          actor,
          granted ? 'group.components' : 'group.update',
          before,
          {
            ...(name === undefined || name === before.name ? {} : { name, nameKey: fold(name) }),
            ...(description === undefined ? {} : { description }),
            ...(granted ? { components: granted } : {}),
          },
          tx,
        );
      });
      return reads.get(id);
    },
  };
}
