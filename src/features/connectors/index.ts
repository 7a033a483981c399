import { z } from 'zod';
import { controlCommand } from '../../platform/control/command';
import { sealedOf } from '../../feature';
import { ConnectorCatalog } from './connector-catalog';
import { ConnectorCheck } from './connector-check';
import { ConnectorFields } from './connector-fields';
import { ConnectorStates } from './connector-states';
import { connectorPolicy } from './connector.policy';
import { ConnectorService } from './connector.service';
import { Credentials } from './credentials/credentials';
import { MasterPasswordService } from './credentials/master-password.service';
import { RekeyingService } from './credentials/rekeying.service';
import { RemoteSchemas } from './remote-schemas';
import { RunConnectors } from './run-connectors';
import { ShownInvokers } from './shown-invokers';
import type { Feature } from '../../feature';
import { connectorCredentialRoutes } from './credentials/connector-credentials.rest';
import { connectorIconRoutes } from './connector-icons.rest';
import {
  ConnectorOfStepResolver,
  ConnectorsOfInvokerResolver,
  InvokerOfConnectorResolver,
} from './connector-links.graphql';
import { ConnectorResolver } from './connector.graphql';
import { documentedConnectors, releasedConnectors } from './connector.presenter';
import { documentedConnectorInputs, releasedConnectorInputs } from './connector.schema';
import { connectorStateRoutes } from './connector-states.rest';
import { connectorRoutes } from './connector.rest';
import { connectorDestinations } from './connector.stomp';

declare module '../../platform/context' {
  interface Services {
    credentials: Credentials;
    runConnectors: RunConnectors;
    shownInvokers: ShownInvokers;
  }
}

export const connectorsFeature: Feature = {
  services: {
    connectorCatalog: ({ core: { store, bus }, services: { credentials, invokerCatalog } }) =>
      new ConnectorCatalog({ store, bus, credentials, invokers: invokerCatalog }),
    connectorCheck: ({ core, config, outbound, services }) =>
      new ConnectorCheck({
        core,
        audit: services.audit,
        catalog: services.connectorCatalog,
        credentials: services.credentials,
        invokers: services.invokerCatalog,
        remote: { outbound, timeoutMs: config.outbound.timeoutMs },
      }),
    connectorFields: ({ core, services }) =>
      new ConnectorFields({
        core,
        audit: services.audit,
        catalog: services.connectorCatalog,
        credentials: services.credentials,
        invokers: services.invokerCatalog,
        masterPassword: services.masterPassword,
      }),
    connectorStates: ({ core, services }) => new ConnectorStates(core, services.connectorCatalog),
    connectors: ({ core, services, uploads }) =>
      new ConnectorService({
        core,
        audit: services.audit,
        uploads,
        catalog: services.connectorCatalog,
        fields: services.connectorFields,
        workflowReferences: services.workflowReferences,
      }),
    credentials: ({ core: { store }, vault }) => new Credentials(store, vault),
    masterPassword: ({ core: { store }, config, lockouts, services: { audit } }) =>
      new MasterPasswordService(
        { store, audit, lockout: lockouts.masterPasswords },
        config.connector.masterPassword,
      ),
    rekeying: ({ core, services, features, vault }) =>
      new RekeyingService({
        core,
        audit: services.audit,
        vault,
        sealed: sealedOf(features, services),
      }),
    remoteSchemas: ({ core: { store }, config, outbound, services }) =>
      new RemoteSchemas({
        store,
        audit: services.audit,
        catalog: services.connectorCatalog,
        credentials: services.credentials,
        invokers: services.invokerCatalog,
        remote: { outbound, timeoutMs: config.outbound.timeoutMs },
      }),
    runConnectors: ({ services: { connectorCatalog, credentials } }) =>
      new RunConnectors({ catalog: connectorCatalog, credentials }),
    shownInvokers: ({ services }) => new ShownInvokers(services),
  },
  sealed: ({ credentials }) => [credentials],
  commands: ({ rekeying }) => [
    controlCommand(
      'secrets rekey',
      z.object({ masterPassword: z.string().nullable() }),
      async (actor, { masterPassword }, report) => ({
        records: await rekeying.change(actor, masterPassword, report),
      }),
    ),
  ],
  search: ({ connectorCatalog }) => ({
    type: 'Connector',
    need: connectorPolicy.read,
    find: (...of) => connectorCatalog.searchTitles(...of),
  }),
  tags: { Connectors: 'Remote systems, the credentials for them, and the master password.' },
  resolvers: [
    ConnectorOfStepResolver,
    ConnectorResolver,
    ConnectorsOfInvokerResolver,
    InvokerOfConnectorResolver,
  ],
  presenters: { connectors: documentedConnectors, connectorInputs: documentedConnectorInputs },
  releasedPresenters: { connectors: releasedConnectors, connectorInputs: releasedConnectorInputs },
  routes: ({ services, presenters }) => [
    ...connectorRoutes(services, presenters),
    ...connectorIconRoutes(services, presenters),
    ...connectorStateRoutes(services, presenters),
    ...connectorCredentialRoutes(services, presenters),
  ],
  destinations: ({ services, presenters }) => connectorDestinations(services, presenters),
};
