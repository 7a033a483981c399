import { z } from 'zod';
import type { Actor } from '../../platform/access/actor';
import type { Origin, Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput } from '../../platform/errors/errors';
import { Identifiers, IdParams, NOBODY, QueryFlag } from '../../platform/http/scalars';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Reply, Route } from '../../platform/http/route';
import type { Invoker } from '../invokers/invoker';
import type { ConnectorField } from './connector-fields';
import type { ConnectorRecord } from './connector.model';
import { connectorPolicy } from './connector.policy';
import type { ConnectorPresenters, ShownConnector } from './connector.presenter';
import { connectorChange, SENT_AS } from './connector.schema';

const route = routesTagged('Connectors');

/** Errors of routes that show hidden values for the master password. */
export const SHOWING_ERRORS = [
  'MASTER_PASSWORD_WRONG',
  'TOO_MANY_ATTEMPTS',
] as const satisfies readonly ErrorCode[];
export const FIELD_ERRORS = [
  'REQUIRED_DATA_UNKNOWN',
  'REQUIRED_DATA_MISSING',
  'TEXT_INVALID',
  'TEXT_TOO_LONG',
] as const satisfies readonly ErrorCode[];
const SAVING_ERRORS = [
  'CONNECTOR_ALREADY_EXISTS',
  'INVOKER_NOT_FOUND',
  'TITLE_INVALID',
  'TIMEOUT_INVALID',
  ...FIELD_ERRORS,
  ...SHOWING_ERRORS,
] as const satisfies readonly ErrorCode[];
const DELETION_ERRORS = [
  'CONNECTOR_NOT_FOUND',
  'CONNECTOR_IN_USE',
] as const satisfies readonly ErrorCode[];

const ForceQuery = z.object({
  force: QueryFlag.optional().meta({
    description:
      'True: deletes it even if workflows use it. Their `validation` then reports it as missing.',
  }),
});
/** Uses an invoker of every installation. */
const EXAMPLE = {
  title: 'The echo service',
  description: 'To try workflows with.',
  invoker: { name: 'Echo' },
  requestData: { url: 'http://127.0.0.1:9000', token: 'any' },
};

/** Responses with connectors as far as the caller may see them, each with its invoker. */
export class ConnectorReplies {
  constructor(
    private readonly services: Services,
    private readonly shown: ConnectorPresenters,
  ) {}

  async one(
    actor: Actor,
    origin: Origin,
    record: ConnectorRecord,
    location?: string,
  ): Promise<Reply> {
    const [fields = []] = await this.services.connectorFields.list(actor, [record], origin);
    const invoker = await this.invokerOf(actor, record.invoker);
    return recordReply(
      this.shown.one({ record, fields, invoker }, origin.baseUrl),
      record,
      location,
    );
  }

  /** Hides credentials even if the request has the master password. */
  oneWithoutSecrets(actor: Actor, origin: Origin, record: ConnectorRecord): Promise<Reply> {
    return this.one(actor, { ...origin, masterPassword: undefined }, record);
  }

  async list(actor: Actor, origin: Origin, records: readonly ConnectorRecord[]): Promise<unknown> {
    const fields = await this.services.connectorFields.list(actor, records, origin);
    return this.shown.list(this.each(actor, records, fields), origin.baseUrl);
  }

  private async *each(
    actor: Actor,
    records: readonly ConnectorRecord[],
    fields: readonly (readonly ConnectorField[])[],
  ): AsyncGenerator<ShownConnector, void, void> {
    const invokers = new Map<string, Invoker | null>();
    for (const [at, record] of records.entries()) {
      const cached = invokers.get(record.invoker);
      const invoker = cached === undefined ? await this.invokerOf(actor, record.invoker) : cached;
      invokers.set(record.invoker, invoker);
      yield { record, fields: fields[at] ?? [], invoker };
    }
  }

  private async invokerOf(actor: Actor, name: string): Promise<Invoker | null> {
    const invoker = await this.services.invokerCatalog.byName(name);
    return invoker && this.services.invokers.shown(actor, invoker);
  }
}

const connectorRouteContext = (
  services: Services,
  { connectors: shown, connectorInputs: inputs, exists, requests }: Presenters,
) => {
  const { connectors, connectorCatalog, masterPassword } = services;
  const replies = new ConnectorReplies(services, shown);
  const read = { needs: connectorPolicy.read } as const;
  return {
    read,
    shown,
    replies,
    connectorCatalog,
    requests,
    exists,
    inputs,
    masterPassword,
    connectors,
  };
};
type ConnectorRouteContext = ReturnType<typeof connectorRouteContext>;

const getConnectorAll = ({
  read,
  shown,
  replies,
  connectorCatalog,
}: ConnectorRouteContext): Route =>
  route('GET /connector/all', {
    ...read,
    summary: 'Every connector',
    answer: shown.list.answer,
    errors: SHOWING_ERRORS,
    masterPassword: 'shows',
    handle: async ({ actor, origin }) => replies.list(actor, origin, await connectorCatalog.list()),
  });

const getConnectorExistsByTitle = ({
  read,
  requests,
  exists,
  connectorCatalog,
}: ConnectorRouteContext): Route =>
  route('GET /connector/exists/:title', {
    ...read,
    summary: 'Is a title taken?',
    description: 'Without regard to case.',
    params: z.object({ title: requests.pathName }),
    example: { params: { title: 'Our tickets' } },
    answer: exists.result.answer,
    handle: async ({ params }) => exists.result(await connectorCatalog.exists(params.title)),
  });

const getConnectorById = ({
  read,
  shown,
  replies,
  connectorCatalog,
}: ConnectorRouteContext): Route =>
  route('GET /connector/:id', {
    ...read,
    summary: 'One connector',
    params: IdParams,
    answer: shown.one.answer,
    errors: ['CONNECTOR_NOT_FOUND', ...SHOWING_ERRORS],
    record: 'shown',
    masterPassword: 'shows',
    handle: async ({ actor, params, origin }) =>
      replies.one(actor, origin, await connectorCatalog.get(params.id)),
  });

const postConnector = ({
  inputs,
  shown,
  masterPassword,
  connectors,
  replies,
}: ConnectorRouteContext): Route =>
  route('POST /connector', {
    needs: connectorPolicy.create,
    summary: 'Creates a connector',
    description:
      'The credentials are checked against the required data of the invoker and stored encrypted.',
    body: inputs.creation,
    example: { body: EXAMPLE },
    sentAs: SENT_AS,
    success: 201,
    answer: shown.one.answer,
    errors: SAVING_ERRORS,
    record: 'shown',
    masterPassword: 'shows',
    handle: async ({ actor, body, origin }) => {
      const { title = '', invoker = '', ...rest } = connectorChange(body);
      await masterPassword.shows(actor, origin);
      const record = await connectors.create(actor, { title, invoker, ...rest });
      return replies.one(actor, origin, record, `${origin.baseUrl}/api/connector/${record._id}`);
    },
  });

const putConnectorById = ({ inputs, shown, connectors, replies }: ConnectorRouteContext): Route =>
  route('PUT /connector/:id', {
    needs: connectorPolicy.update,
    summary: 'Changes a connector',
    description:
      'Missing fields keep their values, also in the credentials, unless the invoker changes. A change of the address requires the hidden values again (`CREDENTIALS_NEED_CONFIRMATION`), or the master password.',
    params: IdParams,
    body: inputs.change,
    example: { body: { description: 'Of the sales department.' } },
    sentAs: SENT_AS,
    answer: shown.one.answer,
    errors: ['CONNECTOR_NOT_FOUND', 'CREDENTIALS_NEED_CONFIRMATION', ...SAVING_ERRORS],
    record: 'changed',
    masterPassword: 'shows',
    handle: async ({ actor, params: { id }, body, origin, expectedVersion }) => {
      if (body.connectorId && body.connectorId !== id)
        throw new BadInput(
          'BAD_REQUEST',
          `The body names connector ${body.connectorId}, the path connector ${id}.`,
          { path: ['connectorId'] },
        );
      const change = connectorChange(body);
      const record = await connectors.update(actor, id, change, origin, expectedVersion);
      return replies.one(actor, origin, record);
    },
  });

const putConnectorListDelete = ({ requests, connectors }: ConnectorRouteContext): Route =>
  route('PUT /connector/list/delete', {
    servedOnFullDisk: true,
    needs: connectorPolicy.delete,
    summary: 'Deletes connectors, all or none',
    query: ForceQuery,
    body: Identifiers,
    example: { body: NOBODY },
    success: 204,
    errors: DELETION_ERRORS,
    handle: async ({ actor, body, query }) =>
      requests.deleteListed(body.identifiers, (ids) => connectors.removeAll(actor, ids, query)),
  });

const deleteConnectorById = ({ connectors }: ConnectorRouteContext): Route =>
  route('DELETE /connector/:id', {
    needs: connectorPolicy.delete,
    summary: 'Deletes a connector with its credentials',
    description: 'A connector that a workflow uses is only deleted with `force`.',
    params: IdParams,
    query: ForceQuery,
    success: 204,
    errors: DELETION_ERRORS,
    record: 'deleted',
    handle: async ({ actor, params, query, expectedVersion }) =>
      void (await connectors.remove(actor, params.id, { force: query.force, expectedVersion })),
  });

export const connectorRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = connectorRouteContext(services, presenters);
  return [
    getConnectorAll,
    getConnectorExistsByTitle,
    getConnectorById,
    postConnector,
    putConnectorById,
    putConnectorListDelete,
    deleteConnectorById,
  ].map((create) => create(context));
};
