import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { Accepted } from '../../platform/http/respond-async';
import { Reply, route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import {
  FieldPatchInput,
  FileParams,
  ForceQuery,
  NameParams,
  NamesInput,
  NewInvokerInput,
  ResultBody,
} from './invoker.schema';
import { IMPORT_NEED, invokerPolicy } from './invoker.policy';

const tag = 'Invokers';
const EXAMPLE = { params: { name: 'Hypha' } };
/** A name that no invoker has, so that the example deletes nothing. */
const NOBODY = 'No invoker has this name';
/** The smallest valid invoker. */
const EXAMPLE_XML =
  '<invoker><name>Example</name><operations><operation name="Read" type="test"><request><method>GET</method><endpoint>{url}</endpoint></request></operation></operations></invoker>';
const ADDED = {
  method: 'Post',
  path: '(request)',
  fields: [{ name: 'more', type: 'string', value: null }],
};
const FILE = ['file'] as const;
const NOT_DELETED = ['INVOKER_NOT_FOUND', 'INVOKER_IN_USE'] as const satisfies readonly ErrorCode[];

export const addressOf = (name: string, baseUrl: string): string =>
  `${baseUrl}/api/invoker/${encodeURIComponent(name)}`;

export function invokerRoutes({ invokers }: Services, { invokers: shown }: Presenters): Route[] {
  return [
    ...readingRoutes({ invokers }, shown),
    ...fileRoutes({ invokers }, shown),
    ...uploadRoutes({ invokers }, shown),
    route({
      method: 'post',
      path: '/invoker',
      needs: invokerPolicy.create,
      tag,
      summary: 'Adds an invoker',
      body: NewInvokerInput,
      example: { body: { xml: EXAMPLE_XML } },
      bodyLimit: 'upload',
      success: 201,
      answer: shown.one.answer,
      errors: ['INVOKER_INVALID', 'INVOKER_ALREADY_EXISTS', 'INPUT_TOO_COMPLEX'],
      record: 'shown',
      handle: async ({ actor, body, origin }) => {
        const { record: row } = await invokers.importFile(
          actor,
          { fileName: null, xml: body.xml, path: ['xml'] },
          'refuse',
        );
        const invoker = await invokers.get(row.name);
        return recordReply(
          shown.one(await invokers.shown(actor, invoker)),
          invoker,
          addressOf(row.name, origin.baseUrl),
        );
      },
    }),
    route({
      method: 'post',
      path: '/invoker/:name/xml',
      needs: invokerPolicy.update,
      tag,
      summary: 'Adds fields to an operation',
      params: NameParams,
      body: FieldPatchInput,
      example: { body: ADDED },
      success: 200,
      answer: shown.operation.answer,
      description:
        'A field of the same name gets the new type and value. Comments of the XML are lost.',
      errors: [
        'INVOKER_NOT_FOUND',
        'METHOD_NOT_FOUND_IN_INVOKER',
        'PATH_IS_INVALID',
        'INVOKER_INVALID',
        'INPUT_TOO_COMPLEX',
      ],
      record: 'changed',
      handle: async ({ actor, params, body: { fields, ...patch }, expectedVersion }) => {
        const added = fields.map(({ value, ...field }) => ({
          ...field,
          value: value == null ? null : String(value),
        }));
        const { row, operation } = await invokers.addFields(
          actor,
          params.name,
          { ...patch, fields: added },
          expectedVersion,
        );
        return recordReply(shown.operation(operation), row);
      },
    }),
    route({
      method: 'put',
      path: '/invoker/list/delete',
      needs: invokerPolicy.delete,
      tag,
      summary: 'Deletes invokers, all or none',
      query: ForceQuery,
      body: NamesInput,
      example: { body: { identifiers: [NOBODY] } },
      success: 204,
      errors: NOT_DELETED,
      sentAs: [[['ids'], ['identifiers']]],
      handle: async ({ actor, query, body }) =>
        void (await invokers.removeAll(actor, body.identifiers, { force: query.force })),
    }),
    route({
      method: 'delete',
      path: '/invoker/:name/force',
      needs: invokerPolicy.delete,
      tag,
      summary: 'Deletes an invoker that may be in use',
      params: NameParams,
      success: 204,
      description:
        'Connectors and workflows that use it stay. Their validation says that it is missing.',
      errors: ['INVOKER_NOT_FOUND'],
      record: 'deleted',
      handle: async ({ actor, params, expectedVersion }) =>
        void (await invokers.remove(actor, params.name, { force: true, expectedVersion })),
    }),
    route({
      method: 'delete',
      path: '/invoker/:name',
      needs: invokerPolicy.delete,
      tag,
      summary: 'Deletes an invoker',
      params: NameParams,
      query: ForceQuery,
      success: 204,
      errors: NOT_DELETED,
      record: 'deleted',
      handle: async ({ actor, params, query, expectedVersion }) =>
        void (await invokers.remove(actor, params.name, { force: query.force, expectedVersion })),
    }),
  ];
}

type Shown = Presenters['invokers'];

function readingRoutes({ invokers }: Pick<Services, 'invokers'>, shown: Shown): Route[] {
  const read = { method: 'get', needs: invokerPolicy.read, tag, success: 200 } as const;
  return [
    route({
      ...read,
      path: '/invoker/all',
      summary: 'Every invoker',
      answer: shown.list.answer,
      handle: async ({ actor }) => shown.list(invokers.allShown(actor)),
    }),
    route({
      ...read,
      path: '/invoker/exists/:name',
      summary: 'Is there an invoker of this name?',
      params: NameParams,
      example: EXAMPLE,
      answer: ResultBody,
      handle: async ({ params }) => ({ result: await invokers.exists(params.name) }),
    }),
    route({
      ...read,
      path: '/invoker/file/exists/:fileName',
      summary: 'Is there an invoker from a file of this name?',
      params: FileParams,
      example: { params: { fileName: 'hypha.xml' } },
      answer: ResultBody,
      handle: async ({ params }) => ({ result: await invokers.fileExists(params.fileName) }),
    }),
    route({
      ...read,
      path: '/invoker/:name/dependency',
      summary: 'Does a connector use it?',
      params: NameParams,
      example: EXAMPLE,
      answer: ResultBody,
      errors: ['INVOKER_NOT_FOUND'],
      handle: async ({ params }) => ({ result: await invokers.isUsed(params.name) }),
    }),
    route({
      ...read,
      path: '/invoker/:name/xml',
      summary: 'Its XML',
      params: NameParams,
      example: EXAMPLE,
      produces: 'application/xml',
      answer: z.string().meta({
        description:
          'As it was imported, in UTF-8: imported again it gives the same invoker. Without INVOKER:UPDATE written anew, with secrets masked.',
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
    }),
    route({
      ...read,
      path: '/invoker/:name',
      summary: 'One invoker',
      params: NameParams,
      example: EXAMPLE,
      answer: shown.one.answer,
      errors: ['INVOKER_NOT_FOUND'],
      record: 'shown',
      handle: async ({ actor, params }) => {
        const invoker = await invokers.get(params.name);
        return recordReply(shown.one(await invokers.shown(actor, invoker)), invoker);
      },
    }),
  ];
}

function uploadRoutes({ invokers }: Pick<Services, 'invokers'>, shown: Shown): Route[] {
  const upload = {
    method: 'post',
    needs: IMPORT_NEED,
    tag,
    upload: { part: 'file' },
    success: 201,
  } as const;
  const description =
    'Adding needs INVOKER:CREATE, replacing one of the same name INVOKER:UPDATE. A file that cannot be read is refused with its lines, and nothing is changed; what was assumed of one is in `warnings`.';
  return [
    route({
      ...upload,
      path: '/storage/invoker',
      summary: 'Adds or replaces an invoker by its XML file',
      description,
      answer: shown.imported.answer,
      errors: ['INVOKER_INVALID', 'INVOKER_ALREADY_EXISTS', 'INPUT_TOO_COMPLEX'],
      record: 'shown',
      handle: async ({ actor, file, origin }) => {
        const imported = await invokers.importFile(
          actor,
          { fileName: file?.fileName ?? null, xml: file?.bytes ?? Buffer.alloc(0), path: FILE },
          'replace',
        );
        return recordReply(
          shown.imported(imported),
          imported.record,
          addressOf(imported.record.name, origin.baseUrl),
        );
      },
    }),
    route({
      ...upload,
      path: '/storage/invoker/zip',
      summary: 'Adds or replaces the invokers of a zip archive, all or none',
      description: `${description} Files that are no XML are named in the warnings of the first invoker.`,
      answer: shown.importedAll.answer,
      mayRespondAsync: true,
      errors: [
        'ZIP_FILE_REQUIRED',
        'ZIP_INVALID',
        'INVOKER_INVALID',
        'INVOKER_ALREADY_EXISTS',
        'INPUT_TOO_COMPLEX',
      ],
      handle: async ({ actor, file, origin, respondAsync }) => {
        const archive = file?.bytes ?? Buffer.alloc(0);
        if (!respondAsync)
          return new Reply(shown.importedAll(await invokers.importArchive(actor, archive)), {
            Location: `${origin.baseUrl}/api/invoker/all`,
          });
        const job = await invokers.startArchive(actor, archive, shown.importedAll);
        return new Accepted(job._id, origin.baseUrl);
      },
    }),
  ];
}

/** Routes that read the installation's folder again. */
function fileRoutes({ invokers }: Pick<Services, 'invokers'>, shown: Shown): Route[] {
  const description =
    'Reads files that are new or were changed since they were last read. A file that cannot be read is told of in the log, and changes nothing.';
  const refresh = {
    method: 'get',
    needs: invokerPolicy.update,
    tag,
    success: 200,
    changesOnGet: true,
    description,
  } as const;
  return [
    route({
      ...refresh,
      path: '/invoker/refresh',
      summary: 'Reads the folder of invokers again',
      handle: async ({ actor }) => void (await invokers.refresh(actor)),
    }),
    route({
      ...refresh,
      path: '/invoker/synchronisation',
      summary: 'Reads the folder of invokers again, and answers every invoker',
      answer: shown.list.answer,
      handle: async ({ actor }) => {
        await invokers.refresh(actor);
        return shown.list(invokers.allShown(actor));
      },
    }),
  ];
}
