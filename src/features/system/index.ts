import { createSystemCheck } from './system-check.service';
import type { Feature } from '../../feature';
import { socketInfoRoutes } from './socket-info.rest';
import { systemCheckRoutes } from './system-check.rest';
import { systemRoutes } from './system.rest';

export const systemFeature: Feature = {
  services: {
    systemCheck: ({ core: { store }, config, services: { polyglot } }) =>
      createSystemCheck({ store, config, launched: () => polyglot.launched }),
  },
  tags: { System: 'For probes, frontends and tools.' },
  routes: ({ services, config, system }) => [
    ...systemRoutes(config, system),
    ...systemCheckRoutes(services),
    ...socketInfoRoutes(),
  ],
};
