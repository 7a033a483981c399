import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/schema/connection';
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

@InputType({ description: 'What a message says in one language.' })
export class MessageContentInput {
  @Field(() => LanguageEnum, { description: 'The language.' })
  readonly language!: Language;

  @Field(() => String, {
    description: `At most ${inCharacters(MESSAGE_LENGTHS.subject)}, without line breaks.`,
  })
  readonly subject!: string;

  @Field(() => String, { description: `At most ${inCharacters(MESSAGE_LENGTHS.body)}.` })
  readonly body!: string;
}

const NAME = `1 to ${inCharacters(MESSAGE_LENGTHS.name)}.`;
const CONTENTS = 'At least one, and one for each language. Messages without one use English.';
const TEMPLATE = 'The template: global id or integer.';
const RECIPIENTS = `E-mail addresses, or URLs of webhooks, at most ${MAX_RECIPIENTS}. Empty: the user who started the run, else the author of the schedule; or the configured webhooks.`;

@InputType({ description: 'A new template.' })
export class MessageTemplateCreateInput {
  @Field(() => String, { description: NAME })
  readonly name!: string;

  @Field(() => ChannelEnum, { description: 'How its messages are sent.' })
  readonly channel!: Channel;

  @Field(() => [MessageContentInput], { description: CONTENTS })
  readonly contents!: MessageContentInput[];
}

@InputType({ description: 'A change of a template.' })
export class MessageTemplateUpdateInput extends VersionedInput {
  @Field(() => ID, { description: TEMPLATE })
  readonly id!: string;

  @Field(() => String, { nullable: true, description: NAME })
  readonly name?: string | null;

  @Field(() => [MessageContentInput], { nullable: true, description: `Replaces all. ${CONTENTS}` })
  readonly contents?: MessageContentInput[] | null;
}

@InputType({ description: 'A template to delete, with its notifications.' })
export class MessageTemplateDeleteInput extends VersionedInput {
  @Field(() => ID, { description: TEMPLATE })
  readonly id!: string;
}

@InputType({ description: 'A new notification of a schedule.' })
export class NotificationCreateInput {
  @Field(() => ID, { description: 'The schedule: global id or integer.' })
  readonly scheduleId!: string;

  @Field(() => String, { description: NAME })
  readonly name!: string;

  @Field(() => EventTypeEnum, { description: 'When it sends a message.' })
  readonly eventType!: EventType;

  @Field(() => ID, { description: TEMPLATE })
  readonly templateId!: string;

  @Field(() => [String], { nullable: true, description: RECIPIENTS })
  readonly recipients?: string[] | null;
}

@InputType({ description: 'A change of a notification. Omitted fields keep their value.' })
export class NotificationUpdateInput extends VersionedInput {
  @Field(() => ID, { description: 'The notification: global id or integer.' })
  readonly id!: string;

  @Field(() => String, { nullable: true, description: NAME })
  readonly name?: string | null;

  @Field(() => EventTypeEnum, { nullable: true, description: 'When it sends a message.' })
  readonly eventType?: EventType | null;

  @Field(() => ID, { nullable: true, description: TEMPLATE })
  readonly templateId?: string | null;

  @Field(() => [String], { nullable: true, description: RECIPIENTS })
  readonly recipients?: string[] | null;
}

@InputType({ description: 'A notification to delete.' })
export class NotificationDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'The notification: global id or integer.' })
  readonly id!: string;
}

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
