import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { ConnectorField } from './connector-fields';
import type { ConnectorRecord } from './connector.model';
import { connectorPolicy } from './connector.policy';

export function connectorLoader(context: GraphqlContext) {
  return context.loader<number, ConnectorRecord>('connectors', (ids) =>
    context.services.connectorCatalog.byIds(ids),
  );
}

/** Returns the linked connector; null if it is deleted or not readable for the actor. */
export async function linkedConnector(
  context: GraphqlContext,
  id: number,
): Promise<ConnectorRecord | null> {
  return allows(connectorPolicy.read, context.actor) ? connectorLoader(context).load(id) : null;
}

/**
 * Returns the fields as far as the caller may see them. The master password is checked once per
 * request.
 */
export async function fieldsOf(
  record: ConnectorRecord,
  context: GraphqlContext,
): Promise<readonly ConnectorField[]> {
  const loader = context.loader<ConnectorRecord, readonly ConnectorField[]>(
    'connectorFields',
    (records) => context.services.connectorFields.list(context.actor, records, context.origin),
  );
  return (await loader.load(record)) ?? [];
}
