import { partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import type { Channel } from '../outbox/delivery.events';
import type { Language } from './notification.events';

/** What a message says in one language. */
export interface MessageContent {
  /** Unique over all templates. */
  readonly id: number;
  readonly language: Language;
  readonly subject: string;
  readonly body: string;
}

/** What notifications say, in one or more languages. */
export interface MessageTemplateRecord {
  readonly _id: number;
  readonly name: string;
  readonly nameKey: string;
  readonly channel: Channel;
  readonly contents: readonly MessageContent[];
  /**
   * Counts notifications that were given this template, so that a concurrent deletion conflicts
   * (docs/adr/0010).
   */
  readonly claims: number;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

const content = partOf<MessageContent>({
  id: Number,
  language: String,
  subject: String,
  body: String,
});

const templateSchema = schemaOf<MessageTemplateRecord>({
  _id: Number,
  name: String,
  nameKey: String,
  channel: String,
  contents: [content],
  claims: Number,
  version: Number,
});
templateSchema.index({ nameKey: 1, _id: 1 });
templateSchema.index({ channel: 1, nameKey: 1, _id: 1 });
templateSchema.index({ 'contents.id': 1 });

export const messageTemplateCollection = (store: Store) =>
  store.collection<MessageTemplateRecord>('MessageTemplate', templateSchema, 'message_templates');

/** The content in this language, else in English, else the first. */
export const contentIn = (
  { contents }: Pick<MessageTemplateRecord, 'contents'>,
  language: Language,
): MessageContent | undefined =>
  contents.find((each) => each.language === language) ??
  contents.find((each) => each.language === 'en') ??
  contents[0];
