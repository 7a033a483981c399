import { dnKey } from '../platform/outbound/ldap/distinguished-name';
import { isFilterTemplate } from '../platform/outbound/ldap/filter-template';
import { flag, secretText, text, wholeNumber } from './forms';
import type { Form } from './forms';
import { relaxed } from './setting';

/** A directory group and the user group that its members get. */
export interface GroupRole {
  /** Distinguished name of the directory group. */
  readonly group: string;
  /** Name of the user group. */
  readonly role: string;
}

const URL_FORM = /^ldaps?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?\/?$/i;
export const isLdapUrl = (url: string): boolean => URL_FORM.test(url) && URL.canParse(url);
/** Splits a text with several URLs. */
export const ldapUrlsIn = (list: string): string[] => list.split(/[\s,]+/).filter(Boolean);
export const isDn = (value: string): boolean => dnKey(value) !== null;
const MAX_LDAP_TIMEOUT_MS = 10 * 60_000;

const urls: Form<readonly string[]> = {
  accepts:
    'URLs such as ldap://host:389 or ldaps://host:636, without a path, separated by blanks or commas',
  read(raw) {
    const entries: unknown[] = Array.isArray(raw) ? raw : [raw];
    const ldapUrls = entries.flatMap((entry) =>
      typeof entry === 'string' ? ldapUrlsIn(entry) : [null],
    );
    return ldapUrls.every((url): url is string => url !== null && isLdapUrl(url))
      ? ldapUrls.map((url) => url.replace(/\/$/, ''))
      : undefined;
  },
};

/** A YAML list of objects, or its JSON in an environment variable. */
const groupRoles: Form<readonly GroupRole[]> = {
  accepts:
    'a list of objects with ldap-group (a distinguished name) and oc-role (the name of a user group), in JSON in the environment',
  read(raw) {
    const list = typeof raw === 'string' ? parsed(raw) : raw;
    if (!Array.isArray(list)) return undefined;
    const pairs = list.map(groupRole);
    return pairs.every((pair): pair is GroupRole => pair !== null) ? pairs : undefined;
  },
};

function groupRole(entry: unknown): GroupRole | null {
  if (typeof entry !== 'object' || entry === null) return null;
  // Like Spring: `ldapGroup`, `ldap-group` and `ldap_group` are the same key.
  const byName = new Map<string, unknown>(
    Object.entries(entry).map(([name, value]: [string, unknown]) => [relaxed(name), value]),
  );
  const [group, role] = [byName.get('ldapgroup'), byName.get('ocrole')];
  if (typeof group !== 'string' || typeof role !== 'string') return null;
  return group.trim() !== '' && isDn(group) && role.trim() !== ''
    ? { group: group.trim(), role: role.trim() }
    : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** YAML 1.1 reads `OFF` as false. Other levels of Spring mean OFF. */
const debugLevel: Form<boolean> = {
  accepts: 'OFF or DEBUG',
  read(raw) {
    const level = String(raw).trim().toLowerCase();
    if (['debug', 'trace', 'all'].includes(level)) return true;
    return ['off', 'false', 'info', 'warn', 'error', 'fatal'].includes(level) ? false : undefined;
  },
};

const key = (name: string) => ({
  key: `spring.security.ldap.${name}`,
  formerKey: `spring.data.ldap.${name}`,
});
const base = text('a distinguished name such as ou=users,dc=example,dc=com', isDn);
const filter = text('an LDAP filter with {0} such as (mail={0})', isFilterTemplate);

/** Settings of the LDAP directory, documented in docs/ldap.md. */
export const LDAP_SETTINGS = {
  ldapUrls: { ...key('urls'), form: urls, fallback: [] as readonly string[] },
  ldapUserSearchBase: { ...key('user-search-base'), form: base, fallback: '' },
  ldapGroupSearchBase: { ...key('group-search-base'), form: base, fallback: '' },
  ldapUsername: { ...key('username'), form: text(), fallback: null as string | null },
  ldapPassword: {
    ...key('password'),
    form: secretText('a text that is not empty', (value) => value !== ''),
    fallback: null as string | null,
    secret: true,
  },
  ldapUserSearchFilter: {
    ...key('user-search-filter'),
    form: filter,
    fallback: '(mailPrimaryAddress={0})',
  },
  ldapGroupSearchFilter: { ...key('group-search-filter'), form: filter, fallback: '(member={0})' },
  ldapGroupRoles: {
    ...key('group-role-mapping'),
    form: groupRoles,
    fallback: [] as readonly GroupRole[],
  },
  ldapDefaultRole: { ...key('default-role'), form: text(), fallback: 'User' },
  /** For a sign-in over all servers, ms. */
  ldapTimeout: {
    ...key('timeout'),
    form: wholeNumber(100, MAX_LDAP_TIMEOUT_MS),
    fallback: 30_000,
  },
  ldapShowLogs: { ...key('show-logs'), form: flag(), fallback: false },
  ldapDebug: {
    key: 'logging.level.org.springframework.security.ldap',
    form: debugLevel,
    fallback: false,
    defaultText: '`OFF`',
  },
  ldapCaFile: {
    key: '<product>.ldap.ca-file',
    form: text('a file with certificates in PEM format'),
    fallback: null as string | null,
  },
  ldapStartTls: { key: '<product>.ldap.start-tls', form: flag(), fallback: false },
} as const;

/** Settings that are valid alone but not together. */
export function ldapProblems(values: {
  readonly ldapUrls: readonly string[];
  readonly ldapUsername: string | null;
  readonly ldapPassword: string | null;
}): string[] {
  if (values.ldapUrls.length === 0) return [];
  if ((values.ldapUsername === null) === (values.ldapPassword === null)) return [];
  const missing = values.ldapUsername === null ? 'username' : 'password';
  return [
    `spring.security.ldap.${missing}: is missing. Set username and password of the bind account, or neither for an anonymous search`,
  ];
}
