import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { LdapFailure } from '../../platform/outbound';
import type { LdapConnection } from '../../platform/outbound';
import { WorkQueue } from '../../platform/queues';
import { MASK } from '../../platform/redaction';
import { emailForms } from '../../platform/text/email';
import type { Config } from '../../config/config';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import { MAX_CHECK_MS, stepsOf } from './ldap-check-input';
import type { LdapCheckInput, ShownLdapConfig } from './ldap-check-input';
import type { LdapSteps } from './ldap-steps';

declare module '../../platform/context' {
  interface Services {
    ldapCheck: LdapCheckService;
  }
}

/** What happened in one stage. */
interface LdapCheckMessage {
  readonly title: string;
  readonly text: string;
}

interface LdapCheckResult {
  readonly isSuccessful: boolean;
  /** One for each stage; the last one is the failed stage, if one failed. */
  readonly messages: readonly LdapCheckMessage[];
}

const MAX_GROUPS_SHOWN = 20;
const CHECKS = { concurrency: 2, capacity: 10 };

/** Thrown to end a test at a failed stage. */
class StageFailure extends Error {}

/** Tests the connection to the directory, stage by stage. */
export class LdapCheckService {
  private readonly queue = new WorkQueue(CHECKS);

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly groups: DirectoryService;
      readonly config: Pick<Config, 'ldap' | 'outbound'>;
    },
  ) {}

  /** Returns the configuration with a masked password. */
  shownConfig(): ShownLdapConfig {
    const { ldap } = this.deps.config;
    return {
      urls: ldap.urls.join(' '),
      userDN: ldap.userSearchBase,
      groupDN: ldap.groupSearchBase,
      username: ldap.username ?? '',
      password: ldap.password === null ? '' : MASK,
      userSearchFilter: ldap.userSearchFilter,
      groupSearchFilter: ldap.groupSearchFilter,
      timeout: String(ldap.timeoutMs),
    };
  }

  /**
   * Connects, signs in as the bind account, and looks for the user and their groups, or for the
   * search bases if no user is given. No password of a user is needed.
   * @throws BadInput if a value is invalid, or the stored password would be sent to another server
   * @throws Refused LDAP_NOT_CONFIGURED
   */
  async run(actor: Actor, input: LdapCheckInput): Promise<LdapCheckResult> {
    const { core, audit } = this.deps;
    const steps = stepsOf(input, this.deps.config);
    await this.deps.groups.fresh();
    const result = await this.queue.run(() => this.check(steps, input.email?.trim() ?? ''));
    const after = { urls: steps.settings.urls, isSuccessful: result.isSuccessful };
    await core.store.transaction((tx) =>
      audit.record(actor, 'ldap.test', { type: 'Directory', id: 'ldap' }, null, after, tx),
    );
    return result;
  }

  private async check(steps: LdapSteps, email: string): Promise<LdapCheckResult> {
    const messages: LdapCheckMessage[] = [];
    let connection: LdapConnection | null = null;
    const stage = async <R>(
      title: string,
      work: () => Promise<R>,
      describe: (result: R) => string,
    ): Promise<R> => {
      try {
        const result = await work();
        messages.push({ title, text: describe(result) });
        return result;
      } catch (error) {
        if (!(error instanceof LdapFailure) && !(error instanceof StageFailure)) throw error;
        messages.push({ title, text: error.message });
        throw new StageFailure(error.message, { cause: error });
      }
    };
    try {
      const opened = await stage(
        'Connect',
        () => connectToFirst(steps),
        ({ url, failures }) => [...failures, `Connected to ${url}.`].join(' '),
      );
      connection = opened.connection;
      await this.checkEntries(steps, opened.connection, email, stage);
      return { isSuccessful: true, messages };
    } catch (error) {
      if (!(error instanceof StageFailure)) throw error;
      return { isSuccessful: false, messages };
    } finally {
      connection?.close();
    }
  }

  private async checkEntries(
    steps: LdapSteps,
    connection: LdapConnection,
    email: string,
    stage: Stage,
  ): Promise<void> {
    const { username, userSearchBase, groupSearchBase, groupRoles } = steps.settings;
    await stage(
      'Bind',
      () => steps.bind(connection),
      () => (username === null ? 'There is no bind account.' : `Signed in as "${username}".`),
    );
    if (email === '') {
      const bases = [
        ['User search', userSearchBase],
        ...(groupRoles.length > 0 ? [['Group search', groupSearchBase]] : []),
      ];
      for (const [title, base] of bases)
        await stage(
          title,
          () => requireBase(steps, connection, base),
          () => `The search base "${base}" exists.`,
        );
      const roles = [...groupRoles.map(({ role }) => role), steps.settings.defaultRole];
      await stage(
        'Mapping',
        async () => roles.forEach((role) => this.requireGroup(role)),
        () => 'All user groups of the mapping exist.',
      );
      return;
    }
    const dn = await stage(
      'User search',
      () => findOne(steps, connection, email),
      (entryName) => `Found "${entryName}".`,
    );
    const groups = await stage(
      'Group search',
      () => findGroups(steps, connection, dn, email),
      (groupNames) => describeGroups(groupNames, groupRoles.length > 0),
    );
    await stage(
      'Mapping',
      async () => this.requireGroup(steps.roleOf(groups).role),
      () => {
        const { role, group } = steps.roleOf(groups);
        return group === null
          ? `No group is mapped: the user gets the default role "${role}".`
          : `"${group}" gives the role "${role}".`;
      },
    );
  }

  private requireGroup(name: string): void {
    const { groups } = this.deps.groups.current();
    if (![...groups.values()].some((group) => group.name === name))
      throw new StageFailure(
        `There is no user group "${name}": create it, or change the mapping. Users with this role cannot sign in.`,
      );
  }
}

type Stage = <R>(
  title: string,
  work: () => Promise<R>,
  describe: (result: R) => string,
) => Promise<R>;

async function connectToFirst(steps: LdapSteps): Promise<{
  readonly url: string;
  readonly connection: LdapConnection;
  readonly failures: readonly string[];
}> {
  const failures: string[] = [];
  const { urls } = steps.settings;
  const endsAt = performance.now() + MAX_CHECK_MS;
  for (const [index, url] of urls.entries()) {
    // Each server gets an equal part of the remaining time.
    const timeoutMs = Math.floor((endsAt - performance.now()) / (urls.length - index));
    try {
      return { url, connection: await steps.connect(url, { timeoutMs }), failures };
    } catch (error) {
      if (!(error instanceof LdapFailure)) throw error;
      failures.push(error.message);
    }
  }
  throw new StageFailure(failures.join(' '));
}

async function requireBase(
  steps: LdapSteps,
  connection: LdapConnection,
  base: string,
): Promise<void> {
  if (!(await steps.exists(connection, base))) throw missingBase(base);
}

const missingBase = (base: string): StageFailure =>
  new StageFailure(`The search base "${base}" does not exist, or the bind account cannot read it.`);

async function findOne(
  steps: LdapSteps,
  connection: LdapConnection,
  email: string,
): Promise<string> {
  const { entries, isCut, isBaseMissing } = await steps.findUsers(connection, emailForms(email));
  const { userSearchBase: base, userSearchFilter: filter } = steps.settings;
  if (isBaseMissing) throw missingBase(base);
  if (entries.length === 0)
    throw new StageFailure(`No entry below "${base}" matches ${filter} with this e-mail.`);
  if (isCut || entries.length > 1)
    throw new StageFailure(
      `Several entries match ${filter}: ${entries.map(({ dn }) => `"${dn}"`).join(', ')}. Only one may.`,
    );
  return entries[0].dn;
}

async function findGroups(
  steps: LdapSteps,
  connection: LdapConnection,
  dn: string,
  email: string,
): Promise<readonly string[]> {
  const { names, isBaseMissing } = await steps.findGroups(connection, dn, email);
  if (isBaseMissing) throw missingBase(steps.settings.groupSearchBase);
  return names;
}

function describeGroups(groups: readonly string[], hasMapping: boolean): string {
  if (!hasMapping) return 'There is no mapping of groups, so no groups were searched.';
  if (groups.length === 0) return 'The user belongs to no group.';
  const shown = groups.slice(0, MAX_GROUPS_SHOWN).map((dn) => `"${dn}"`);
  const more = groups.length - shown.length;
  return `Groups: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
