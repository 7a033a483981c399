import type { Feature } from '../../platform/feature';
import { connectorRemoteRoutes } from './connector-remote.rest';
import { ConnectorResolver } from './connector.graphql';
import { documentedConnectors } from './connector.presenter';
import { connectorRoutes } from './connector.rest';
import { ConnectorsOfInvokerResolver, InvokerOfConnectorResolver } from './invoker-links.graphql';
import { ConnectorOfStepResolver } from './step-connector.graphql';

export const connectorsFeature: Feature = {
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
