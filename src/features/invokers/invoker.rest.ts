import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import type { Presenters } from '../../platform/http/presenters';
import { ResultBody } from '../../platform/http/exists';
import { recordReply } from '../../platform/http/record-version';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { invokerPolicy } from './invoker.policy';
import { FieldPatchInput, FileParams, ForceQuery, NameParams, NamesInput } from './invoker.schema';

const route = routesTagged('Invokers');
const EXAMPLE = { params: { name: 'Hypha' } };
/** A name that no invoker has, so that the example deletes nothing. */
const UNUSED_NAME = 'No invoker has this name';
const EXAMPLE_PATCH = {
  method: 'Post',
  path: '(request)',
  fields: [{ name: 'more', type: 'string', value: null }],
};
const DELETION_ERRORS = [
  'INVOKER_NOT_FOUND',
  'INVOKER_IN_USE',
] as const satisfies readonly ErrorCode[];

const invokerRouteContext = (
  { invokers, invokerCatalog }: Services,
  { invokers: shown, exists, requests }: Presenters,
) => {
  const read = { needs: invokerPolicy.read } as const;
  return { read, exists, invokerCatalog, invokers, shown, requests };
};
type InvokerRouteContext = ReturnType<typeof invokerRouteContext>;

const getInvokerExistsByName = ({ read, exists, invokerCatalog }: InvokerRouteContext): Route =>
  route('GET /invoker/exists/:name', {
    ...read,
    summary: 'Is there an invoker of this name?',
    params: NameParams,
    example: EXAMPLE,
    answer: exists.result.answer,
    handle: async ({ params }) => exists.result(await invokerCatalog.exists(params.name)),
  });

const getInvokerFileExistsByFileName = ({
  read,
  exists,
  invokerCatalog,
}: InvokerRouteContext): Route =>
  route('GET /invoker/file/exists/:fileName', {
    ...read,
    summary: 'Is there an invoker from a file of this name?',
    params: FileParams,
    example: { params: { fileName: 'hypha.xml' } },
    answer: exists.result.answer,
    handle: async ({ params }) => exists.result(await invokerCatalog.fileExists(params.fileName)),
  });

const getInvokerDependency = ({ read, invokers }: InvokerRouteContext): Route =>
  route('GET /invoker/:name/dependency', {
    ...read,
    summary: 'Does a connector use the invoker?',
    params: NameParams,
    example: EXAMPLE,
    answer: ResultBody,
    errors: ['INVOKER_NOT_FOUND'],
    handle: async ({ params }) => ({ result: await invokers.isUsed(params.name) }),
  });

const getInvokerAll = ({ read, shown, invokers }: InvokerRouteContext): Route =>
  route('GET /invoker/all', {
    ...read,
    summary: 'Every invoker',
    answer: shown.list.answer,
    handle: async ({ actor }) => shown.list(invokers.allShown(actor)),
  });

const getInvokerXml = ({ read, invokers }: InvokerRouteContext): Route =>
  route('GET /invoker/:name/xml', {
    ...read,
    summary: 'The XML of an invoker',
    params: NameParams,
    example: EXAMPLE,
    produces: 'application/xml',
    answer: z.string().meta({
      description:
        'The imported XML, in UTF-8: importing it again gives the same invoker. Without INVOKER:UPDATE it is generated, with masked secrets.',
    }),
    errors: ['INVOKER_NOT_FOUND'],
    record: 'shown',
    handle: async ({ actor, params }) => {
      const { version, text } = await invokers.xml(actor, params.name);
      return new Reply(text, {
        ETag: `"${version}"`,
        'Content-Type': 'application/xml; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      });
    },
  });

const getInvokerByName = ({ read, shown, invokerCatalog, invokers }: InvokerRouteContext): Route =>
  route('GET /invoker/:name', {
    ...read,
    summary: 'One invoker',
    params: NameParams,
    example: EXAMPLE,
    answer: shown.one.answer,
    errors: ['INVOKER_NOT_FOUND'],
    record: 'shown',
    handle: async ({ actor, params, audience }) => {
      const invoker = await invokerCatalog.get(params.name);
      return recordReply(shown.one(invokers.shown(actor, invoker), audience), invoker);
    },
  });

const postInvokerXml = ({ shown, invokers }: InvokerRouteContext): Route =>
  route('POST /invoker/:name/xml', {
    needs: invokerPolicy.update,
    summary: 'Adds fields to an operation',
    params: NameParams,
    body: FieldPatchInput,
    example: { body: EXAMPLE_PATCH },
    answer: shown.operation.answer,
    description:
      'An existing field of the same name gets the new type and value. Comments of the XML are lost.',
    errors: [
      'INVOKER_NOT_FOUND',
      'METHOD_NOT_FOUND_IN_INVOKER',
      'PATH_IS_INVALID',
      'INVOKER_INVALID',
      'INPUT_TOO_COMPLEX',
    ],
    record: 'changed',
    handle: async ({ actor, params, body, expectedVersion }) => {
      const fields = body.fields.map(({ value, ...field }) => ({
        ...field,
        value: value == null ? null : String(value),
      }));
      const patch = { ...body, fields };
      const { row, operation } = await invokers.addFields(
        actor,
        params.name,
        patch,
        expectedVersion,
      );
      return recordReply(shown.operation(operation), row);
    },
  });

const putInvokerListDelete = ({ requests, invokers }: InvokerRouteContext): Route =>
  route('PUT /invoker/list/delete', {
    servedOnFullDisk: true,
    needs: invokerPolicy.delete,
    summary: 'Deletes invokers, all or none',
    query: ForceQuery,
    body: NamesInput,
    example: { body: { identifiers: [UNUSED_NAME] } },
    success: 204,
    errors: DELETION_ERRORS,
    sentAs: [[['ids'], ['identifiers']]],
    handle: async ({ actor, query, body }) =>
      requests.deleteListed(body.identifiers, (names) =>
        invokers.removeAll(actor, names, { force: query.force }),
      ),
  });

const deleteInvokerForce = ({ invokers }: InvokerRouteContext): Route =>
  route('DELETE /invoker/:name/force', {
    needs: invokerPolicy.delete,
    summary: 'Deletes an invoker even if it is in use',
    params: NameParams,
    success: 204,
    description:
      'Connectors and workflows that use it stay. Their validation reports it as missing.',
    errors: ['INVOKER_NOT_FOUND'],
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await invokers.remove(actor, params.name, { force: true, expectedVersion })),
  });

const deleteInvokerByName = ({ invokers }: InvokerRouteContext): Route =>
  route('DELETE /invoker/:name', {
    needs: invokerPolicy.delete,
    summary: 'Deletes an invoker',
    params: NameParams,
    query: ForceQuery,
    success: 204,
    errors: DELETION_ERRORS,
    record: 'deleted',
    handle: async ({ actor, params, query, expectedVersion }) =>
      void (await invokers.remove(actor, params.name, { force: query.force, expectedVersion })),
  });

export const invokerRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = invokerRouteContext(services, presenters);
  return [
    getInvokerExistsByName,
    getInvokerFileExistsByFileName,
    getInvokerDependency,
    getInvokerAll,
    getInvokerXml,
    getInvokerByName,
    postInvokerXml,
    putInvokerListDelete,
    deleteInvokerForce,
    deleteInvokerByName,
  ].map((create) => create(context));
};
