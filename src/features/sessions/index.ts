import { Authenticator } from './authenticator.service';
import { LoginService } from './login.service';
import { SessionOpening } from './session-opening';
import { SessionService } from './session.service';
import type { Feature } from '../../feature';
import { SessionResolver, SessionsOfUserResolver } from './session.graphql';
import { sessionRoutes } from './session.rest';
import { needsSecondFactorIn } from './session.policy';

declare module '../../platform/context' {
  interface Services {
    authenticator: Authenticator;
  }
}

export const sessionsFeature: Feature = {
  services: {
    authenticator: ({ core, config, services, tokens, runMarks }) =>
      new Authenticator(
        {
          core,
          tokens,
          marks: runMarks,
          sessions: services.sessions,
          users: services.userRecords,
          directory: services.directory,
        },
        needsSecondFactorIn(config.secondFactor.groups),
      ),
    login: ({ services: { audit, userCredentials, sessionOpening, secondFactorLogin } }) =>
      new LoginService({
        audit,
        credentials: userCredentials,
        sessions: sessionOpening,
        secondFactor: secondFactorLogin,
      }),
    sessionOpening: ({ services, tokens }) =>
      new SessionOpening({
        audit: services.audit,
        users: services.userRecords,
        secondFactors: services.secondFactorRecords,
        sessions: services.sessions,
        directory: services.directory,
        tokens,
      }),
    sessions: ({ core, config, services: { audit, userRecords, userPermissions } }) =>
      new SessionService({
        core,
        audit,
        users: userRecords,
        permissions: userPermissions,
        limits: config.token,
      }),
  },
  startRecurring: ({ services }) => services.sessions.cleanup.start(),
  stop: ({ services }) => services.sessions.cleanup.stop(),
  tags: { Sessions: 'Signing in and out.' },
  resolvers: [SessionResolver, SessionsOfUserResolver],
  routes: ({ services, presenters }) => sessionRoutes(services, presenters),
  // Notifies the frontend of released clients when its session ends.
  destinations: () => [
    { path: '/user/session', needs: 'authenticated', farewell: { event: 'FORCE_LOGOUT' } },
  ],
};
