import { setTimeout as delay } from 'node:timers/promises';
import type { Core } from '../../platform/core';
import { describeResult, LDAP_RESULT, LdapFailure, REFUSED_BIND } from '../../platform/outbound';
import type { LdapConnection, LdapEntry } from '../../platform/outbound';
import { WorkQueue } from '../../platform/queues';
import { emailForms } from '../../platform/text/email';
import type { DirectoryPerson, EntryLimit, PasswordDirectory } from '../users/password-directory';
import { LdapServers, unavailable } from './ldap-servers';
import type { LdapProbe } from './ldap-servers';
import { detailOf, entryKeysOf } from './ldap-steps';
import type { LdapSettings } from './ldap-steps';

declare module '../../platform/context' {
  interface Services {
    ldapDirectory: LdapDirectory;
  }
}

/** A directory that hangs holds few sockets. More sign-ins than these are refused. */
const CONVERSATIONS = { concurrency: 4, capacity: 100 };
const MAX_PASSWORD_LENGTH = 1_024;

/** The arguments of `PasswordDirectory.authenticate`. */
interface Attempt {
  readonly forms: readonly string[];
  readonly password: string;
  readonly toVerify: (names: readonly string[]) => Promise<readonly string[]>;
  readonly limit: EntryLimit;
}

/** Checks passwords with the servers of the configuration. */
export class LdapDirectory implements PasswordDirectory {
  private readonly queue = new WorkQueue(CONVERSATIONS);
  private readonly servers: LdapServers;

  constructor(
    private readonly settings: LdapSettings,
    private readonly core: Pick<Core, 'clock' | 'log'>,
  ) {
    this.servers = new LdapServers(settings, core);
  }

  get isConfigured(): boolean {
    return this.settings.urls.length > 0;
  }

  async authenticate(
    forms: readonly string[],
    password: string,
    toVerify: (names: readonly string[]) => Promise<readonly string[]>,
    limit: EntryLimit,
  ): Promise<DirectoryPerson | null> {
    // A directory could read an empty password, or one that ends at its first byte, as an anonymous
    // bind, and accept it.
    const canBind =
      password !== '' && !password.includes('\0') && password.length <= MAX_PASSWORD_LENGTH;
    if (!this.isConfigured || forms.includes('') || !canBind) return null;
    return this.withinTimeout((endsAt) =>
      this.servers.ask(endsAt, (connection) =>
        this.check(connection, { forms, password, toVerify, limit }),
      ),
    );
  }

  /**
   * Runs work when a slot is free. The time-out counts from here, whatever the work waits for.
   * @throws Unavailable LDAP_UNAVAILABLE
   */
  private async withinTimeout<R>(work: (endsAt: number) => Promise<R>): Promise<R> {
    const { timeoutMs } = this.settings;
    const endsAt = performance.now() + timeoutMs;
    const ended = new AbortController();
    const timeout = delay(timeoutMs, undefined, { signal: ended.signal }).then(() => {
      throw unavailable();
    });
    const run = async (): Promise<R> => {
      await this.servers.requireUsable();
      if (this.queue.waiting >= CONVERSATIONS.capacity) throw unavailable();
      return this.queue.run(async () => {
        await this.servers.requireUsable();
        return work(endsAt);
      });
    };
    try {
      return await Promise.race([timeout, run()]);
    } finally {
      ended.abort();
    }
  }

  /** Connects to each server and signs in as the bind account, without affecting sign-ins. */
  probe(): Promise<LdapProbe> {
    return this.servers.probe();
  }

  /** Ends all conversations. */
  close(): void {
    this.servers.close();
  }

  private async check(
    connection: LdapConnection,
    { forms, password, toVerify, limit }: Attempt,
  ): Promise<DirectoryPerson | null> {
    const entry = await this.findUser(connection, forms);
    if (!entry) return null;
    const entryKeys = entryKeysOf(entry);
    const key = entryKeys.at(-1) ?? '';
    if (!(await limit.isOpen(key))) {
      this.servers.debug({ dn: entry.dn }, 'LDAP: too many failed logins of this entry');
      return null;
    }
    const { code, diagnostic } = await connection.bind(entry.dn, password);
    const result = describeResult(code, diagnostic);
    const isRight = code === LDAP_RESULT.success;
    if (!isRight && !REFUSED_BIND.has(code))
      throw new LdapFailure('RESULT', `The directory cannot check passwords: ${result}.`, code);
    if (!(await limit.tryCount(key, isRight))) return null;
    if (!isRight) {
      this.servers.debug(
        { dn: entry.dn, result },
        'LDAP: the directory refused the password of a user',
      );
      return null;
    }
    // The bind account may read groups, the user often not.
    await this.servers.steps.bind(connection);
    const { names: groups, isBaseMissing } = await this.servers.steps.findGroups(
      connection,
      entry.dn,
      forms[0],
    );
    if (isBaseMissing)
      this.core.log.warn(
        { base: this.settings.groupSearchBase },
        'LDAP: users get the default role, since the group search base does not exist or cannot be read',
      );
    const mapped = this.servers.steps.roleOf(groups);
    this.servers.debug({ dn: entry.dn, groups, ...mapped }, 'LDAP: a user signed in');
    if (this.settings.showLogs)
      this.core.log.info({ dn: entry.dn, role: mapped.role }, 'the LDAP directory accepted a user');
    const names = await toVerify(this.servers.steps.namesOf(entry));
    return {
      role: mapped.role,
      detail: detailOf(entry),
      mail: entry.values.get('mail')?.[0] ?? null,
      entryKeys,
      ownNames: await this.onlyNamesOf(connection, entry, names),
    };
  }

  /** Returns those of the names that no other entry has. */
  private async onlyNamesOf(
    connection: LdapConnection,
    { dn }: LdapEntry,
    names: readonly string[],
  ): Promise<readonly string[]> {
    const own: string[] = [];
    for (const name of names) {
      const { entries, isCut } = await this.servers.steps.findUsers(connection, emailForms(name));
      if (!isCut && entries.length === 1 && entries[0].dn === dn) own.push(name);
    }
    return own;
  }

  private async findUser(
    connection: LdapConnection,
    forms: readonly string[],
  ): Promise<LdapEntry | null> {
    const { entries, isCut } = await this.servers.steps.findUsers(connection, forms);
    const isAmbiguous = isCut || entries.length > 1;
    if (isAmbiguous)
      this.core.log.warn(
        { entries: entries.map(({ dn }) => dn) },
        'LDAP: a login was refused, since the user search filter finds several entries for one name',
      );
    const [entry] = entries;
    this.servers.debug({ found: entries.length, dn: entry?.dn }, 'LDAP: the user search ended');
    // A bind without a name would be anonymous.
    return !isAmbiguous && entries.length === 1 && entry.dn.trim() !== '' ? entry : null;
  }
}
