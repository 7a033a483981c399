import { createSupportLogService } from './support-log.service';
import type { Feature } from '../../feature';
import { SupportLogResolver } from './support-log.graphql';
import { documentedSupportLogs } from './support-log.presenter';
import { supportLogRoutes } from './support-log.rest';
import { supportLogDestinations } from './support-log.stomp';

export const supportLogsFeature: Feature = {
  services: {
    supportLogs: ({
      core: { store, bus, clock },
      config,
      services: {
        audit,
        jobs,
        maskingRules,
        workflowExchange,
        runEvents,
        runLogFiles,
        runs,
        systemCheck,
      },
    }) =>
      createSupportLogService({
        store,
        bus,
        clock,
        audit,
        jobs,
        maskingRules,
        exchange: workflowExchange,
        runs,
        runEvents,
        runLogFiles,
        systemCheck,
        keepDays: config.supportLogs.keepDays,
      }),
  },
  tags: { 'Support files': 'Logs of workflows, packed for whoever is asked for help.' },
  resolvers: [SupportLogResolver],
  presenters: { supportLogs: documentedSupportLogs },
  routes: ({ services, presenters }) => supportLogRoutes(services, presenters),
  destinations: ({ services }) => supportLogDestinations(services),
};
