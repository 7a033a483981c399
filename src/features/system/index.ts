import { z } from 'zod';
import type { Feature } from '../../feature';
import { controlCommand } from '../../platform/control/command';
import {
  documentedFrontendSettings,
  releasedFrontendSettings,
} from '../../platform/http/frontend-settings';
import { createChecks } from './component-checks';
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
  },
  gauges: ({ hints }) => [
    {
      name: 'hypha_redis_up',
      help: '1 while Redis carries hints to this process; otherwise it only polls the store.',
      read: () => (hints === null ? [] : [{ value: hints.isUp ? 1 : 0 }]),
    },
  ],
  commands: ({ systemCheck }) => [
    controlCommand('system check', z.object({}), (actor) => systemCheck.read(actor)),
  ],
  tags: { System: 'Probes, and information for frontends and tools.' },
  resolvers: [SystemCheckResolver, SystemComponentResolver],
  presenters: { frontendSettings: documentedFrontendSettings },
  releasedPresenters: { frontendSettings: releasedFrontendSettings },
  routes: ({ services, config, system, presenters }) => [
    ...systemRoutes(config, system, presenters),
    ...systemCheckRoutes(services),
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
