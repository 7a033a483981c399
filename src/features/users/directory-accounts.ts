import { systemActor } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { ADMIN_GROUP } from '../../platform/access/catalogue';
import type { Core } from '../../platform/core';
import { DomainError } from '../../platform/errors/errors';
import { KeyedLock } from '../../platform/queues';
import { isDuplicateKey } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import { firstCharacters, hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { emailForms, emailKeyOf } from '../../platform/text/email';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import { ADMIN_GROUP_ID } from '../groups/directory.service';
import type { DirectoryService, Group } from '../groups/directory.service';
import { belongsTo, latestKeys } from './entry-keys';
import type {
  DirectoryDetail,
  DirectoryPerson,
  EntryLimit,
  PasswordDirectory,
} from './password-directory';
import type { UserDeletion } from './user-deletion.service';
import type { UserRecords } from './user-records';
import { EMPTY_DETAIL, newUserRecord } from './user.model';
import type { UserDetail, UserRecord } from './user.model';
import { USER_ACCESS_CHANGED } from './user.policy';
import type { UserAccessChanged, UserPermissions } from './user.policy';
import type { AccountOwner, SecondFactorsOfUsers, SessionsOfUsers } from './user.ports';
import { DETAIL_LENGTHS, emailProblems, MAX_EMAIL_LENGTH } from './user.rules';

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

/** A person who may sign in, the name that was asked for, and the group of the mapping. */
interface DirectorySignIn {
  readonly name: string;
  readonly person: DirectoryPerson;
  readonly group: Group;
  readonly account: KnownAccount | null;
}

/** Other accounts of one person that are looked for in the directory. */
const MAX_VERIFIED = 10;

/**
 * Accounts of users whose password an LDAP directory checks. An account belongs to the entry of the
 * person, with whichever of its names they sign in.
 */
export class DirectoryAccounts {
  private readonly queues = new KeyedLock();

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly records: UserRecords;
      readonly deletion: UserDeletion;
      readonly permissions: UserPermissions;
      readonly groups: DirectoryService;
      readonly passwords: PasswordDirectory;
      readonly secondFactors: SecondFactorsOfUsers;
      readonly sessions: Pick<SessionsOfUsers, 'endWithoutSecondFactor'>;
    },
  ) {}

  get isConfigured(): boolean {
    return this.deps.passwords.isConfigured;
  }

  /**
   * Checks a password with the directory, then creates the account of the entry or gives it the
   * group of the mapping. Accounts that belong to no entry yet are joined to the oldest one. Returns
   * null if the login is refused.
   * @throws Unavailable LDAP_UNAVAILABLE
   */
  async signIn(
    entered: string,
    account: KnownAccount | null,
    password: string,
    limit: EntryLimit,
  ): Promise<AccountOwner | null> {
    // The e-mail of a known account, so that ways of writing it cannot find another entry.
    const name = account?.email ?? entered.trim();
    if (name === '' || hasMoreCharacters(name, MAX_EMAIL_LENGTH) || !isVisible(name)) return null;
    const person = await this.deps.passwords.authenticate(
      emailForms(name),
      password,
      (names) => this.namesWithoutEntry(names),
      limit,
    );
    if (!person) return null;
    const group = await this.findGroup(person.role, account);
    if (!group) return null;
    const signIn = { name, person, group, account };
    // Concurrent logins of one person would conflict and retry. All servers show the last key.
    return this.queues.run(`entry ${person.entryKeys.at(-1)}`, async () => {
      return this.open(signIn).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
        // Another process was faster, or the e-mail belongs to another account.
        return this.open(signIn).catch((again: unknown) => {
          if (!isDuplicateKey(again)) throw again;
          return this.refuse(signIn);
        });
      });
    });
  }

  /** Returns the e-mails of the accounts with one of these names that belong to no entry yet. */
  private async namesWithoutEntry(names: readonly string[]): Promise<readonly string[]> {
    const records = await this.deps.records.collection.find(withoutEntry(names), {
      fields: { email: 1 },
      limit: MAX_VERIFIED,
    });
    return records.map(({ email }) => email);
  }

  private async open(signIn: DirectorySignIn): Promise<AccountOwner | null> {
    const { core, deletion, records } = this.deps;
    await this.separate(signIn.person);
    return core.store.transaction(async (tx) => {
      const accounts = await this.accountsOf(signIn, tx);
      const [account, ...younger] = accounts;
      if (account === undefined) return this.create(signIn, tx);
      // A local password is not that of the directory, and disabled accounts stay so.
      if (accounts.some((each) => each.passwordHash !== null || each.disabledAt)) return null;
      const groupId = await this.groupOf(accounts, signIn.group, tx);
      for (const each of younger) await deletion.join(DIRECTORY_ACTOR, each, account, tx);
      if (younger.length > 0) await this.endWithoutSecondFactor(account, tx);
      const directoryKeys = latestKeys(signIn.person.entryKeys, accounts);
      const changes = { groupId, authSource: 'ldap', directoryKeys } as const;
      const isMoved = groupId !== account.groupId;
      const isAssigned =
        account.directoryKeys?.join('\n') !== directoryKeys.join('\n') ||
        account.authSource !== 'ldap';
      if (!isMoved && !isAssigned) return ownerOf(account);
      if (isMoved) {
        const { _id: userId } = account;
        tx.afterCommit(() => core.bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId }));
      }
      const action = isAssigned ? 'user.directory-entry' : 'user.group';
      const set = { ...changes, updatedAt: core.clock.now() };
      return ownerOf(await records.update(DIRECTORY_ACTOR, action, account, set, tx));
    });
  }

  /** The second factor of a joined account is that of its older sessions as well. */
  private async endWithoutSecondFactor({ _id }: UserRecord, tx: Tx): Promise<void> {
    const { records, secondFactors, sessions } = this.deps;
    if (!(await secondFactors.isEnabled(_id, tx))) return;
    await records.claim(_id, tx);
    await sessions.endWithoutSecondFactor(_id, null, tx);
  }

  /** Returns the accounts of the entry, and those that are to be joined to them, the oldest first. */
  private async accountsOf({ name, person }: DirectorySignIn, tx: Tx): Promise<UserRecord[]> {
    const { collection } = this.deps.records;
    const accounts = [
      ...(await this.accountsWithKeys(person, tx)).own,
      ...(await collection.find(withoutEntry([name, ...person.ownNames]), { tx })),
    ];
    return accounts.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a._id - b._id);
  }

  /** Returns the accounts with one of the keys of the entry: those of its person, and of others. */
  private async accountsWithKeys({ entryKeys }: DirectoryPerson, tx: Tx) {
    const accounts = await this.deps.records.collection.find(
      { directoryKeys: { $in: [...entryKeys] } },
      { tx },
    );
    const matching = accounts.filter((account) => belongsTo(account, entryKeys));
    const [strongest] = entryKeys.flatMap((key) =>
      matching.filter(({ directoryKeys }) => directoryKeys?.includes(key)),
    );
    // An account that only shares the distinguished name may have another id than the strongest one.
    const allKeys = latestKeys(entryKeys, strongest ? [strongest] : []);
    return {
      own: accounts.filter((account) => belongsTo(account, allKeys)),
      others: accounts.filter((account) => !belongsTo(account, allKeys)),
    };
  }

  /**
   * Takes the keys of the entry from accounts of other persons, such as the distinguished name from
   * that of a deleted entry: a server that shows no ids would give their account to this person.
   */
  private async separate(person: DirectoryPerson): Promise<void> {
    const { core, records } = this.deps;
    await core.store.transaction(async (tx) => {
      for (const account of (await this.accountsWithKeys(person, tx)).others) {
        const directoryKeys = account.directoryKeys?.filter(
          (key) => !person.entryKeys.includes(key),
        );
        const set = { directoryKeys, updatedAt: core.clock.now() };
        await records.update(DIRECTORY_ACTOR, 'user.directory-entry', account, set, tx);
      }
    });
  }

  private async findGroup(role: string, account: KnownAccount | null): Promise<Group | null> {
    const groups = [...(await this.deps.groups.fresh()).groups.values()];
    const group =
      groups.find(({ name }) => name === role) ??
      groups.find(({ name }) => fold(name) === fold(role));
    if (group) return group;
    this.deps.core.log.error(
      { role },
      `LDAP: a login was refused, since there is no user group "${role}". Create it, or change group-role-mapping or default-role.`,
    );
    await this.deps.audit.recordRepeated(
      'user.group-missing',
      { type: 'User', id: account?.userId ?? 'unknown' },
      { group: role },
      DIRECTORY_ACTOR,
    );
    return null;
  }

  private async create(
    { name, person, group }: DirectorySignIn,
    tx: Tx,
  ): Promise<AccountOwner | null> {
    const { core, records, permissions } = this.deps;
    if (!(await permissions.checkJoin(DIRECTORY_ACTOR, group.id, tx))) return null;
    const fields = {
      _id: await core.store.nextId('users'),
      email: await this.emailOf(name, person, tx),
      passwordHash: null,
      groupId: group.id,
      detail: { ...EMPTY_DETAIL, appTour: false, ...fittingDetail(person.detail) },
    };
    const record: UserRecord = {
      ...newUserRecord(fields, core.clock.now()),
      authSource: 'ldap',
      directoryKeys: [...person.entryKeys],
    };
    return ownerOf(await records.insert(DIRECTORY_ACTOR, record, tx));
  }

  /** The name that was entered, unless it is no address and the entry has one that is free. */
  private async emailOf(name: string, { mail }: DirectoryPerson, tx: Tx): Promise<string> {
    const isUsable = mail !== null && emailProblems(mail).length === 0;
    if (emailProblems(name).length === 0 || !isUsable) return name;
    return (await this.deps.records.emailExists(mail, undefined, tx)) ? name : mail;
  }

  /**
   * Returns the group of the mapping, or that of administrators if the last one would leave it, or
   * the present one if that of the mapping was just deleted.
   */
  private async groupOf(accounts: readonly UserRecord[], group: Group, tx: Tx): Promise<number> {
    const { core, permissions } = this.deps;
    const leaving = accounts.filter(({ groupId }) => groupId !== group.id);
    if (leaving.length === 0) return group.id;
    if (!(await permissions.checkJoin(DIRECTORY_ACTOR, group.id, tx))) return accounts[0].groupId;
    try {
      await permissions.checkLeave(DIRECTORY_ACTOR, leaving, () => ['groupId'], tx);
      return group.id;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'LAST_ADMINISTRATOR') throw error;
      core.log.warn(
        { userId: accounts[0]._id, role: group.name },
        'LDAP: the last administrator keeps the group Admin, although the directory gives another one',
      );
      return ADMIN_GROUP_ID;
    }
  }

  private async refuse({ name, person, account }: DirectorySignIn): Promise<null> {
    const { core, audit, records } = this.deps;
    const owner = account ?? (await records.byEmail(name));
    const userId = owner && ('userId' in owner ? owner.userId : owner.id);
    core.log.error(
      { userId, entry: person.entryKeys.at(-1) },
      'LDAP: a login was refused, since the account with this e-mail belongs to another entry. Change its e-mail, delete it, or let it be assigned again.',
    );
    await audit.recordRepeated(
      'user.entry-refused',
      { type: 'User', id: userId ?? 'unknown' },
      { entry: person.entryKeys[0] },
      DIRECTORY_ACTOR,
    );
    return null;
  }
}

/** Accounts without a local password that belong to no entry yet. */
const withoutEntry = (names: readonly string[]) => ({
  emailKey: { $in: names.map(emailKeyOf) },
  passwordHash: null,
  directoryKeys: null,
});

const ownerOf = ({ _id: userId, credentialVersion }: UserRecord): AccountOwner => ({
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
