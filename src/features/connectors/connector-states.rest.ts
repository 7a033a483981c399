import type { Actor } from '../../platform/access/actor';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { DomainError } from '../../platform/errors/errors';
import type { Presenters } from '../../platform/http/presenters';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams } from '../../platform/http/scalars';
import { connectorPolicy } from './connector.policy';

const route = routesTagged('Connectors');

/** These are a state of the connector, not a failure of the request. */
const OF_CONNECTOR: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'COMMUNICATION_FAILED',
  'INVOKER_NOT_FOUND',
]);

/** States of connectors without credentials and operations, at the paths of the 5.x line. */
export function connectorStateRoutes(
  { connectorCatalog, connectorCheck }: Services,
  { connectors: shown }: Presenters,
): Route[] {
  const check = async (actor: Actor, connectorId: number): Promise<void> => {
    try {
      await connectorCheck.check(actor, { connectorId });
    } catch (error) {
      if (!(error instanceof DomainError && OF_CONNECTOR.has(error.code))) throw error;
    }
  };
  return [
    route('GET /connector/meta/all', {
      needs: connectorPolicy.read,
      summary: 'The state of every connector at its last check',
      answer: shown.states.answer,
      handle: async ({ origin }) => shown.states(await connectorCatalog.list(), origin.baseUrl),
    }),
    route('POST /connector/:id/status/refresh', {
      needs: connectorPolicy.update,
      summary: 'Checks the stored credentials of a connector, and returns its state',
      params: IdParams,
      answer: shown.state.answer,
      errors: ['CONNECTOR_NOT_FOUND', 'CREDENTIALS_NEED_CONFIRMATION'],
      handle: async ({ actor, params: { id }, origin }) => {
        await check(actor, id);
        return shown.state(await connectorCatalog.get(id), origin.baseUrl);
      },
    }),
  ];
}
