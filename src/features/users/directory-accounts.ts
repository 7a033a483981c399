import { systemActor } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import type { Core } from '../../platform/core';
import { DomainError, NotFound } from '../../platform/errors/errors';
import { isDuplicateKey } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import { firstCharacters, hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService, Group } from '../groups/directory.service';
import type { SessionOwner } from '../sessions/session.service';
import type { DirectoryDetail, DirectoryPerson, PasswordDirectory } from './password-directory';
import type { UserRecords } from './user-records';
import { EMPTY_DETAIL, newUserRecord } from './user.model';
import type { UserDetail, UserRecord } from './user.model';
import { USER_ACCESS_CHANGED } from './user.policy';
import type { UserAccessChanged, UserPermissions } from './user.policy';
import { DETAIL_LENGTHS, MAX_EMAIL_LENGTH } from './user.rules';

/** Changes that follow from the directory. The mapping may give any group, even of administrators. */
const DIRECTORY_ACTOR: Actor = {
  ...systemActor('ldap'),
  email: 'LDAP directory',
  groupName: ADMIN_GROUP,
};

/** The account that a name belongs to. */
interface KnownAccount {
  readonly userId: number;
  readonly email: string;
}

/** Accounts of users whose password an LDAP directory checks. */
export class DirectoryAccounts {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly records: UserRecords;
      readonly permissions: UserPermissions;
      readonly groups: DirectoryService;
      readonly passwords: PasswordDirectory;
    },
  ) {}

  get isConfigured(): boolean {
    return this.deps.passwords.isConfigured;
  }

  /**
   * Checks a password with the directory, then creates the account or gives it the group of the
   * mapping. Returns null if the login is refused. The directory is asked for the e-mail of a known
   * account, so that ways of writing it cannot find another entry.
   * @throws Unavailable LDAP_UNAVAILABLE
   */
  async signIn(
    entered: string,
    known: KnownAccount | null,
    password: string,
  ): Promise<SessionOwner | null> {
    const name = known?.email ?? entered.trim();
    if (name === '' || hasMoreCharacters(name, MAX_EMAIL_LENGTH) || !isVisible(name)) return null;
    const person = await this.deps.passwords.authenticate(name, password);
    if (!person) return null;
    const group = await this.findGroup(person.role, known);
    if (!group) return null;
    return known ? this.refresh(known.userId, group) : this.create(name, person, group);
  }

  private async findGroup(role: string, known: KnownAccount | null): Promise<Group | null> {
    const groups = [...(await this.deps.groups.fresh()).groups.values()];
    const found =
      groups.find(({ name }) => name === role) ??
      groups.find(({ name }) => fold(name) === fold(role));
    if (found) return found;
    this.deps.core.log.error(
      { role },
      `LDAP: a login was refused, since there is no user group "${role}". Create it, or change group-role-mapping or default-role.`,
    );
    await this.deps.audit.recordRepeated(
      'user.group-missing',
      { type: 'User', id: known?.userId ?? 'unknown' },
      { group: role },
      DIRECTORY_ACTOR,
    );
    return null;
  }

  private async create(
    email: string,
    { detail }: DirectoryPerson,
    group: Group,
  ): Promise<SessionOwner | null> {
    const { core, records, permissions } = this.deps;
    const fields = {
      _id: await core.store.nextId('users'),
      email,
      passwordHash: null,
      groupId: group.id,
      detail: { ...EMPTY_DETAIL, appTour: false, ...fittingDetail(detail) },
    };
    const record: UserRecord = { ...newUserRecord(fields, core.clock.now()), authSource: 'ldap' };
    try {
      return await core.store.transaction(async (tx) => {
        if (!(await permissions.checkJoin(DIRECTORY_ACTOR, group.id, tx))) return null;
        return ownerOf(await records.insert(DIRECTORY_ACTOR, record, tx));
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another login of the same user was faster.
      const { id, email: stored } = await records.getByEmail(email);
      return stored === record.email ? this.refresh(id, group) : null;
    }
  }

  /** Returns null if the account is disabled, was deleted, or got a local password. */
  private async refresh(userId: number, group: Group): Promise<SessionOwner | null> {
    const { core, records } = this.deps;
    try {
      return await records.inTransaction(userId, async (tx) => {
        const before = await records.require(userId, tx);
        if (before.passwordHash !== null || before.disabledAt != null) return null;
        const isMoved = await this.mayMove(before, group, tx);
        if (!isMoved && before.authSource === 'ldap') return ownerOf(before);
        const groupId = isMoved ? group.id : before.groupId;
        const changes = { groupId, authSource: 'ldap', updatedAt: core.clock.now() } as const;
        if (isMoved)
          tx.afterCommit(() =>
            core.bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId }),
          );
        return ownerOf(await records.update(DIRECTORY_ACTOR, 'user.group', before, changes, tx));
      });
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  /** Returns whether the user moves to the group. The last administrator stays one. */
  private async mayMove(before: UserRecord, group: Group, tx: Tx): Promise<boolean> {
    const { core, permissions } = this.deps;
    if (before.groupId === group.id) return false;
    if (!(await permissions.checkJoin(DIRECTORY_ACTOR, group.id, tx))) return false;
    try {
      await permissions.checkLeave(DIRECTORY_ACTOR, [before], () => ['groupId'], tx);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'LAST_ADMINISTRATOR') throw error;
      core.log.warn(
        { userId: before._id, role: group.name },
        'LDAP: the last administrator keeps the group Admin, although the directory gives another one',
      );
      return false;
    }
  }
}

const ownerOf = ({ _id: userId, credentialVersion }: UserRecord): SessionOwner => ({
  userId,
  credentialVersion,
});

/** Returns the details in lengths that users have. A longer salutation is a job title: none. */
function fittingDetail(detail: DirectoryDetail): Partial<UserDetail> {
  const fitting = (Object.keys(detail) as (keyof DirectoryDetail)[]).map((field) => {
    const text = (detail[field] ?? '').replaceAll(/\p{C}+/gu, ' ').trim();
    const most = DETAIL_LENGTHS[field];
    const isTitle = field === 'salutation' && hasMoreCharacters(text, most);
    const cut = isTitle ? '' : firstCharacters(text, most).trim();
    return [field, cut === '' ? null : cut];
  });
  return Object.fromEntries(fitting) as Partial<UserDetail>;
}
