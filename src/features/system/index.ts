import { z } from 'zod';
import type { Feature } from '../../feature';
import { controlCommand } from '../../platform/control/command';
import {
  documentedFrontendSettings,
  releasedFrontendSettings,
} from '../../platform/http/frontend-settings';
import { PROCESS_STATES } from '../../platform/store/startup/process-records';
import { createChecks } from './component-checks';
import { ProcessResolver } from './process.graphql';
import { processRoutes } from './process.rest';
import { ProcessService } from './process.service';
import { SystemCheckResolver, SystemComponentResolver } from './system-check.graphql';
import { systemCheckRoutes } from './system-check.rest';
import { SystemCheckService } from './system-check.service';
import { socketInfoRoutes, systemRoutes } from './system.rest';

/** What released clients read about the licence: this service has none, and no limits. */
const SUBSCRIPTION = {
  subscriptionId: 'unlimited',
  name: 'Unlimited',
  status: 'ACTIVE',
  startDate: 0,
  endDate: 0,
} as const;

export const systemFeature: Feature = {
  services: {
    systemCheck: ({ core: { store, clock, log }, config, hints, services }) =>
      new SystemCheckService({
        clock,
        log,
        checks: createChecks({
          store,
          hints,
          config,
          clock,
          mails: services.mails.sender,
          ldap: services.ldapDirectory,
          schedules: services.scheduleRecords,
          launched: () => services.polyglot.launched,
        }),
      }),
    processList: ({ processes, services }) => new ProcessService(processes, services.runLeases),
  },
  gauges: ({ hints, processes }) => [
    {
      name: 'hypha_processes',
      help: 'Processes that share the store, by state. Dead ones count for a day.',
      labels: ['state'],
      async read() {
        const list = await processes.list();
        return PROCESS_STATES.map((state) => ({
          labels: { state },
          value: list.filter((each) => each.state === state).length,
        }));
      },
    },
    {
      name: 'hypha_redis_up',
      help: '1 while Redis carries hints to this process; otherwise it only polls the store.',
      read: () => (hints === null ? [] : [{ value: hints.isUp ? 1 : 0 }]),
    },
  ],
  commands: ({ systemCheck, processList }) => [
    controlCommand('system check', z.object({}), (actor) => systemCheck.read(actor)),
    controlCommand('processes', z.object({}), async () => ({
      processes: await processList.list(),
    })),
  ],
  tags: { System: 'Probes, and information for frontends and tools.' },
  resolvers: [SystemCheckResolver, SystemComponentResolver, ProcessResolver],
  presenters: { frontendSettings: documentedFrontendSettings },
  releasedPresenters: { frontendSettings: releasedFrontendSettings },
  routes: ({ services, config, system, presenters }) => [
    ...systemRoutes(config, system, presenters),
    ...systemCheckRoutes(services),
    ...processRoutes(services),
    ...socketInfoRoutes(),
  ],
  destinations: () => [
    {
      path: '/subscription',
      needs: 'authenticated',
      async *messages() {
        yield await Promise.resolve(SUBSCRIPTION);
      },
    },
  ],
};
