import type { Feature } from '../../platform/feature';
import { SupportLogResolver } from './support-log.graphql';
import { documentedSupportLogs } from './support-log.presenter';
import { supportLogRoutes } from './support-log.rest';
import { supportLogDestinations } from './support-log.stomp';

export const supportLogsFeature: Feature = {
  tags: { 'Support files': 'Logs of workflows, packed for whoever is asked for help.' },
  resolvers: [SupportLogResolver],
  presenters: { supportLogs: documentedSupportLogs },
  routes: ({ services, presenters }) => supportLogRoutes(services, presenters),
  destinations: ({ services }) => supportLogDestinations(services),
};
