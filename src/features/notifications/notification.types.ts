import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { enumOf } from '../../platform/graphql/schema/enums';
import { IdFilter, NameFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import { VersionedInput } from '../../platform/graphql/schema/payload';
import { filterType, listArgs, payloadType } from '../../platform/graphql/schema/record-types';
import type { Channel } from '../outbox/delivery.events';
import { ChannelEnum, ChannelFilter } from '../outbox/delivery.types';
import { EVENT_TYPES } from './notification.events';
import type { EventType, Language } from './notification.events';
import { MAX_RECIPIENTS, MESSAGE_LENGTHS } from './notification.rules';
import { inCharacters } from '../../platform/text/characters';

const EventTypeEnum = enumOf(
  EVENT_TYPES,
  'NotificationEvent',
  'When a notification sends a message.',
);
const LanguageEnum = enumOf<Language>(
  { en: 'English.', de: 'German.' },
  'MessageLanguage',
  'The language of a content.',
);

@ObjectType('MessageContent', { description: 'What a message says in one language.' })
class MessageContentType {
  @Field(() => Int, { name: 'contentId', description: 'Id. Not a global id.' })
  readonly id!: number;

  @Field(() => LanguageEnum, { description: 'The language.' })
  readonly language!: Language;

  @Field(() => String, { description: 'The subject, with placeholders.' })
  readonly subject!: string;

  @Field(() => String, { description: 'The text, with placeholders.' })
  readonly body!: string;
}

@ObjectType('MessageTemplate', {
  implements: Node,
  description: 'What notifications say, in one or more languages.',
})
export class MessageTemplateType {
  readonly _id!: number;

  @Field(() => String, { description: 'The name.' })
  readonly name!: string;

  @Field(() => ChannelEnum, { description: 'How its messages are sent.' })
  readonly channel!: Channel;

  @Field(() => [MessageContentType], { description: 'One for each language.' })
  readonly contents!: readonly MessageContentType[];

  @Field(() => Int, {
    description: 'Number of changes. Pass it as `expectedVersion` to detect concurrent changes.',
  })
  readonly version!: number;
}

@ObjectType('Notification', {
  implements: Node,
  description: 'Sends a message at each event of a schedule.',
})
export class NotificationType {
  readonly _id!: number;

  @Field(() => String, { description: 'The name.' })
  readonly name!: string;

  @Field(() => EventTypeEnum, { description: 'When it sends a message.' })
  readonly eventType!: EventType;

  @Field(() => [String], {
    description:
      'E-mail addresses, or URLs of webhooks; empty for the default. Without SCHEDULE:UPDATE, of a URL only its origin.',
  })
  readonly recipients!: readonly string[];

  @Field(() => Int, {
    description: 'Number of changes. Pass it as `expectedVersion` to detect concurrent changes.',
  })
  readonly version!: number;
}

export const MessageTemplateConnection = ConnectionOf(
  MessageTemplateType,
  'MessageTemplateConnection',
);

export const MessageTemplatePayload = payloadType(
  'MessageTemplatePayload',
  'messageTemplate',
  MessageTemplateType,
  'A template that was created, changed or deleted.',
);
export const NotificationPayload = payloadType(
  'NotificationPayload',
  'notification',
  NotificationType,
  'A notification that was created, changed or deleted.',
);

export const MessageContentInput = inputType(
  'MessageContentInput',
  'What a message says in one language.',
  {
    language: [LanguageEnum, 'The language.'],
    subject: [String, `At most ${inCharacters(MESSAGE_LENGTHS.subject)}, without line breaks.`],
    body: [String, `At most ${inCharacters(MESSAGE_LENGTHS.body)}.`],
  },
);

const NAME = `1 to ${inCharacters(MESSAGE_LENGTHS.name)}.`;
const CONTENTS = 'At least one, and one for each language. Messages without one use English.';
const TEMPLATE = 'The template: global id or integer.';
const RECIPIENTS = `E-mail addresses, or URLs of webhooks, at most ${MAX_RECIPIENTS}. Empty: the user who started the run, else the author of the schedule; or the configured webhooks.`;

export const MessageTemplateCreateInput = inputType(
  'MessageTemplateCreateInput',
  'A new template.',
  {
    name: [String, NAME],
    channel: [ChannelEnum, 'How its messages are sent.'],
    contents: [[MessageContentInput], CONTENTS],
  },
);
export type MessageTemplateCreateInput = InstanceType<typeof MessageTemplateCreateInput>;

export const MessageTemplateUpdateInput = inputType(
  'MessageTemplateUpdateInput',
  'A change of a template.',
  {
    id: [ID, TEMPLATE],
    name: [optional(String), NAME],
    contents: [optional([MessageContentInput]), `Replaces all. ${CONTENTS}`],
  },
  VersionedInput,
);
export type MessageTemplateUpdateInput = InstanceType<typeof MessageTemplateUpdateInput>;

export const MessageTemplateDeleteInput = inputType(
  'MessageTemplateDeleteInput',
  'A template to delete, with its notifications.',
  { id: [ID, TEMPLATE] },
  VersionedInput,
);
export type MessageTemplateDeleteInput = InstanceType<typeof MessageTemplateDeleteInput>;

export const NotificationCreateInput = inputType(
  'NotificationCreateInput',
  'A new notification of a schedule.',
  {
    scheduleId: [ID, 'The schedule: global id or integer.'],
    name: [String, NAME],
    eventType: [EventTypeEnum, 'When it sends a message.'],
    templateId: [ID, TEMPLATE],
    recipients: [optional([String]), RECIPIENTS],
  },
);
export type NotificationCreateInput = InstanceType<typeof NotificationCreateInput>;

export const NotificationUpdateInput = inputType(
  'NotificationUpdateInput',
  'A change of a notification. Omitted fields keep their value.',
  {
    id: [ID, 'The notification: global id or integer.'],
    name: [optional(String), NAME],
    eventType: [optional(EventTypeEnum), 'When it sends a message.'],
    templateId: [optional(ID), TEMPLATE],
    recipients: [optional([String]), RECIPIENTS],
  },
  VersionedInput,
);
export type NotificationUpdateInput = InstanceType<typeof NotificationUpdateInput>;

export const NotificationDeleteInput = inputType(
  'NotificationDeleteInput',
  'A notification to delete.',
  { id: [ID, 'The notification: global id or integer.'] },
  VersionedInput,
);
export type NotificationDeleteInput = InstanceType<typeof NotificationDeleteInput>;

const MessageTemplateFilter = filterType('MessageTemplateFilter', 'templates', {
  id: [IdFilter, 'Ids of templates.'],
  name: [NameFilter, 'The name.'],
  channel: [ChannelFilter, 'How messages are sent.'],
});

const MessageTemplateOrder = orderInput(
  enumOf(
    { ID: 'Id.', NAME: 'Name, without regard to case.' },
    'MessageTemplateOrderField',
    'Fields that templates can be ordered by.',
  ),
  'MessageTemplateOrder',
);

export const MessageTemplatesArgs = listArgs(
  'templates',
  MessageTemplateFilter,
  MessageTemplateOrder,
  'by name',
);
