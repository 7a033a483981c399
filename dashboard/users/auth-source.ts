import type { AuthSource } from '../generated/operations';

/** What checks the password of a user. */
export const AUTH_SOURCE_TEXTS: Readonly<Record<AuthSource, string>> = {
  LOCAL: 'Local',
  LDAP: 'LDAP directory',
};
