import type { Feature } from '../../platform/feature';
import { socketInfoRoutes } from './socket-info.rest';
import { systemCheckRoutes } from './system-check.rest';
import { systemRoutes } from './system.rest';

export const systemFeature: Feature = {
  tags: { System: 'For probes, frontends and tools.' },
  routes: ({ services, config, system }) => [
    ...systemRoutes(config, system),
    ...systemCheckRoutes(services),
    ...socketInfoRoutes(),
  ],
};
