import { isDn, isLdapUrl, ldapUrlsIn } from '../../config/ldap';
import type { Config } from '../../config/config';
import { BadInput } from '../../platform/errors/errors';
import { ldapNotConfigured } from '../../platform/errors/missing-settings';
import type { Problem } from '../../platform/errors/errors';
import { createAddressPolicy, isFilterTemplate } from '../../platform/outbound';
import { MASK } from '../../platform/redaction';
import { LdapSteps } from './ldap-steps';
import type { LdapSettings } from './ldap-steps';

/** The configuration as clients show it. The password is masked. */
export interface ShownLdapConfig {
  /** Separated by blanks. */
  readonly urls: string;
  readonly userDN: string;
  readonly groupDN: string;
  readonly username: string;
  readonly password: string;
  readonly userSearchFilter: string;
  readonly groupSearchFilter: string;
  /** ms */
  readonly timeout: string;
}

/** Values to test in place of those of the configuration, and a user to look up. */
export type LdapCheckInput = {
  readonly [Field in keyof ShownLdapConfig | 'email']?: string | null;
};

/** Tests end before their clients give up, however many servers are tried. */
export const MAX_CHECK_MS = 8_000;
const MAX_SERVERS = 10;
const MIN_TIMEOUT_MS = 100;

/**
 * Returns the requests of a test with the configuration and the values of the input.
 * @throws BadInput, Refused as `LdapCheckService.run`
 */
export function stepsOf(
  input: LdapCheckInput,
  { ldap, outbound }: Pick<Config, 'ldap' | 'outbound'>,
): LdapSteps {
  const problems = problemsOf(input);
  if (problems.length > 0)
    throw new BadInput('BAD_REQUEST', 'The directory was not tested.', { problems });
  const urls = input.urls ? ldapUrlsIn(input.urls) : ldap.urls;
  if (urls.length === 0) throw ldapNotConfigured();
  const username = input.username ?? ldap.username ?? '';
  const isConfigured = urls.join(' ') === ldap.urls.join(' ') && username === (ldap.username ?? '');
  const hasPassword = input.password != null && input.password !== MASK && input.password !== '';
  if (!hasPassword && !isConfigured && username !== '')
    throw new BadInput(
      'BAD_REQUEST',
      'Enter the password: the stored one is only sent to the configured servers and account.',
      { path: ['password'] },
    );
  const settings: LdapSettings = {
    ...ldap,
    urls,
    username: username === '' ? null : username,
    password: hasPassword ? (input.password ?? null) : ldap.password,
    userSearchBase: input.userDN ?? ldap.userSearchBase,
    groupSearchBase: input.groupDN ?? ldap.groupSearchBase,
    userSearchFilter: input.userSearchFilter ?? ldap.userSearchFilter,
    groupSearchFilter: input.groupSearchFilter ?? ldap.groupSearchFilter,
    timeoutMs: Math.min(MAX_CHECK_MS, Number(input.timeout ?? ldap.timeoutMs)),
  };
  return new LdapSteps(settings, isConfigured ? null : createAddressPolicy(outbound));
}

function problemsOf(input: LdapCheckInput): Problem[] {
  const problems: Problem[] = [];
  const check = (field: keyof LdapCheckInput, holds: boolean, message: string): void => {
    if (!holds) problems.push({ code: 'BAD_REQUEST', path: [field], message });
  };
  const { urls, userDN, groupDN, userSearchFilter, groupSearchFilter, timeout } = input;
  check(
    'urls',
    !urls || ldapUrlsIn(urls).every(isLdapUrl),
    'URLs such as ldap://host:389 or ldaps://host:636, separated by blanks.',
  );
  check('urls', !urls || ldapUrlsIn(urls).length <= MAX_SERVERS, `At most ${MAX_SERVERS} servers.`);
  for (const [field, value] of Object.entries({ userDN, groupDN }))
    check(field as 'userDN', value == null || isDn(value), 'This is not a distinguished name.');
  for (const [field, value] of Object.entries({ userSearchFilter, groupSearchFilter }))
    check(
      field as 'userSearchFilter',
      value == null || isFilterTemplate(value),
      'This is not an LDAP filter with {0}.',
    );
  check(
    'timeout',
    timeout == null || (/^\d{1,9}$/.test(timeout) && Number(timeout) >= MIN_TIMEOUT_MS),
    `A number of milliseconds, ${MIN_TIMEOUT_MS} at least.`,
  );
  return problems;
}
