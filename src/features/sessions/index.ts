import { createAuthenticate } from './authenticate.service';
import { createLoginService } from './login.service';
import { createMayStill } from './may-still';
import { createSessionEndings } from './session-endings.service';
import { createSessionService } from './session.service';
import type { Feature } from '../../feature';
import { SessionResolver } from './session.graphql';
import { sessionRoutes } from './session.rest';
import { sessionDestinations } from './session.stomp';
import { SessionsOfUserResolver } from './user-sessions.graphql';

declare module '../../platform/context' {
  interface Services {
    authenticate: Authenticate;
    mayStill: ReturnType<typeof createMayStill>;
  }
}

export const sessionsFeature: Feature = {
  services: {
    authenticate: ({
      core: { store, bus, clock },
      services: { sessions, users, directory },
      tokens,
      runMarks,
    }) =>
      createAuthenticate({
        tokens,
        marks: runMarks,
        sessions,
        users,
        directory,
        clock,
        bus,
        store,
      }),
    login: ({
      core,
      services: { audit, users, sessions, directory },
      passwords,
      tokens,
      lockout,
    }) =>
      createLoginService({
        store: core.store,
        audit,
        users,
        sessions,
        directory,
        passwords,
        tokens,
        lockout,
      }),
    mayStill: ({ services: { users, directory } }) => createMayStill({ users, directory }),
    sessionEndings: ({ core: { store }, services: { audit, sessions, users } }) =>
      createSessionEndings({ store, audit, sessions, users }),
    sessions: ({ core: { store, bus, clock, log }, config }) =>
      createSessionService({
        store,
        bus,
        clock,
        limits: config.token,
        onFault: (error) => log.error({ err: error }, 'Could not delete ended sessions.'),
      }),
  },
  start: ({ services }) => services.sessions.sweeping.start(),
  stop: ({ services }) => services.sessions.sweeping.stop(),
  tags: { Sessions: 'Signing in and out.' },
  resolvers: [SessionResolver, SessionsOfUserResolver],
  routes: ({ services, presenters }) => sessionRoutes(services, presenters),
  destinations: () => sessionDestinations,
};
