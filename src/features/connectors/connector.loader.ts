import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { ConnectorField } from './connector-fields';
import type { ConnectorRecord } from './connector.model';
import { connectorPolicy } from './connector.policy';

/** Connectors by id, read together with all others the request asks for. */
export function connectorLoader(context: GraphqlContext) {
  return context.loader<number, ConnectorRecord>('connectors', (ids) =>
    context.services.connectors.byIds(ids),
  );
}

/** The connector behind a link; null when it is deleted, and when the signed-in user may not read it. */
export async function linkedConnector(
  context: GraphqlContext,
  id: number,
): Promise<ConnectorRecord | null> {
  return allows(connectorPolicy.read, context.actor) ? connectorLoader(context).load(id) : null;
}

/** The fields of a connector as whoever asks may see them; the master password of a request is judged once for all of them. */
export async function fieldsOf(
  record: ConnectorRecord,
  context: GraphqlContext,
): Promise<readonly ConnectorField[]> {
  const loader = context.loader<ConnectorRecord, readonly ConnectorField[]>(
    'connectorFields',
    (records) => context.services.connectors.fieldsOf(context.actor, records, context.origin),
  );
  return (await loader.load(record)) ?? [];
}
