import type { Feature } from '../../feature';
import { ApplicationConfigResolver } from './application-config.graphql';
import { applicationConfigRoutes } from './application-config.rest';
import { ApplicationConfigService } from './application-config.service';

export const applicationConfigFeature: Feature = {
  services: {
    applicationConfig: ({ core, config, restart, services: { audit, masterPassword } }) =>
      new ApplicationConfigService({ core, audit, masterPassword, config, restart }),
  },
  start: ({ core, services }) => {
    void services.applicationConfig.writeProblems().then((problems) => {
      for (const problem of problems)
        core.log.warn(`The configuration cannot be changed on the page: ${problem}`);
    });
  },
  tags: { 'System Configuration': 'The configuration file of the service, and its backups.' },
  resolvers: [ApplicationConfigResolver],
  routes: ({ services }) => applicationConfigRoutes(services),
};
