import { z } from 'zod';
import type { Feature } from '../../feature';
import { controlCommand } from '../../platform/control/command';
import { LdapCheckService } from './ldap-check.service';
import { LdapDirectory } from './ldap-directory';
import { LdapResolver } from './ldap.graphql';
import { documentedLdap, ldapRoutes, releasedLdap } from './ldap.rest';

export const ldapFeature: Feature = {
  services: {
    ldapCheck: ({ core, config, services: { audit, directory } }) =>
      new LdapCheckService({ core, audit, groups: directory, config }),
    ldapDirectory: ({ core, config }) => new LdapDirectory(config.ldap, core),
  },
  commands: ({ ldapCheck }) => [
    controlCommand('ldap test', z.object({ email: z.string() }), (actor, input) =>
      ldapCheck.run(actor, input),
    ),
  ],
  stop: async ({ services }) => services.ldapDirectory.close(),
  tags: { LDAP: 'The directory that checks passwords of users without a local one.' },
  resolvers: [LdapResolver],
  presenters: { ldap: documentedLdap },
  releasedPresenters: { ldap: releasedLdap },
  routes: ({ services, presenters }) => ldapRoutes(services, presenters),
};
