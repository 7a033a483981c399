import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import type { PathTable } from '../../platform/errors/findings';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import type { Reply } from '../../platform/http/route';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { Identifiers, IdParams, INT32_MAX, keysOf, NOBODY } from '../../platform/http/scalars';
import { CHANNELS } from '../outbox/delivery.events';
import { LANGUAGES } from './notification.events';
import type { MessageTemplateRecord } from './message-template.model';
import {
  ContentBody,
  contentInput,
  ContentInputBody,
  MessageBody,
  MessageInput,
  presentContent,
  presentTemplate,
  templateInput,
} from './notification.presenter';
import { messageTemplatePolicy, SAVE_MESSAGE_NEED } from './notification.policy';

const route = routesTagged('Notifications');

/** Names in the bodies that differ from those of the service. */
const IN_MESSAGE: PathTable = [
  [['channel'], ['type']],
  [['contents'], ['content']],
];
const IN_CONTENT: PathTable = [[['contents', '*'], []]];
const NOT_SAVED = [
  'MESSAGE_TEMPLATE_NOT_FOUND',
  'NAME_INVALID',
  'NAMED_TWICE',
  'TEXT_INVALID',
  'TEXT_TOO_LONG',
] as const satisfies readonly ErrorCode[];
const EXAMPLE = {
  name: 'Failed run',
  type: 'email',
  content: [
    {
      language: 'en',
      subject: '{SCHEDULER_TITLE} has failed',
      body: 'Run {RUN_ID}: {ERROR_MESSAGE}',
    },
  ],
};

const messageRouteContext = (
  { messageTemplates: templates }: Services,
  { requests }: Presenters,
  webhookUrls: readonly string[],
) => {
  const reply = async (template: MessageTemplateRecord): Promise<Reply> =>
    recordReply(presentTemplate(template, await templates.warningsOf(template)), template);
  return { templates, webhookUrls, reply, requests };
};
type MessageRouteContext = ReturnType<typeof messageRouteContext>;

const getMessageAll = ({ templates }: MessageRouteContext): Route =>
  route('GET /message/all', {
    needs: messageTemplatePolicy.read,
    summary: 'List templates of messages',
    answer: z.array(MessageBody),
    handle: async () => (await templates.list()).map((each) => presentTemplate(each)),
  });

const getMessageAllByType = ({ templates }: MessageRouteContext): Route =>
  route('GET /message/all/:type', {
    needs: messageTemplatePolicy.read,
    summary: 'List templates of one type',
    params: z.object({ type: z.enum(keysOf(CHANNELS)) }),
    example: { params: { type: 'email' } },
    answer: z.array(MessageBody),
    handle: async ({ params }) =>
      (await templates.list(params.type)).map((each) => presentTemplate(each)),
  });

const getMessageLanguages = (): Route =>
  route('GET /message/languages', {
    needs: messageTemplatePolicy.read,
    summary: 'List the languages of contents',
    answer: z.object({ languages: z.array(z.object({ name: z.string(), code: z.string() })) }),
    handle: async () => ({
      languages: Object.entries(LANGUAGES).map(([code, name]) => ({ name, code })),
    }),
  });

const getMessageToolsAll = (): Route =>
  route('GET /message/tools/all', {
    needs: messageTemplatePolicy.read,
    summary: 'List the types of templates',
    answer: z.object({ result: z.array(z.string()) }),
    handle: async () => ({ result: Object.keys(CHANNELS) }),
  });

const getMessageToolsIncomingWebhook = ({ webhookUrls }: MessageRouteContext): Route =>
  route('GET /message/tools/incoming_webhook', {
    needs: messageTemplatePolicy.create,
    summary: 'Get the configured webhooks',
    answer: z.object({ result: z.string().nullable() }),
    handle: async () => ({ result: webhookUrls.length === 0 ? null : webhookUrls.join(',') }),
  });

const getMessageById = ({ reply, templates }: MessageRouteContext): Route =>
  route('GET /message/:id', {
    needs: messageTemplatePolicy.read,
    summary: 'Get a template',
    params: IdParams,
    answer: MessageBody,
    errors: ['MESSAGE_TEMPLATE_NOT_FOUND'],
    record: 'shown',
    handle: async ({ params }) => reply(await templates.get(params.id)),
  });

const postMessage = ({ reply, templates }: MessageRouteContext): Route =>
  route('POST /message', {
    needs: SAVE_MESSAGE_NEED,
    summary: 'Create a template, or change the one with this id',
    description:
      'Unknown placeholders stay as they are; `warnings` of the answer names them. docs/mail.md lists the placeholders.',
    body: MessageInput,
    example: { body: EXAMPLE },
    answer: MessageBody,
    errors: NOT_SAVED,
    sentAs: IN_MESSAGE,
    record: 'changed',
    handle: async ({ actor, body, expectedVersion }) =>
      reply(
        await templates.createOrUpdate(
          actor,
          body.templateId || null,
          templateInput(body),
          expectedVersion,
        ),
      ),
  });

const putMessageListDelete = ({ requests, templates }: MessageRouteContext): Route =>
  route('PUT /message/list/delete', {
    servedOnFullDisk: true,
    needs: messageTemplatePolicy.delete,
    summary: 'Delete templates with their notifications, all or none',
    body: Identifiers,
    example: { body: NOBODY },
    errors: ['MESSAGE_TEMPLATE_NOT_FOUND'],
    handle: async ({ actor, body }) =>
      requests.deleteListed(body.identifiers, (ids) => templates.removeAll(actor, ids)),
  });

const putMessageById = ({ reply, templates }: MessageRouteContext): Route =>
  route('PUT /message/:id', {
    needs: messageTemplatePolicy.update,
    summary: 'Change a template',
    params: IdParams,
    body: MessageInput,
    example: { body: EXAMPLE },
    answer: MessageBody,
    errors: NOT_SAVED,
    sentAs: IN_MESSAGE,
    record: 'changed',
    handle: async ({ actor, params, body, expectedVersion }) =>
      reply(await templates.update(actor, params.id, templateInput(body), expectedVersion)),
  });

const deleteMessageById = ({ templates }: MessageRouteContext): Route =>
  route('DELETE /message/:id', {
    needs: messageTemplatePolicy.delete,
    summary: 'Delete a template with its notifications',
    params: IdParams,
    success: 204,
    errors: ['MESSAGE_TEMPLATE_NOT_FOUND'],
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await templates.remove(actor, params.id, expectedVersion)),
  });

const getContentAll = ({ templates }: MessageRouteContext): Route =>
  route('GET /content/all', {
    needs: messageTemplatePolicy.read,
    summary: 'List the contents of all templates',
    answer: z.array(ContentBody),
    handle: async () =>
      (await templates.list()).flatMap(({ contents }) => contents.map(presentContent)),
  });

const getContentById = ({ templates }: MessageRouteContext): Route =>
  route('GET /content/:id', {
    needs: messageTemplatePolicy.read,
    summary: 'Get a content',
    params: IdParams,
    answer: ContentBody,
    errors: ['CONTENT_NOT_FOUND'],
    handle: async ({ params }) => presentContent((await templates.contentById(params.id)).content),
  });

const postContent = ({ templates }: MessageRouteContext): Route =>
  route('POST /content', {
    needs: messageTemplatePolicy.update,
    summary: 'Change a content',
    description: 'A content belongs to a template: add one with `PUT /message/{id}`.',
    body: ContentInputBody,
    example: { body: { contentId: INT32_MAX, subject: '', body: '', language: 'en' } },
    answer: ContentBody,
    errors: ['CONTENT_NOT_FOUND', 'NAMED_TWICE', 'TEXT_INVALID', 'TEXT_TOO_LONG'],
    sentAs: IN_CONTENT,
    handle: async ({ actor, body }) => {
      const { content } = await templates.updateContent(
        actor,
        body.contentId ?? 0,
        contentInput(body),
      );
      return presentContent(content);
    },
  });

/** Templates of messages, at the paths of the released lines. */
export const messageRoutes = (
  services: Services,
  presenters: Presenters,
  webhookUrls: readonly string[],
): Route[] => {
  const context = messageRouteContext(services, presenters, webhookUrls);
  return [
    getMessageAll,
    getMessageAllByType,
    getMessageLanguages,
    getMessageToolsAll,
    getMessageToolsIncomingWebhook,
    getMessageById,
    postMessage,
    putMessageListDelete,
    putMessageById,
    deleteMessageById,
    getContentAll,
    getContentById,
    postContent,
  ].map((create) => create(context));
};
