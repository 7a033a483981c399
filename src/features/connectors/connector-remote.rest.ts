import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import type { Presenters } from '../../platform/http/presenters';
import { route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams } from '../../platform/http/scalars';
import { ResultBody } from '../invokers/invoker.schema';
import { CHECK_NEED, connectorPolicy } from './connector.policy';
import { checkRequest, ConnectorInput, RemoteSchemaBody, SENT_AS } from './connector.schema';

const tag = 'Connectors';
const GATED = [
  'MASTER_PASSWORD_NOT_SET',
  'MASTER_PASSWORD_WRONG',
  'TOO_MANY_ATTEMPTS',
] as const satisfies readonly ErrorCode[];

/** Nothing listens on this port, so the example cannot reach a real system. */
const EXAMPLE = {
  invoker: { name: 'Echo' },
  requestData: { url: 'http://127.0.0.1:9', token: 'any' },
};

/** Routes that call the remote system, and those for the master password. */
export function connectorRemoteRoutes(
  { connectors, masterPassword }: Services,
  { connectors: shown }: Presenters,
): Route[] {
  return [
    route({
      method: 'post',
      path: '/connector/check',
      needs: CHECK_NEED,
      tag,
      summary: 'Asks the remote system whether credentials are right',
      description:
        'Runs the operation of type `test` of the invoker with what is given. Of a stored connector (`connectorId`) what is missing is as it is stored; secrets only ' +
        'when every public field is as it is stored, and with CONNECTOR:UPDATE. The connector keeps the result when what was checked is what is stored.',
      body: ConnectorInput,
      example: { body: EXAMPLE },
      sentAs: SENT_AS,
      success: 200,
      answer: shown.check.answer,
      errors: [
        'COMMUNICATION_FAILED',
        'CREDENTIALS_NEED_CONFIRMATION',
        'CONNECTOR_NOT_FOUND',
        'INVOKER_NOT_FOUND',
        'REQUIRED_DATA_UNKNOWN',
        'TEXT_INVALID',
        'TEXT_TOO_LONG',
        'TIMEOUT_INVALID',
      ],
      handle: async ({ actor, body }) =>
        shown.check(await connectors.check(actor, checkRequest(body))),
    }),
    route({
      method: 'post',
      path: '/connector/:id/graphql-schema',
      needs: connectorPolicy.read,
      tag,
      summary: "The schema of a connector's GraphQL endpoint",
      description:
        'Sends the introspection query with the stored credentials to the endpoint of the first operation of the invoker whose body is GraphQL. Only for the master password.',
      params: IdParams,
      success: 200,
      answer: RemoteSchemaBody,
      errors: [
        'CONNECTOR_NOT_FOUND',
        'INVOKER_NOT_FOUND',
        'OPERATION_NOT_GRAPHQL',
        'CREDENTIALS_NEED_CONFIRMATION',
        'COMMUNICATION_FAILED',
        ...GATED,
      ],
      masterPassword: 'required',
      handle: async ({ actor, params, origin }) =>
        connectors.remoteSchema(actor, params.id, origin),
    }),
    route({
      method: 'get',
      path: '/connector/master-password/status',
      needs: 'authenticated',
      tag,
      summary: 'Is the master password of this request right?',
      success: 200,
      answer: ResultBody,
      errors: GATED,
      masterPassword: 'required',
      handle: async ({ actor, origin }) => {
        await masterPassword.require(actor, origin);
        return { result: true };
      },
    }),
    route({
      method: 'get',
      path: '/connector/master-password/status/exist',
      needs: 'authenticated',
      tag,
      summary: 'Is a master password configured?',
      success: 200,
      answer: z.boolean(),
      handle: async () => masterPassword.isConfigured,
    }),
  ];
}
