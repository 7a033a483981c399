import { z } from 'zod';
import type { ErrorCode } from '../../platform/errors/codes';
import { AnswerId, BodyId, keysOf } from '../../platform/http/scalars';
import { CHANNELS } from '../outbox/delivery.events';
import type { MessageContent, MessageTemplateRecord } from './message-template.model';
import { EVENT_TYPES, LANGUAGES } from './notification.events';
import type { NotificationView, SavedNotification } from './notification.service';
import type { ContentInput, MessageTemplateInput } from './notification.rules';
import { MAX_RECIPIENTS, MESSAGE_LENGTHS } from './notification.rules';
import { inCharacters } from '../../platform/text/characters';

const channel = z.enum(keysOf(CHANNELS));

export const NotificationBody = z
  .object({
    notificationId: AnswerId,
    schedulerId: AnswerId,
    name: z.string(),
    eventType: z.enum(keysOf(EVENT_TYPES)),
    notificationType: channel.meta({ description: 'That of the template.' }),
    template: z.object({ templateId: AnswerId, name: z.string() }),
    recipients: z.array(z.string()).meta({
      description:
        'E-mail addresses, or URLs of webhooks. Without SCHEDULE:UPDATE, of a URL only its origin.',
    }),
    team: z.null(),
    channel: z.null(),
  })
  .meta({ id: 'Notification', description: 'Sends a message at each event of a schedule.' });

export const presentNotification = (view: NotificationView): z.output<typeof NotificationBody> => ({
  notificationId: view._id,
  schedulerId: view.scheduleId,
  name: view.name,
  eventType: view.eventType,
  notificationType: view.template.channel,
  template: { templateId: view.templateId, name: view.template.name },
  recipients: [...view.recipients],
  team: null,
  channel: null,
});

const text = z.string().nullish();

export const NotificationInput = z
  .object({
    notificationId: BodyId.nullish().meta({ description: 'Of the one to change.' }),
    schedulerId: BodyId.nullish().meta({
      description: 'Ignored: the path or the schedule counts.',
    }),
    name: text.meta({ description: `1 to ${inCharacters(MESSAGE_LENGTHS.name)}.` }),
    eventType: text.meta({
      description: 'pre: a run starts; post: it succeeded; alert: it failed.',
    }),
    notificationType: text.meta({ description: 'Ignored: that of the template counts.' }),
    template: z.object({ templateId: BodyId.nullish(), name: text }).nullish(),
    recipients: z
      .array(z.string())
      .nullish()
      .meta({
        description: `E-mail addresses, or URLs of webhooks, at most ${MAX_RECIPIENTS}. Empty: the user who started the run, else the author of the schedule; or the configured webhooks.`,
      }),
    team: z.unknown().optional(),
    channel: z.unknown().optional(),
  })
  .meta({ id: 'NotificationInput' });
export type NotificationInputBody = z.output<typeof NotificationInput>;

export const notificationInput = (body: NotificationInputBody): SavedNotification => ({
  id: body.notificationId || null,
  name: body.name ?? '',
  eventType: body.eventType ?? '',
  templateId: body.template?.templateId ?? 0,
  recipients: body.recipients ?? [],
});

export const NOTIFICATION_NOT_CREATED = [
  'MESSAGE_TEMPLATE_NOT_FOUND',
  'RECIPIENT_INVALID',
  'NAME_INVALID',
  'LIST_TOO_LONG',
] as const satisfies readonly ErrorCode[];
export const NOTIFICATION_NOT_SAVED = [
  'NOTIFICATION_NOT_FOUND',
  ...NOTIFICATION_NOT_CREATED,
] as const satisfies readonly ErrorCode[];

export const ContentBody = z
  .object({
    contentId: AnswerId,
    subject: z.string(),
    body: z.string(),
    language: z.enum(keysOf(LANGUAGES)),
  })
  .meta({ id: 'MessageContent', description: 'What a message says in one language.' });

export const presentContent = ({
  id,
  subject,
  body,
  language,
}: MessageContent): z.output<typeof ContentBody> => ({ contentId: id, subject, body, language });

export const MessageBody = z
  .object({
    templateId: AnswerId,
    name: z.string(),
    type: channel,
    content: z.array(ContentBody),
    warnings: z
      .array(z.string())
      .optional()
      .meta({ description: 'Placeholders that are not replaced. Only for one template.' }),
  })
  .meta({ id: 'Message', description: 'A template of messages.' });

export const presentTemplate = (
  template: MessageTemplateRecord,
  warnings?: readonly string[],
): z.output<typeof MessageBody> => ({
  templateId: template._id,
  name: template.name,
  type: template.channel,
  content: template.contents.map(presentContent),
  ...(warnings && { warnings: [...warnings] }),
});

export const ContentInputBody = z
  .object({
    contentId: BodyId.nullish(),
    subject: text.meta({
      description: `At most ${inCharacters(MESSAGE_LENGTHS.subject)}, without line breaks.`,
    }),
    body: text.meta({ description: `At most ${inCharacters(MESSAGE_LENGTHS.body)}.` }),
    language: text.meta({ description: 'en or de.' }),
  })
  .meta({ id: 'MessageContentInput' });

export const MessageInput = z
  .object({
    templateId: BodyId.nullish(),
    name: text.meta({ description: `1 to ${inCharacters(MESSAGE_LENGTHS.name)}.` }),
    type: text.meta({ description: 'email or incoming_webhook.' }),
    content: z.array(ContentInputBody).max(20).nullish(),
  })
  .meta({ id: 'MessageInput' });

export const contentInput = (body: z.output<typeof ContentInputBody>): ContentInput => ({
  id: body.contentId,
  language: body.language ?? 'en',
  subject: body.subject ?? '',
  body: body.body ?? '',
});

export const templateInput = (body: z.output<typeof MessageInput>): MessageTemplateInput => ({
  name: body.name ?? '',
  channel: body.type ?? '',
  contents: (body.content ?? []).map(contentInput),
});
