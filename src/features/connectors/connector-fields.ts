import type { Actor } from '../../platform/access/actor';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { ConnectorRecord } from './connector.model';
import type { InvokerFacts, KnownInvokers, RequiredField, Visibility } from './connector.ports';
import type { ConnectorSuspensions } from './connector-suspensions';
import { visibilityOf } from './consent';
import type { Credentials } from './credentials';
import type { MasterPasswordService, Presented } from './master-password.service';

export interface ConnectorField {
  readonly name: string;
  /** The type that the invoker declares; null if the invoker does not declare the field. */
  readonly type: string | null;
  /** The visibility that the invoker declares, but never weaker than when the value was entered. */
  readonly visibility: Visibility;
  readonly stored: boolean;
  /** Null if none is stored or it is hidden. */
  readonly value: string | null;
  /** True if the value would go to origins it was not entered for. It is then sent nowhere. */
  readonly suspended: boolean;
  /** The origins that cause the suspension, except those that only hidden fields name. */
  readonly unconfirmedOrigins: readonly string[];
}

export interface ConnectorFieldsDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly invokers: KnownInvokers;
  readonly credentials: Credentials;
  readonly suspensions: Pick<ConnectorSuspensions, 'suspendedOf'>;
  readonly masterPassword: MasterPasswordService;
}

/**
 * Credentials as shown to callers: public fields to all readers of the connector, the others only
 * with the master password.
 */
export function createConnectorFields({
  store,
  audit,
  invokers,
  credentials,
  suspensions,
  masterPassword,
}: ConnectorFieldsDependencies) {
  /** If the invoker was deleted, no field is known to be public. */
  const fieldsOf = async (
    record: ConnectorRecord,
    invoker: InvokerFacts | null,
    showsAll: boolean,
  ): Promise<ConnectorField[]> => {
    const known: readonly RequiredField[] = invoker?.requiredData ?? [];
    const names = new Set(known.map(({ name }) => name));
    const stored = new Map(record.requestData.map((field) => [field.name, field]));
    const visibility = (name: string): Visibility => visibilityOf(stored.get(name), invoker, name);
    const shown = showsAll
      ? undefined
      : new Set([...stored.keys()].filter((name) => visibility(name) === 'public'));
    const values = new Map(Object.entries(credentials.opened(record, shown)));
    const suspended = new Map(
      (await suspensions.suspendedOf(record, invoker)).map(({ name, origins }) => [name, origins]),
    );
    const field = (name: string, type: string | null): ConnectorField => ({
      name,
      type,
      visibility: visibility(name),
      stored: stored.has(name),
      value: values.get(name) ?? null,
      suspended: suspended.has(name),
      unconfirmedOrigins: suspended.get(name) ?? [],
    });
    return [
      ...known.map(({ name, type }) => field(name, type)),
      ...[...stored.keys()].filter((name) => !names.has(name)).map((name) => field(name, null)),
    ];
  };

  return {
    /**
     * Returns the fields of each connector. With the master password, hidden values are included
     * and the access is recorded.
     * @throws Forbidden MASTER_PASSWORD_WRONG
     * @throws RateLimited after too many wrong ones
     */
    async fieldsOf(
      actor: Actor,
      records: readonly ConnectorRecord[],
      presented: Presented,
    ): Promise<ConnectorField[][]> {
      const showsAll = await masterPassword.shows(actor, presented);
      if (showsAll && records.length > 0) {
        const ids = records.map(({ _id }) => _id);
        await store.transaction((tx) =>
          audit.record(
            actor,
            'connector.reveal',
            { type: 'Connector', id: ids.length === 1 ? ids[0] : 'several' },
            null,
            { connectors: ids },
            tx,
          ),
        );
      }
      const known = await invokers.byNames([...new Set(records.map(({ invoker }) => invoker))]);
      const fields: ConnectorField[][] = [];
      for (const record of records)
        fields.push(await fieldsOf(record, known.get(record.invoker) ?? null, showsAll));
      return fields;
    },
  };
}
