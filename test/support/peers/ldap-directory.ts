import type { Entry } from './ldap-server';

const BASE = 'dc=example,dc=com';
export const READER: Entry = {
  dn: `cn=reader,${BASE}`,
  password: 'reader password',
  attributes: {},
};
export const USERS = `ou=users,${BASE}`;
export const GROUPS = `ou=groups,${BASE}`;
/** The search bases, which a directory needs as entries. */
export const BRANCHES: readonly Entry[] = [USERS, GROUPS].map((dn) => ({ dn, attributes: {} }));
export const person = (name: string, more: Entry['attributes'] = {}): Entry => ({
  dn: `uid=${name},${USERS}`,
  password: `secret of ${name}`,
  attributes: { uid: name, mail: `${name}@example.com`, ...more },
});
export const group = (name: string, ...members: string[]): Entry => ({
  dn: `CN=${name},${GROUPS}`,
  attributes: { cn: name, member: members.map((member) => `uid=${member},${USERS}`) },
});

/** Settings of a service that uses a server with these entries. */
export const environment = (urls: string): Record<string, string> => ({
  SPRING_SECURITY_LDAP_URLS: urls,
  SPRING_SECURITY_LDAP_USER_SEARCH_BASE: USERS,
  SPRING_SECURITY_LDAP_GROUP_SEARCH_BASE: GROUPS,
  SPRING_SECURITY_LDAP_USERNAME: READER.dn,
  SPRING_SECURITY_LDAP_PASSWORD: 'reader password',
  SPRING_SECURITY_LDAP_USER_SEARCH_FILTER: '(mail={0})',
  SPRING_SECURITY_LDAP_GROUP_ROLE_MAPPING: JSON.stringify([
    { 'ldap-group': `CN=Admins, ${GROUPS.toUpperCase()}`, 'oc-role': 'Admin' },
    { 'ldap-group': `cn=staff,${GROUPS}`, 'oc-role': 'User' },
    { 'ldap-group': `cn=lost,${GROUPS}`, 'oc-role': 'Missing' },
  ]),
});
