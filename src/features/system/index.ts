import { SystemCheck } from './system-check.service';
import type { Feature } from '../../feature';
import { socketInfoRoutes, systemCheckRoutes, systemRoutes } from './system.rest';

export const systemFeature: Feature = {
  services: {
    systemCheck: ({ core: { store }, config, services: { mails, polyglot } }) =>
      new SystemCheck({
        store,
        config,
        mails: mails.sender,
        launched: () => polyglot.launched,
      }),
  },
  tags: { System: 'Probes, and information for frontends and tools.' },
  routes: ({ services, config, system }) => [
    ...systemRoutes(config, system),
    ...systemCheckRoutes(services),
    ...socketInfoRoutes(),
  ],
};
