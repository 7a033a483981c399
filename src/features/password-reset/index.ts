import type { Config } from '../../config/config';
import type { Feature } from '../../feature';
import type { Services } from '../../platform/context';
import type { MailSettings } from './mail-settings';
import { Invitations } from './invitations.service';
import { invitationRoutes } from './invitations.rest';
import { PasswordLinks } from './password-links';
import { PasswordResetResolver } from './password-reset.graphql';
import { passwordResetRoutes } from './password-reset.rest';
import { PasswordReset } from './password-reset.service';

const mailSettings = (
  { notifications, server: { publicUrl }, productPrefix }: Config,
  { outbox }: Pick<Services, 'outbox'>,
): MailSettings => ({
  outbox,
  publicUrl,
  missingKeys: [
    ...notifications.missingMailKeys,
    ...(publicUrl === null ? [`${productPrefix}.public-url`] : []),
  ],
});

export const passwordResetFeature: Feature = {
  services: {
    invitations: ({ core, config, services }) =>
      new Invitations({
        core,
        audit: services.audit,
        accounts: {
          users: services.users,
          records: services.userRecords,
          permissions: services.userPermissions,
        },
        links: services.passwordLinks,
        mail: mailSettings(config, services),
      }),
    passwordLinks: ({ core }) => new PasswordLinks(core),
    passwordReset: ({ core, config, lockouts, services }) =>
      new PasswordReset(
        {
          core,
          audit: services.audit,
          users: services.userRecords,
          passwords: services.userPasswords,
          links: services.passwordLinks,
          mail: mailSettings(config, services),
        },
        lockouts.passwordRequests,
      ),
  },
  stop: ({ services }) => services.passwordReset.stop(),
  tags: { Passwords: 'Setting and changing the own password.' },
  resolvers: [PasswordResetResolver],
  routes: ({ services, presenters }) => [
    ...passwordResetRoutes(services),
    ...invitationRoutes(services, presenters),
  ],
};
