import type { Actor } from '../../platform/access/actor';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { ConnectorRecord } from './connector.model';
import type { InvokerFacts, KnownInvokers, RequiredField, Visibility } from './connector.ports';
import type { Credentials } from './credentials';
import type { MasterPasswordService, Presented } from './master-password.service';

/** A field of a connector's credentials, as whoever asks may see it. */
export interface ConnectorField {
  readonly name: string;
  /** As the invoker has it; null where the invoker does not know the field. */
  readonly type: string | null;
  readonly visibility: Visibility;
  /** Is a value stored? */
  readonly stored: boolean;
  /** Null: none is stored, or it is hidden. */
  readonly value: string | null;
}

export interface ConnectorFieldsDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly invokers: KnownInvokers;
  readonly credentials: Credentials;
  readonly masterPassword: MasterPasswordService;
}

/** The credentials of connectors as they are shown: public fields to everybody who may read the connector, the others for the master password alone. */
export function createConnectorFields({ store, audit, invokers, credentials, masterPassword }: ConnectorFieldsDependencies) {
  /** Of an invoker that is gone nobody knows what is public: nothing is. */
  const fieldsOf = (record: ConnectorRecord, invoker: InvokerFacts | null, showsAll: boolean): ConnectorField[] => {
    const known: readonly RequiredField[] = invoker?.requiredData ?? [];
    const names = new Set(known.map(({ name }) => name));
    const shown = showsAll ? undefined : new Set(known.filter(({ visibility }) => visibility === 'public').map(({ name }) => name));
    const values = new Map(Object.entries(credentials.opened(record, shown)));
    const stored = new Set(record.requestData.map(({ name }) => name));
    const field = (name: string, type: string | null, visibility: Visibility): ConnectorField => ({ name, type, visibility, stored: stored.has(name), value: values.get(name) ?? null });
    return [
      ...known.map(({ name, type, visibility }) => field(name, type, visibility)),
      ...[...stored].filter((name) => !names.has(name)).map((name) => field(name, null, 'private')),
    ];
  };

  return {
    /**
     * The fields of each connector, hidden values too when the request brings the master password; that they were shown is recorded.
     * @throws Forbidden   MASTER_PASSWORD_WRONG
     * @throws RateLimited too many wrong ones
     */
    async fieldsOf(actor: Actor, records: readonly ConnectorRecord[], presented: Presented): Promise<ConnectorField[][]> {
      const showsAll = await masterPassword.shows(actor, presented);
      if (showsAll && records.length > 0) {
        const ids = records.map(({ _id }) => _id);
        await store.transaction((tx) => audit.record(actor, 'connector.reveal', { type: 'Connector', id: ids.length === 1 ? ids[0] : 'several' }, null, { connectors: ids }, tx));
      }
      const known = await invokers.byNames([...new Set(records.map(({ invoker }) => invoker))]);
      return records.map((record) => fieldsOf(record, known.get(record.invoker) ?? null, showsAll));
    },
  };
}
