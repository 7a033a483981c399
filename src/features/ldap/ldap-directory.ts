import type { Core } from '../../platform/core';
import { Unavailable } from '../../platform/errors/errors';
import { describeResult, LDAP_RESULT, LdapFailure, REFUSED_BIND } from '../../platform/outbound';
import type { LdapConnection, LdapEntry } from '../../platform/outbound';
import { createWorkQueue } from '../../platform/queues';
import type { DirectoryPerson, PasswordDirectory } from '../users/password-directory';
import { detailOf, LdapSteps } from './ldap-steps';
import type { LdapSettings } from './ldap-steps';

declare module '../../platform/context' {
  interface Services {
    ldapDirectory: LdapDirectory;
  }
}

/** A directory that hangs holds at most this many sockets. */
const CONVERSATIONS = { concurrency: 4, capacity: 200 };
/** While all servers have just failed, logins fail at once. */
const PAUSE_MS = 2_000;
/** A server that failed is tried last. */
const AVOIDED_MS = 30_000;
/** Failures of the server. Others may come from one user, and must not affect the next one. */
const BROKEN: ReadonlySet<LdapFailure['reason']> = new Set([
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'TIMEOUT',
]);
const RETRY_AFTER_SECONDS = 10;
const MAX_PASSWORD_LENGTH = 1_024;

/** Time limit of a probe of one server, ms. */
const PROBE_MS = 4_000;

/** Which servers accepted the bind account, and why the others did not. */
export interface LdapProbe {
  readonly working: readonly string[];
  readonly failures: readonly string[];
}

/** Checks passwords with the servers of the configuration. */
export class LdapDirectory implements PasswordDirectory {
  private readonly queue = createWorkQueue(CONVERSATIONS);
  private parsedSteps: LdapSteps | null = null;
  /** When a server last failed, by URL. */
  private readonly failedAt = new Map<string, number>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly settings: LdapSettings,
    private readonly core: Pick<Core, 'clock' | 'log'>,
  ) {}

  get isConfigured(): boolean {
    return this.settings.urls.length > 0;
  }

  /** Created at the first login: parsing its filters loads the LDAP library. */
  private get steps(): LdapSteps {
    this.parsedSteps ??= new LdapSteps(this.settings);
    return this.parsedSteps;
  }

  async authenticate(name: string, password: string): Promise<DirectoryPerson | null> {
    // A directory could read an empty password, or one that ends at its first byte, as an anonymous
    // bind, and accept it.
    const canBind =
      password !== '' && !password.includes('\0') && password.length <= MAX_PASSWORD_LENGTH;
    if (!this.isConfigured || name === '' || !canBind) return null;
    return this.queue.run(() =>
      this.askServers((connection) => this.check(connection, name, password)),
    );
  }

  /** Connects to each server and signs in as the bind account, without affecting logins. */
  async probe(): Promise<LdapProbe> {
    const steps = new LdapSteps({
      ...this.settings,
      timeoutMs: Math.min(this.settings.timeoutMs, PROBE_MS),
    });
    const results = await Promise.all(
      this.settings.urls.map((url) => this.probeServer(steps, url)),
    );
    return {
      working: this.settings.urls.filter((_url, at) => results[at] === null),
      failures: results.filter((failure) => failure !== null),
    };
  }

  /** Returns the failure, or null. */
  private async probeServer(steps: LdapSteps, url: string): Promise<string | null> {
    try {
      const connection = await steps.connect(url, { signal: this.stopping.signal });
      try {
        await steps.bind(connection);
      } finally {
        connection.close();
      }
      return null;
    } catch (error) {
      if (!(error instanceof LdapFailure)) throw error;
      return error.message;
    }
  }

  /** Ends all conversations. */
  close(): void {
    this.stopping.abort();
  }

  private async check(
    connection: LdapConnection,
    name: string,
    password: string,
  ): Promise<DirectoryPerson | null> {
    await this.steps.bind(connection);
    const entry = await this.findUser(connection, name);
    if (!entry) return null;
    const { code, diagnostic } = await connection.bind(entry.dn, password);
    const result = describeResult(code, diagnostic);
    if (REFUSED_BIND.has(code)) {
      this.debug({ dn: entry.dn, result }, 'LDAP: the directory refused the password of a user');
      return null;
    }
    if (code !== LDAP_RESULT.success)
      throw new LdapFailure('RESULT', `The directory cannot check passwords: ${result}.`, code);
    // The bind account may read groups, the user often not.
    await this.steps.bind(connection);
    const groups = await this.steps.findGroups(connection, entry.dn, name);
    const mapped = this.steps.roleOf(groups);
    this.debug({ dn: entry.dn, groups, ...mapped }, 'LDAP: a user signed in');
    if (this.settings.showLogs)
      this.core.log.info({ dn: entry.dn, role: mapped.role }, 'the LDAP directory accepted a user');
    return { role: mapped.role, detail: detailOf(entry) };
  }

  private async findUser(connection: LdapConnection, name: string): Promise<LdapEntry | null> {
    const { entries, isCut } = await this.steps.findUsers(connection, name);
    const isAmbiguous = isCut || entries.length > 1;
    if (isAmbiguous)
      this.core.log.warn(
        { entries: entries.map(({ dn }) => dn) },
        'LDAP: a login was refused, since the user search filter finds several entries for one name',
      );
    const [entry] = entries;
    this.debug({ found: entries.length, dn: entry?.dn }, 'LDAP: the user search ended');
    // A bind without a name would be anonymous.
    return !isAmbiguous && entries.length === 1 && entry.dn.trim() !== '' ? entry : null;
  }

  /** Returns the result of the first server that works. @throws Unavailable LDAP_UNAVAILABLE */
  private async askServers<R>(ask: (connection: LdapConnection) => Promise<R>): Promise<R> {
    const { log } = this.core;
    for (const url of this.serversToTry()) {
      try {
        const result = await this.converse(url, ask);
        this.failedAt.delete(url);
        return result;
      } catch (error) {
        if (!(error instanceof LdapFailure)) throw error;
        if (BROKEN.has(error.reason)) this.failedAt.set(url, this.now());
        log.warn({ url, reason: error.reason }, `LDAP: ${error.message}`);
      }
    }
    throw new Unavailable(
      'The LDAP directory does not answer. Try again later.',
      RETRY_AFTER_SECONDS,
      'LDAP_UNAVAILABLE',
    );
  }

  private async converse<R>(
    url: string,
    ask: (connection: LdapConnection) => Promise<R>,
  ): Promise<R> {
    this.debug({ url }, 'LDAP: connecting');
    const connection = await this.steps.connect(url, { signal: this.stopping.signal });
    try {
      return await ask(connection);
    } finally {
      connection.close();
    }
  }

  private serversToTry(): string[] {
    const { urls } = this.settings;
    if (urls.every((url) => this.hasFailedWithin(url, PAUSE_MS))) return [];
    const avoided = urls.filter((url) => this.hasFailedWithin(url, AVOIDED_MS));
    return [...urls.filter((url) => !avoided.includes(url)), ...avoided];
  }

  private hasFailedWithin(url: string, durationMs: number): boolean {
    const at = this.failedAt.get(url);
    return at !== undefined && this.now() - at < durationMs;
  }

  private now(): number {
    return this.core.clock.now().getTime();
  }

  /** With the level DEBUG of the configuration, steps are logged like other information. */
  private debug(fields: object, message: string): void {
    if (this.settings.debug) this.core.log.info(fields, message);
    else this.core.log.debug(fields, message);
  }
}
