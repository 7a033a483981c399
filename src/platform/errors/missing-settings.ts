import { Refused } from './errors';

/** Says why something cannot be done, and which keys of the configuration it needs. */
export const missingSettings = (reason: string, keys: readonly string[]): string =>
  `${reason}. Set ${keys.join(', ')} in the configuration.`;

export const ldapNotConfigured = (): Refused =>
  new Refused(
    'LDAP_NOT_CONFIGURED',
    missingSettings('No LDAP directory is configured', ['spring.security.ldap.urls']),
  );
