import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { Reply, route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { PathId, QueryFlag } from '../../platform/http/scalars';
import type { ListedTemplate } from './template.presenter';
import { templatePolicy } from './template.policy';
import { readTemplate } from './template.rules';
import { TEMPLATE_EXAMPLE, TemplateIdentifiers, TemplateInput } from './template.schema';

const tag = 'Templates';

const ById = z.object({ id: z.string() });
const MetadataOnly = z.object({
  metadataOnly: QueryFlag.default(false).meta({ description: 'Without the workflow.' }),
});
const IN_BODY = { TEMPLATE_INVALID: 400 } as const;

export function templateRoutes(
  { templates }: Pick<Services, 'templates'>,
  { templates: shown }: Presenters,
): Route[] {
  const reply = (template: ListedTemplate, baseUrl: string, location?: string): Reply =>
    recordReply(shown.one(template, baseUrl), template.record, location);

  return [
    route({
      method: 'get',
      path: '/template/all',
      needs: templatePolicy.read,
      tag,
      summary: 'All templates',
      query: MetadataOnly,
      success: 200,
      answer: shown.list.answer,
      handle: async ({ query, origin }) => shown.list(templates.all(query), origin.baseUrl),
    }),
    route({
      method: 'get',
      path: '/template/all/:fromConnectorId/:toConnectorId',
      needs: templatePolicy.readWithConnectors,
      tag,
      summary: 'The templates that fit two connectors',
      success: 200,
      deprecated: 'GET /template/all',
      description:
        'Those of the invokers of the two, in either order, with the connectors put in. In a template of two connectors of one invoker the first is the former.',
      params: z.object({ fromConnectorId: PathId, toConnectorId: PathId }),
      answer: shown.list.answer,
      errors: ['CONNECTOR_NOT_FOUND'],
      handle: async ({ params: { fromConnectorId, toConnectorId }, origin }) =>
        shown.list(await templates.fitting(fromConnectorId, toConnectorId), origin.baseUrl),
    }),
    route({
      method: 'get',
      path: '/template/check/:templateId',
      needs: templatePolicy.read,
      tag,
      summary: 'Is there a template with this id?',
      params: z.object({ templateId: z.string() }),
      example: { params: { templateId: '7b0f8a6e-4f0b-4a57-9d5e-0c6f3c1d2e3f' } },
      success: 200,
      answer: z.boolean(),
      handle: async ({ params }) => (await templates.byTemplateId(params.templateId)) !== null,
    }),
    route({
      method: 'get',
      path: '/template/connection/:connectionId',
      needs: templatePolicy.read,
      tag,
      summary: 'A workflow as a template, not stored',
      description:
        'Names of invokers go in; connectors, credentials and secrets never. Needs CONNECTION:READ, too.',
      params: z.object({ connectionId: PathId }),
      success: 200,
      answer: shown.unsaved.answer,
      errors: ['CONNECTION_NOT_FOUND'],
      handle: async ({ actor, params }) =>
        shown.unsaved(await templates.ofWorkflow(actor, params.connectionId)),
    }),
    route({
      method: 'get',
      path: '/template/file/:filename',
      needs: templatePolicy.read,
      tag,
      summary: 'The file of a template',
      params: z.object({ filename: z.string() }),
      success: 200,
      answer: shown.file.answer,
      answerHeaders: { 'Content-Disposition': { description: 'What the file is called.' } },
      errors: ['FILE_NOT_FOUND'],
      handle: async ({ params }) => {
        const template = await templates.file(params.filename);
        return new Reply(shown.file(template), {
          'Content-Disposition': `attachment; filename="${template.record.templateId}.json"`,
        });
      },
    }),
    route({
      method: 'get',
      path: '/template/:id',
      needs: templatePolicy.read,
      tag,
      summary: 'One template',
      params: ById,
      query: MetadataOnly,
      success: 200,
      answer: shown.one.answer,
      errors: ['TEMPLATE_NOT_FOUND'],
      record: 'shown',
      handle: async ({ params, query, origin }) =>
        reply(
          query.metadataOnly
            ? { record: await templates.get(params.id), body: null }
            : await templates.getWithBody(params.id),
          origin.baseUrl,
        ),
    }),
    route({
      method: 'post',
      path: '/template',
      needs: templatePolicy.create,
      tag,
      summary: 'Adds a template',
      description: 'It gets a new id.',
      success: 201,
      record: 'shown',
      body: TemplateInput,
      example: { body: TEMPLATE_EXAMPLE },
      bodyLimit: 'workflow',
      invalidAs: 'TEMPLATE_INVALID',
      statuses: IN_BODY,
      answer: shown.one.answer,
      handle: async ({ actor, body, origin }) => {
        const { templateId } = await templates.add(actor, readTemplate(body));
        return reply(
          await templates.getWithBody(templateId),
          origin.baseUrl,
          `${origin.baseUrl}/api/template/${templateId}`,
        );
      },
    }),
    route({
      method: 'put',
      path: '/template/all',
      needs: templatePolicy.update,
      tag,
      summary: 'Replaces templates, all or none',
      success: 200,
      body: z.array(TemplateInput),
      example: { body: [] },
      bodyLimit: 'workflow',
      invalidAs: 'TEMPLATE_INVALID',
      statuses: IN_BODY,
      answer: shown.list.answer,
      errors: ['TEMPLATE_NOT_FOUND'],
      handle: async ({ actor, body, origin }) => {
        const changed = await templates.replaceAll(actor, body);
        return shown.list(templates.listed(changed), origin.baseUrl);
      },
    }),
    route({
      method: 'put',
      path: '/template/list/delete',
      needs: templatePolicy.delete,
      tag,
      summary: 'Deletes templates, all or none',
      body: TemplateIdentifiers,
      example: { body: { identifiers: [] } },
      success: 204,
      errors: ['TEMPLATE_NOT_FOUND'],
      sentAs: [[['ids'], ['identifiers']]],
      handle: async ({ actor, body }) => templates.removeAll(actor, body.identifiers),
    }),
    route({
      method: 'put',
      path: '/template/:id',
      needs: templatePolicy.update,
      tag,
      summary: 'Replaces a template',
      params: ById,
      success: 200,
      record: 'changed',
      body: TemplateInput,
      example: { body: TEMPLATE_EXAMPLE },
      bodyLimit: 'workflow',
      invalidAs: 'TEMPLATE_INVALID',
      statuses: IN_BODY,
      answer: shown.one.answer,
      errors: ['TEMPLATE_NOT_FOUND'],
      handle: async ({ actor, params, body, origin, expectedVersion }) => {
        const { templateId } = await templates.replace(
          actor,
          params.id,
          readTemplate(body),
          expectedVersion,
        );
        return reply(await templates.getWithBody(templateId), origin.baseUrl);
      },
    }),
    route({
      method: 'delete',
      path: '/template/:id',
      needs: templatePolicy.delete,
      tag,
      summary: 'Deletes a template',
      params: ById,
      success: 204,
      errors: ['TEMPLATE_NOT_FOUND'],
      record: 'deleted',
      handle: async ({ actor, params, expectedVersion }) =>
        void (await templates.remove(actor, params.id, expectedVersion)),
    }),
  ];
}
