import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import type { Audience } from '../../platform/http/dialects/released-client';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { PathId, QueryFlag } from '../../platform/http/scalars';
import { templatePolicy } from './template.policy';
import { readTemplate } from './template.rules';
import { TEMPLATE_EXAMPLE, TemplateIdentifiers, TemplateInput } from './template.presenter';
import type { ListedTemplate } from './template-reads';

const route = routesTagged('Templates');

const ById = z.object({ id: z.string() });
const MetadataOnly = z.object({
  metadataOnly: QueryFlag.default(false).meta({ description: 'Omit the workflow.' }),
});
const IN_BODY = { TEMPLATE_INVALID: 400 } as const;

const templateRouteContext = (
  { templates, releasedDocuments }: Services,
  { templates: shown, requests }: Presenters,
) => {
  const reply = async (
    template: ListedTemplate,
    audience: Audience,
    location?: string,
  ): Promise<Reply> =>
    recordReply(await shown.one(template, audience, releasedDocuments), template.record, location);
  return { shown, templates, releasedDocuments, reply, requests };
};
type TemplateRouteContext = ReturnType<typeof templateRouteContext>;

const getTemplateAll = ({ shown, templates, releasedDocuments }: TemplateRouteContext): Route =>
  route('GET /template/all', {
    needs: templatePolicy.read,
    summary: 'List templates',
    query: MetadataOnly,
    answer: shown.list.answer,
    handle: async ({ query, audience }) =>
      shown.list(templates.all(query), audience, releasedDocuments),
  });

const getTemplateAllByToConnectorId = ({
  shown,
  templates,
  releasedDocuments,
}: TemplateRouteContext): Route =>
  route('GET /template/all/:fromConnectorId/:toConnectorId', {
    needs: templatePolicy.readWithConnectors,
    summary: 'List the templates for two connectors',
    deprecated: 'GET /template/all',
    description:
      'Templates with the invokers of the two connectors, in either order, with the connectors filled in. If both connectors have the same invoker, the first slot gets `fromConnectorId`.',
    params: z.object({ fromConnectorId: PathId, toConnectorId: PathId }),
    answer: shown.list.answer,
    errors: ['CONNECTOR_NOT_FOUND'],
    handle: async ({ params: { fromConnectorId, toConnectorId }, audience }) =>
      shown.list(
        await templates.forConnectors(fromConnectorId, toConnectorId),
        audience,
        releasedDocuments,
      ),
  });

const getTemplateCheckByTemplateId = ({ templates }: TemplateRouteContext): Route =>
  route('GET /template/check/:templateId', {
    needs: templatePolicy.read,
    summary: 'Check whether a template exists',
    params: z.object({ templateId: z.string() }),
    example: { params: { templateId: '7b0f8a6e-4f0b-4a57-9d5e-0c6f3c1d2e3f' } },
    answer: z.boolean(),
    handle: async ({ params }) => (await templates.byTemplateId(params.templateId)) !== null,
  });

const getTemplateConnectionByConnectionId = ({
  shown,
  templates,
  releasedDocuments,
}: TemplateRouteContext): Route =>
  route('GET /template/connection/:connectionId', {
    needs: templatePolicy.read,
    summary: 'Convert a workflow to a template, without storing it',
    description:
      'The template contains the names of invokers, but no connectors, credentials or secrets. Also needs CONNECTION:READ.',
    params: z.object({ connectionId: PathId }),
    answer: shown.unsaved.answer,
    errors: ['CONNECTION_NOT_FOUND'],
    handle: async ({ actor, params, audience }) =>
      shown.unsaved(
        await templates.ofWorkflow(actor, params.connectionId),
        audience,
        releasedDocuments,
      ),
  });

const getTemplateFileByFilename = ({ shown, templates }: TemplateRouteContext): Route =>
  route('GET /template/file/:filename', {
    needs: templatePolicy.read,
    summary: 'Download the file of a template',
    params: z.object({ filename: z.string() }),
    answer: shown.file.answer,
    answerHeaders: { 'Content-Disposition': { description: 'Name of the file.' } },
    errors: ['FILE_NOT_FOUND'],
    handle: async ({ params }) => {
      const template = await templates.file(params.filename);
      return new Reply(shown.file(template), {
        'Content-Disposition': `attachment; filename="${template.record.templateId}.json"`,
      });
    },
  });

const getTemplateById = ({ shown, reply, templates }: TemplateRouteContext): Route =>
  route('GET /template/:id', {
    needs: templatePolicy.read,
    summary: 'Get a template',
    params: ById,
    query: MetadataOnly,
    answer: shown.one.answer,
    errors: ['TEMPLATE_NOT_FOUND'],
    record: 'shown',
    handle: async ({ params, query, audience }) =>
      reply(
        query.metadataOnly
          ? { record: await templates.get(params.id), body: null }
          : await templates.getWithBody(params.id),
        audience,
      ),
  });

const postTemplate = ({ shown, templates, reply }: TemplateRouteContext): Route =>
  route('POST /template', {
    needs: templatePolicy.create,
    summary: 'Create a template',
    description: 'It gets a new id.',
    success: 201,
    record: 'shown',
    body: TemplateInput,
    example: { body: TEMPLATE_EXAMPLE },
    bodyLimit: 'workflow',
    invalidAs: 'TEMPLATE_INVALID',
    statuses: IN_BODY,
    answer: shown.one.answer,
    errors: shown.checkErrors,
    handle: async ({ actor, body, audience }) => {
      shown.check(body, audience);
      const { templateId } = await templates.add(actor, readTemplate(body));
      return reply(
        await templates.getWithBody(templateId),
        audience,
        `${audience.baseUrl}/api/template/${templateId}`,
      );
    },
  });

const putTemplateAll = ({ shown, templates, releasedDocuments }: TemplateRouteContext): Route =>
  route('PUT /template/all', {
    needs: templatePolicy.update,
    summary: 'Replace templates, all or none',
    body: z.array(TemplateInput),
    example: { body: [] },
    bodyLimit: 'workflow',
    invalidAs: 'TEMPLATE_INVALID',
    statuses: IN_BODY,
    answer: shown.list.answer,
    errors: ['TEMPLATE_NOT_FOUND', ...shown.checkErrors],
    handle: async ({ actor, body, audience }) => {
      for (const template of body) shown.check(template, audience);
      const changed = await templates.replaceAll(actor, body);
      return shown.list(templates.listed(changed), audience, releasedDocuments);
    },
  });

const putTemplateListDelete = ({ requests, templates }: TemplateRouteContext): Route =>
  route('PUT /template/list/delete', {
    servedOnFullDisk: true,
    needs: templatePolicy.delete,
    summary: 'Delete templates, all or none',
    body: TemplateIdentifiers,
    example: { body: { identifiers: [] } },
    success: 204,
    errors: ['TEMPLATE_NOT_FOUND'],
    sentAs: [[['ids'], ['identifiers']]],
    handle: async ({ actor, body }) =>
      requests.deleteListed(body.identifiers, (ids) => templates.removeAll(actor, ids)),
  });

const putTemplateById = ({ shown, templates, reply }: TemplateRouteContext): Route =>
  route('PUT /template/:id', {
    needs: templatePolicy.update,
    summary: 'Replace a template',
    params: ById,
    record: 'changed',
    body: TemplateInput,
    example: { body: TEMPLATE_EXAMPLE },
    bodyLimit: 'workflow',
    invalidAs: 'TEMPLATE_INVALID',
    statuses: IN_BODY,
    answer: shown.one.answer,
    errors: ['TEMPLATE_NOT_FOUND', ...shown.checkErrors],
    handle: async ({ actor, params, body, audience, expectedVersion }) => {
      shown.check(body, audience);
      const { templateId } = await templates.replace(
        actor,
        params.id,
        readTemplate(body),
        expectedVersion,
      );
      return reply(await templates.getWithBody(templateId), audience);
    },
  });

const deleteTemplateById = ({ templates }: TemplateRouteContext): Route =>
  route('DELETE /template/:id', {
    needs: templatePolicy.delete,
    summary: 'Delete a template',
    params: ById,
    success: 204,
    errors: ['TEMPLATE_NOT_FOUND'],
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await templates.remove(actor, params.id, expectedVersion)),
  });

export const templateRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = templateRouteContext(services, presenters);
  return [
    getTemplateAll,
    getTemplateAllByToConnectorId,
    getTemplateCheckByTemplateId,
    getTemplateConnectionByConnectionId,
    getTemplateFileByFilename,
    getTemplateById,
    postTemplate,
    putTemplateAll,
    putTemplateListDelete,
    putTemplateById,
    deleteTemplateById,
  ].map((create) => create(context));
};
