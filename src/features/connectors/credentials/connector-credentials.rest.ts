import { z } from 'zod';
import type { Services } from '../../../platform/context';
import type { ErrorCode } from '../../../platform/errors/codes';
import type { Presenters } from '../../../platform/http/presenters';
import { ResultBody } from '../../../platform/http/exists';
import { routesTagged } from '../../../platform/http/route';
import type { Route } from '../../../platform/http/route';
import { IdParams } from '../../../platform/http/scalars';
import { CHECK_NEED, connectorPolicy } from '../connector.policy';
import { ConnectorReplies, FIELD_ERRORS, SHOWING_ERRORS } from '../connector.rest';
import { FIELD_NAMES } from '../connector.rules';
import { CommunicationFailed } from '../conversation';
import { checkRequest, givenFields, SENT_AS } from '../connector.schema';

const route = routesTagged('Connectors');
const REQUIRING_ERRORS = [
  'MASTER_PASSWORD_NOT_SET',
  ...SHOWING_ERRORS,
] as const satisfies readonly ErrorCode[];

const RemoteSchemaBody = z.object({ __schema: z.record(z.string(), z.unknown()) }).meta({
  id: 'RemoteGraphqlSchema',
  description: 'The response of the remote endpoint to the introspection query.',
});

/** Dialects answer a failed call differently. */
function failureOf(error: unknown): CommunicationFailed {
  if (error instanceof CommunicationFailed) return error;
  throw error;
}

/** Nothing listens on this port, so the example cannot reach a real system. */
const EXAMPLE = {
  invoker: { name: 'Echo' },
  requestData: { url: 'http://127.0.0.1:9', token: 'any' },
};

const connectorCredentialRouteContext = (
  services: Services,
  { connectors: shown, connectorInputs: inputs }: Presenters,
) => {
  const { connectors, connectorCheck, connectorFields, masterPassword, remoteSchemas } = services;
  const replies = new ConnectorReplies(services, shown);
  const change = {
    needs: connectorPolicy.update,
    params: IdParams,
    answer: shown.one.answer,
    record: 'changed',
    masterPassword: 'required',
  } as const;
  const status = { needs: 'authenticated' } as const;
  return {
    inputs,
    shown,
    connectorCheck,
    masterPassword,
    remoteSchemas,
    change,
    replies,
    connectors,
    connectorFields,
    status,
  };
};
type ConnectorCredentialRouteContext = ReturnType<typeof connectorCredentialRouteContext>;

const postConnectorCheck = ({
  inputs,
  shown,
  connectorCheck,
}: ConnectorCredentialRouteContext): Route =>
  route('POST /connector/check', {
    servedOnFullDisk: true,
    needs: CHECK_NEED,
    summary: 'Calls the remote system to check credentials',
    description:
      'Runs the operation of type `test` of the invoker. A stored connector (`connectorId`) provides what is missing; secrets only ' +
      'if every public field is as stored, and with CONNECTOR:UPDATE. The connector keeps the result if exactly its stored values were checked.',
    body: inputs.check,
    example: { body: EXAMPLE },
    sentAs: SENT_AS,
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
    handle: async ({ actor, body, audience }) =>
      shown.check(await connectorCheck.check(actor, checkRequest(body)).catch(failureOf), audience),
  });

const postConnectorGraphqlSchema = ({
  masterPassword,
  remoteSchemas,
}: ConnectorCredentialRouteContext): Route =>
  route('POST /connector/:id/graphql-schema', {
    needs: connectorPolicy.read,
    summary: "The schema of a connector's GraphQL endpoint",
    description:
      "Sends the introspection query with the stored credentials to the endpoint of the invoker's first operation with a GraphQL body. Requires the master password.",
    params: IdParams,
    answer: RemoteSchemaBody,
    errors: [
      'CONNECTOR_NOT_FOUND',
      'INVOKER_NOT_FOUND',
      'OPERATION_NOT_GRAPHQL',
      'CREDENTIALS_NEED_CONFIRMATION',
      'COMMUNICATION_FAILED',
      ...REQUIRING_ERRORS,
    ],
    masterPassword: 'required',
    handle: async ({ actor, params, origin }) => {
      await masterPassword.require(actor, origin);
      return remoteSchemas.read(actor, params.id);
    },
  });

const putConnectorRequiredData = ({
  change,
  inputs,
  masterPassword,
  replies,
  connectors,
}: ConnectorCredentialRouteContext): Route =>
  route('PUT /connector/:id/required-data', {
    ...change,
    summary: 'Changes credentials of a connector',
    description: 'Missing fields keep their values.',
    body: inputs.fields,
    example: { body: { token: '' } },
    errors: ['CONNECTOR_NOT_FOUND', ...REQUIRING_ERRORS, ...FIELD_ERRORS],
    sentAs: [
      [['requestData'], []],
      [[FIELD_NAMES], []],
    ],
    handle: async ({ actor, params: { id }, body, origin, expectedVersion }) => {
      await masterPassword.require(actor, origin);
      const requestData = givenFields(body);
      return replies.one(
        actor,
        origin,
        await connectors.update(actor, id, { requestData }, origin, expectedVersion),
      );
    },
  });

const postConnectorConfirm = ({
  change,
  replies,
  connectorFields,
}: ConnectorCredentialRouteContext): Route =>
  route('POST /connector/:id/confirm', {
    ...change,
    summary: 'Confirms suspended credentials of a connector',
    description:
      'The stored values may then be sent to the origins that the invoker and the connector name now. Requires the master password.',
    errors: ['CONNECTOR_NOT_FOUND', 'INVOKER_NOT_FOUND', ...REQUIRING_ERRORS],
    handle: async ({ actor, params, origin, expectedVersion }) =>
      replies.oneWithoutSecrets(
        actor,
        origin,
        await connectorFields.confirm(actor, params.id, origin, expectedVersion),
      ),
  });

const getConnectorMasterPasswordStatus = ({
  status,
  masterPassword,
}: ConnectorCredentialRouteContext): Route =>
  route('GET /connector/master-password/status', {
    ...status,
    summary: 'Is the master password of this request correct?',
    answer: ResultBody,
    errors: REQUIRING_ERRORS,
    masterPassword: 'required',
    handle: async ({ actor, origin }) => {
      await masterPassword.require(actor, origin);
      return { result: true };
    },
  });

const getConnectorMasterPasswordStatusExist = ({
  status,
  masterPassword,
}: ConnectorCredentialRouteContext): Route =>
  route('GET /connector/master-password/status/exist', {
    ...status,
    summary: 'Is a master password configured?',
    answer: z.boolean(),
    handle: async () => masterPassword.isConfigured,
  });

/** Routes about credentials: those that call the remote system, and the master password. */
export const connectorCredentialRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = connectorCredentialRouteContext(services, presenters);
  return [
    postConnectorCheck,
    postConnectorGraphqlSchema,
    putConnectorRequiredData,
    postConnectorConfirm,
    getConnectorMasterPasswordStatus,
    getConnectorMasterPasswordStatusExist,
  ].map((create) => create(context));
};
