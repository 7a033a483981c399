import type { Feature } from '../../platform/feature';
import { SessionResolver } from './session.graphql';
import { sessionRoutes } from './session.rest';
import { sessionDestinations } from './session.stomp';
import { SessionsOfUserResolver } from './user-sessions.graphql';

export const sessionsFeature: Feature = {
  tags: { Sessions: 'Signing in and out.' },
  resolvers: [SessionResolver, SessionsOfUserResolver],
  routes: ({ services, presenters }) => sessionRoutes(services, presenters),
  destinations: () => sessionDestinations,
};
