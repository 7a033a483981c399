import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Route, RouteRequest } from '../../platform/http/route';
import { BodyId, IdParams } from '../../platform/http/scalars';
import { connectorPolicy } from './connector.policy';
import { ConnectorReplies } from './connector.rest';

const route = routesTagged('Files');

export function connectorIconRoutes(
  services: Services,
  { connectors: shown }: Presenters,
): Route[] {
  const { connectors } = services;
  const replies = new ConnectorReplies(services, shown);
  const common = { needs: connectorPolicy.update, record: 'changed' } as const;
  const upload = {
    ...common,
    summary: 'Sets the icon of a connector',
    description: 'PNG, JPEG, GIF or WebP; the type is detected from the content.',
    upload: { part: 'file' },
    answer: shown.one.answer,
    errors: ['CONNECTOR_NOT_FOUND', 'WRONG_FORMAT'],
  } as const;
  const setIcon = async (
    id: number,
    { actor, file, origin, expectedVersion }: RouteRequest<unknown, unknown, unknown>,
  ) =>
    replies.oneWithoutSecrets(
      actor,
      origin,
      await connectors.setIcon(actor, id, file?.bytes ?? Buffer.alloc(0), expectedVersion),
    );
  return [
    route('POST /connector/:id/icon', {
      ...upload,
      params: IdParams,
      handle: (request) => setIcon(request.params.id, request),
    }),
    route('POST /storage/connector', {
      ...upload,
      deprecated: 'POST /connector/{connectorId}/icon',
      body: z.object({ connectorId: BodyId }),
      handle: (request) => setIcon(request.body.connectorId, request),
    }),
    route('DELETE /connector/:id/icon', {
      ...common,
      summary: 'Removes the icon of a connector',
      params: IdParams,
      success: 204,
      errors: ['CONNECTOR_NOT_FOUND'],
      handle: async ({ actor, params, expectedVersion }) =>
        recordReply(undefined, await connectors.setIcon(actor, params.id, null, expectedVersion)),
    }),
  ];
}
