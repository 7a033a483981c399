import type { Config } from '../../config/config';
import type { Clock } from '../../platform/clock/clock';
import type { Vault } from '../../platform/crypto/vault';
import type { Uploads } from '../../platform/files/uploads';
import type { Outbound } from '../../platform/outbound';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { createConnectorCheck } from './check/connector-check';
import { createRemoteSchemas } from './check/remote-schema';
import { createConnectorDeletion } from './connector-deletion';
import { createConnectorFields } from './connector-fields';
import { createConnectorIcons } from './connector-icons';
import { createConnectorReads } from './connector-reads';
import { createConnectorSaving } from './connector-saving';
import { createConnectorSuspensions } from './connector-suspensions';
import { createConnectorSealing } from './connector-sealing';
import { connectorModel } from './connector.model';
import type { ConnectorPorts } from './connector.ports';
import { createCredentials } from './credentials';
import { createRunConnectors } from './run-connectors';
import { createKnownConnectors } from './known-connectors';
import type { MasterPasswordService } from './master-password.service';

export type { CheckOutcome, CheckRequest } from './check/connector-check';
export type { RemoteSchema } from './check/remote-schema';
export type { ConnectorField } from './connector-fields';
export type { ConnectorRecord } from './connector.model';
export type { ConnectorPorts, InvokerFacts, KnownInvokers } from './connector.ports';
export type { ConnectorChange, NewConnector } from './connector-saving';

declare module '../../platform/context' {
  interface Services {
    connectors: ConnectorService;
  }
}

export interface ConnectorDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly uploads: Uploads;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly masterPassword: MasterPasswordService;
  readonly config: Pick<Config, 'outbound'>;
  readonly ports: ConnectorPorts;
}

export type ConnectorService = ReturnType<typeof createConnectorService>;

/** Remote systems and their credentials; each use case has its own file. */
export function createConnectorService({
  store,
  clock,
  audit,
  uploads,
  vault,
  outbound,
  masterPassword,
  config,
  ports,
}: ConnectorDependencies) {
  const connectors = connectorModel(store);
  const credentials = createCredentials(vault);
  const reads = createConnectorReads(store);
  const { invokers, workflows } = ports;
  const { timeoutMs } = config.outbound;
  const suspensions = createConnectorSuspensions({
    store,
    clock,
    audit,
    connectors,
    reads,
    invokers,
    credentials,
    masterPassword,
  });
  return {
    uploads,
    ...reads,
    ...createConnectorFields({ store, audit, invokers, credentials, suspensions, masterPassword }),
    ...createConnectorSaving({
      store,
      clock,
      audit,
      connectors,
      invokers,
      credentials,
      masterPassword,
    }),
    ...createConnectorIcons({ store, clock, audit, uploads, connectors, reads }),
    ...createConnectorDeletion({ store, audit, uploads, connectors, reads, workflows }),
    ...createConnectorCheck({
      store,
      clock,
      audit,
      connectors,
      invokers,
      credentials,
      outbound,
      timeoutMs,
    }),
    ...createRemoteSchemas({
      store,
      audit,
      reads,
      invokers,
      credentials,
      suspensions,
      outbound,
      masterPassword,
      timeoutMs,
    }),
    ...suspensions,
    known: createKnownConnectors({ connectors, reads, suspensions }),
    forRuns: createRunConnectors({ reads, invokers, credentials, suspensions }),
    sealing: createConnectorSealing({ store, connectors, credentials }),
  };
}
