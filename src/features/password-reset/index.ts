import type { Feature } from '../../feature';
import { createLockout } from '../../platform/access/lockout';
import { PasswordLinks } from './password-links';
import { PasswordResetResolver } from './password-reset.graphql';
import { passwordResetRoutes } from './password-reset.rest';
import { PasswordReset } from './password-reset.service';

export const passwordResetFeature: Feature = {
  services: {
    passwordLinks: ({ core }) => new PasswordLinks(core),
    passwordReset: ({ core, config, services }) =>
      new PasswordReset({
        core,
        audit: services.audit,
        accounts: {
          passwords: services.userPasswords,
          records: services.userRecords,
          credentials: services.userCredentials,
        },
        links: services.passwordLinks,
        mail: {
          outbox: services.outbox,
          isConfigured: config.mail !== null,
          publicUrl: config.server.publicUrl,
        },
        requests: createLockout(core.clock, config.limits, 'requests for a password'),
      }),
  },
  stop: ({ services }) => services.passwordReset.stop(),
  tags: { Passwords: 'Setting and changing the own password.' },
  resolvers: [PasswordResetResolver],
  routes: ({ services }) => passwordResetRoutes(services),
};
