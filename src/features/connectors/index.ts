import { createLockout } from '../../platform/access/lockout';
import { createConnectorService } from './connector.service';
import { createMasterPassword } from './master-password.service';
import { createRekeying } from './rekeying.service';
import { sealedOf } from '../../feature';
import type { Feature } from '../../feature';
import { connectorPolicy } from './connector.policy';
import { connectorRemoteRoutes } from './connector-remote.rest';
import { ConnectorResolver } from './connector.graphql';
import { documentedConnectors } from './connector.presenter';
import { connectorRoutes } from './connector.rest';
import { ConnectorsOfInvokerResolver, InvokerOfConnectorResolver } from './invoker-links.graphql';
import { ConnectorOfStepResolver } from './step-connector.graphql';

export const connectorsFeature: Feature = {
  services: {
    connectors: ({ core: { store, clock }, config, services, uploads, vault, outbound }) =>
      createConnectorService({
        store,
        clock,
        audit: services.audit,
        uploads,
        vault,
        outbound,
        masterPassword: services.masterPassword,
        config,
        ports: {
          invokers: {
            byName: (name) => services.invokers.byName(name),
            byNames: (names) => services.invokers.byNames(names),
            claim: (name, tx, path) => services.invokers.claim(name, tx, path),
          },
          workflows: { using: (things, tx) => services.workflows.using(things, tx) },
        },
      }),
    masterPassword: ({ core: { store, clock }, config, services: { audit } }) =>
      createMasterPassword({
        store,
        audit,
        lockout: createLockout(clock, config.limits, 'master passwords'),
        masterPassword: config.connector.masterPassword,
      }),
    rekeying: ({ core: { store, clock, log }, services, features, vault }) =>
      createRekeying({
        store,
        clock,
        log,
        audit: services.audit,
        vault,
        sealed: sealedOf(features, services),
      }),
  },
  sealed: ({ connectors }) => [connectors.sealing],
  search: ({ connectors }) => ({
    type: 'Connector',
    need: connectorPolicy.read,
    find: (...of) => connectors.searchTitles(...of),
  }),
  tags: { Connectors: 'Remote systems, the credentials for them, and the master password.' },
  resolvers: [
    ConnectorOfStepResolver,
    ConnectorResolver,
    ConnectorsOfInvokerResolver,
    InvokerOfConnectorResolver,
  ],
  presenters: { connectors: documentedConnectors },
  routes: ({ services, presenters }) => [
    ...connectorRoutes(services, presenters),
    ...connectorRemoteRoutes(services, presenters),
  ],
};
