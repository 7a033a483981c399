import { z } from 'zod';
import type { Actor } from '../../platform/access/actor';
import type { Origin, Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput } from '../../platform/errors/errors';
import { BodyId, Identifiers, IdParams, NOBODY, QueryFlag } from '../../platform/http/scalars';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { route } from '../../platform/http/route';
import type { Reply, Route } from '../../platform/http/route';
import type { Invoker } from '../invokers/invoker';
import { ResultBody } from '../invokers/invoker.schema';
import type { ConnectorRecord } from './connector.model';
import { connectorPolicy } from './connector.policy';
import { FIELD_NAMES } from './connector.rules';
import type { ConnectorPresenters, ShownConnector } from './connector.presenter';
import {
  connectorChange,
  ConnectorInput,
  givenFields,
  NewConnectorInput,
  RequiredData,
  SENT_AS,
} from './connector.schema';
import type { ConnectorField } from './connector.service';

const tag = 'Connectors';

/** Errors of routes that show hidden values for the master password. */
const SHOWN = [
  'MASTER_PASSWORD_WRONG',
  'TOO_MANY_ATTEMPTS',
] as const satisfies readonly ErrorCode[];
const FIELDS = [
  'REQUIRED_DATA_UNKNOWN',
  'REQUIRED_DATA_MISSING',
  'TEXT_INVALID',
  'TEXT_TOO_LONG',
] as const satisfies readonly ErrorCode[];
const NOT_SAVED = [
  'CONNECTOR_ALREADY_EXISTS',
  'INVOKER_NOT_FOUND',
  'TITLE_INVALID',
  'TIMEOUT_INVALID',
  ...FIELDS,
  ...SHOWN,
] as const satisfies readonly ErrorCode[];
const NOT_DELETED = [
  'CONNECTOR_NOT_FOUND',
  'CONNECTOR_IN_USE',
] as const satisfies readonly ErrorCode[];

const Force = z.object({
  force: QueryFlag.optional().meta({
    description: 'True: workflows that use it stay, and say in their `validation` that it is gone.',
  }),
});
/** Uses an invoker of every installation. */
const EXAMPLE = {
  title: 'The echo service',
  description: 'To try workflows with.',
  invoker: { name: 'Echo' },
  requestData: { url: 'http://127.0.0.1:9000', token: 'any' },
};

function requireSameId({ connectorId }: z.output<typeof ConnectorInput>, id: number): void {
  if (connectorId && connectorId !== id)
    throw new BadInput(
      'BAD_REQUEST',
      `The body names connector ${connectorId}, the path connector ${id}.`,
      { path: ['connectorId'] },
    );
}

/** Responses with connectors as far as the caller may see them, each with its invoker. */
function connectorReplies({ connectors, invokers }: Services, shown: ConnectorPresenters) {
  const invokerOf = async (actor: Actor, name: string): Promise<Invoker | null> => {
    const invoker = await invokers.byName(name);
    return invoker && invokers.shown(actor, invoker);
  };
  async function* each(
    actor: Actor,
    records: readonly ConnectorRecord[],
    fields: readonly (readonly ConnectorField[])[],
  ): AsyncGenerator<ShownConnector, void, void> {
    const known = new Map<string, Invoker | null>();
    for (const [at, record] of records.entries()) {
      const invoker = known.has(record.invoker)
        ? (known.get(record.invoker) ?? null)
        : await invokerOf(actor, record.invoker);
      known.set(record.invoker, invoker);
      yield { record, fields: fields[at] ?? [], invoker };
    }
  }
  return {
    async one(
      actor: Actor,
      origin: Origin,
      record: ConnectorRecord,
      location?: string,
    ): Promise<Reply> {
      const [fields = []] = await connectors.fieldsOf(actor, [record], origin);
      return recordReply(
        shown.one(
          { record, fields, invoker: await invokerOf(actor, record.invoker) },
          origin.baseUrl,
        ),
        record,
        location,
      );
    },
    list: async (
      actor: Actor,
      origin: Origin,
      records: readonly ConnectorRecord[],
    ): Promise<unknown> =>
      shown.list(
        each(actor, records, await connectors.fieldsOf(actor, records, origin)),
        origin.baseUrl,
      ),
  };
}

export function connectorRoutes(services: Services, { connectors: shown }: Presenters): Route[] {
  const { connectors, masterPassword } = services;
  const reply = connectorReplies(services, shown);
  return [
    route({
      method: 'get',
      path: '/connector/all',
      needs: connectorPolicy.read,
      tag,
      summary: 'Every connector',
      success: 200,
      answer: shown.list.answer,
      errors: SHOWN,
      masterPassword: 'shows',
      handle: async ({ actor, origin }) => reply.list(actor, origin, await connectors.list()),
    }),
    route({
      method: 'get',
      path: '/connector/exists/:title',
      needs: connectorPolicy.read,
      tag,
      summary: 'Is a title taken?',
      description: 'Without regard to case.',
      params: z.object({ title: z.string() }),
      example: { params: { title: 'Our tickets' } },
      success: 200,
      answer: ResultBody,
      handle: async ({ params }) => ({ result: await connectors.exists(params.title) }),
    }),
    route({
      method: 'get',
      path: '/connector/:id',
      needs: connectorPolicy.read,
      tag,
      summary: 'One connector',
      params: IdParams,
      success: 200,
      answer: shown.one.answer,
      errors: ['CONNECTOR_NOT_FOUND', ...SHOWN],
      record: 'shown',
      masterPassword: 'shows',
      handle: async ({ actor, params, origin }) =>
        reply.one(actor, origin, await connectors.get(params.id)),
    }),
    route({
      method: 'post',
      path: '/connector',
      needs: connectorPolicy.create,
      tag,
      summary: 'Adds a connector',
      description:
        'The credentials are checked against the required data of the invoker and stored encrypted.',
      body: NewConnectorInput,
      example: { body: EXAMPLE },
      sentAs: SENT_AS,
      success: 201,
      answer: shown.one.answer,
      errors: NOT_SAVED,
      record: 'shown',
      masterPassword: 'shows',
      handle: async ({ actor, body, origin }) => {
        const { title = '', invoker = '', ...rest } = connectorChange(body);
        await masterPassword.shows(actor, origin);
        const record = await connectors.create(actor, { title, invoker, ...rest });
        return reply.one(actor, origin, record, `${origin.baseUrl}/api/connector/${record._id}`);
      },
    }),
    route({
      method: 'put',
      path: '/connector/list/delete',
      needs: connectorPolicy.delete,
      tag,
      summary: 'Deletes connectors, all or none',
      query: Force,
      body: Identifiers,
      example: { body: NOBODY },
      success: 204,
      errors: NOT_DELETED,
      handle: async ({ actor, body, query }) =>
        void (await connectors.removeAll(actor, body.identifiers, query)),
    }),
    route({
      method: 'put',
      path: '/connector/:id',
      needs: connectorPolicy.update,
      tag,
      summary: 'Changes a connector',
      description:
        'What is missing stays as it is, fields of the credentials too, unless the invoker becomes another one. A change of the address asks for hidden values again ' +
        '(`CREDENTIALS_NEED_CONFIRMATION`), or for the master password.',
      params: IdParams,
      body: ConnectorInput,
      example: { body: { description: 'Of the sales department.' } },
      sentAs: SENT_AS,
      success: 200,
      answer: shown.one.answer,
      errors: ['CONNECTOR_NOT_FOUND', 'CREDENTIALS_NEED_CONFIRMATION', ...NOT_SAVED],
      record: 'changed',
      masterPassword: 'shows',
      handle: async ({ actor, params, body, origin, expectedVersion }) => {
        requireSameId(body, params.id);
        return reply.one(
          actor,
          origin,
          await connectors.update(actor, params.id, connectorChange(body), origin, expectedVersion),
        );
      },
    }),
    route({
      method: 'put',
      path: '/connector/:id/required-data',
      needs: connectorPolicy.update,
      tag,
      summary: 'Changes credentials of a connector',
      description: 'Fields that are missing keep their value.',
      params: IdParams,
      body: RequiredData,
      example: { body: { token: '' } },
      success: 200,
      answer: shown.one.answer,
      errors: ['CONNECTOR_NOT_FOUND', 'MASTER_PASSWORD_NOT_SET', ...SHOWN, ...FIELDS],
      record: 'changed',
      masterPassword: 'required',
      sentAs: [
        [['requestData'], []],
        [[FIELD_NAMES], []],
      ],
      handle: async ({ actor, params, body, origin, expectedVersion }) => {
        await masterPassword.require(actor, origin);
        return reply.one(
          actor,
          origin,
          await connectors.update(
            actor,
            params.id,
            { requestData: givenFields(body) },
            origin,
            expectedVersion,
          ),
        );
      },
    }),
    route({
      method: 'post',
      path: '/connector/:id/confirm',
      needs: connectorPolicy.update,
      tag,
      summary: 'Confirms suspended credentials of a connector',
      description:
        'From now on the stored values may be sent where the invoker and the connector send them now. Only for the master password.',
      params: IdParams,
      success: 200,
      answer: shown.one.answer,
      errors: ['CONNECTOR_NOT_FOUND', 'INVOKER_NOT_FOUND', 'MASTER_PASSWORD_NOT_SET', ...SHOWN],
      record: 'changed',
      masterPassword: 'required',
      handle: async ({ actor, params, origin, expectedVersion }) =>
        reply.one(
          actor,
          withoutPassword(origin),
          await connectors.confirm(actor, params.id, origin, expectedVersion),
        ),
    }),
    route({
      method: 'delete',
      path: '/connector/:id',
      needs: connectorPolicy.delete,
      tag,
      summary: 'Deletes a connector with its credentials',
      description: 'One that a workflow uses is not deleted, unless `force` says so.',
      params: IdParams,
      query: Force,
      success: 204,
      errors: NOT_DELETED,
      record: 'deleted',
      handle: async ({ actor, params, query, expectedVersion }) =>
        void (await connectors.remove(actor, params.id, { force: query.force, expectedVersion })),
    }),
    route({
      method: 'post',
      path: '/connector/:id/icon',
      needs: connectorPolicy.update,
      tag: 'Files',
      summary: 'Sets the icon of a connector',
      description: 'PNG, JPEG, GIF or WebP, judged by the content.',
      params: IdParams,
      upload: { part: 'file' },
      success: 200,
      answer: shown.one.answer,
      errors: ['CONNECTOR_NOT_FOUND', 'WRONG_FORMAT'],
      record: 'changed',
      handle: async ({ actor, params, file, origin, expectedVersion }) =>
        reply.one(
          actor,
          withoutPassword(origin),
          await connectors.setIcon(
            actor,
            params.id,
            file?.bytes ?? Buffer.alloc(0),
            expectedVersion,
          ),
        ),
    }),
    route({
      method: 'delete',
      path: '/connector/:id/icon',
      needs: connectorPolicy.update,
      tag: 'Files',
      summary: 'Removes the icon of a connector',
      params: IdParams,
      success: 204,
      errors: ['CONNECTOR_NOT_FOUND'],
      record: 'changed',
      handle: async ({ actor, params, expectedVersion }) =>
        recordReply(undefined, await connectors.setIcon(actor, params.id, null, expectedVersion)),
    }),
    route({
      method: 'post',
      path: '/storage/connector',
      needs: connectorPolicy.update,
      tag: 'Files',
      summary: 'Sets the icon of a connector',
      deprecated: 'POST /connector/{connectorId}/icon',
      upload: { part: 'file' },
      body: z.object({ connectorId: BodyId }),
      success: 200,
      answer: shown.one.answer,
      errors: ['CONNECTOR_NOT_FOUND', 'WRONG_FORMAT'],
      record: 'changed',
      handle: async ({ actor, body, file, origin, expectedVersion }) =>
        reply.one(
          actor,
          withoutPassword(origin),
          await connectors.setIcon(
            actor,
            body.connectorId,
            file?.bytes ?? Buffer.alloc(0),
            expectedVersion,
          ),
        ),
    }),
  ];
}

/** For responses without hidden credentials, even if the request has the master password. */
const withoutPassword = (origin: Origin): Origin => ({ ...origin, masterPassword: undefined });
