import { z } from 'zod';
import type { Config } from '../../config/config';
import type { Feature } from '../../feature';
import type { Services } from '../../platform/context';
import { controlCommand } from '../../platform/control/command';
import { SecondFactorLogin } from './second-factor-login';
import { SecondFactorRecords } from './second-factor-records';
import { SecondFactorOfUserResolver, SecondFactorResolver } from './second-factor.graphql';
import { needsSecondFactorIn } from '../sessions/session.policy';
import { secondFactorRoutes } from './second-factor.rest';
import { SecondFactorService } from './second-factor.service';

/** Returns whether the configuration requires a second factor of the members of a group. */
function enforcement(
  { secondFactor: { groups } }: Config,
  { directory }: Services,
): (groupId: number) => boolean {
  const needsSecondFactor = needsSecondFactorIn(groups);
  return (groupId) => needsSecondFactor(directory.group(groupId)?.name ?? '');
}

export const secondFactorFeature: Feature = {
  services: {
    secondFactorRecords: ({ core, vault, lockouts, config, tokenSecret: secret }) =>
      new SecondFactorRecords({
        core,
        vault,
        lockout: lockouts.logins,
        issuer: config.productPrefix,
        secret,
      }),
    secondFactors: ({ core, config, services }) =>
      new SecondFactorService({
        core,
        audit: services.audit,
        records: services.secondFactorRecords,
        sessions: services.sessions,
        accounts: {
          users: services.userRecords,
          credentials: services.userCredentials,
          permissions: services.userPermissions,
        },
        isEnforced: enforcement(config, services),
      }),
    secondFactorLogin: ({ core, config, services }) =>
      new SecondFactorLogin({
        core,
        records: services.secondFactorRecords,
        secondFactors: services.secondFactors,
        users: services.userRecords,
        sessions: services.sessionOpening,
        isEnforced: enforcement(config, services),
      }),
  },
  sealed: ({ secondFactorRecords }) => [secondFactorRecords],
  async prepare({ core, config: { secondFactor, productPrefix }, services: { directory } }) {
    const { groups } = await directory.fresh();
    for (const name of secondFactor.groups) {
      const isOfName = needsSecondFactorIn([name]);
      if (name !== '*' && ![...groups.values()].some((group) => isOfName(group.name)))
        core.log.warn(
          { group: name },
          `${productPrefix}.second-factor.groups: there is no user group "${name}", so this name has no effect. Correct it, or create the group.`,
        );
    }
  },
  commands: ({ secondFactors, secondFactorRecords, userRecords }) => [
    controlCommand(
      'user reset-2fa',
      z.object({ email: z.string() }),
      async (actor, { email }) => {
        const user = await userRecords.getByEmail(email);
        const [before] = await secondFactorRecords.states([user.id]);
        await secondFactors.changeOther(actor, user.id, 'disable');
        return { id: user.id, email: user.email, before };
      },
      ({ email }) => email,
    ),
  ],
  tags: { 'Second factor': 'Codes of an authenticator app in addition to the password.' },
  resolvers: [SecondFactorResolver, SecondFactorOfUserResolver],
  routes: ({ services, presenters }) => secondFactorRoutes(services, presenters),
};
