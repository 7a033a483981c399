import { isWebhookUrl } from '../../config/mail';
import type { Problem } from '../../platform/errors/errors';
import { textProblems } from '../../platform/errors/text-problems';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import type { Channel } from '../outbox/delivery.events';
import { CHANNELS } from '../outbox/delivery.events';
import { emailProblems } from '../users/user.service';
import { EVENT_TYPES, LANGUAGES } from './notification.events';
import type { EventType, Language } from './notification.events';

/** Maximum lengths in characters: those of the released line. */
export const MESSAGE_LENGTHS = { name: 128, subject: 128, body: 1_024 } as const;
export const MAX_RECIPIENTS = 50;
export const MAX_NOTIFICATIONS = 50;

export interface ContentInput {
  /** Of the content that it replaces. */
  readonly id?: number | null;
  readonly language: string;
  readonly subject: string;
  readonly body: string;
}

export interface MessageTemplateInput {
  readonly name: string;
  readonly channel: string;
  readonly contents: readonly ContentInput[];
}

export interface NotificationInput {
  readonly name: string;
  readonly eventType: string;
  readonly templateId: number;
  readonly recipients: readonly string[];
}

export const isChannel = (text: string): text is Channel => Object.hasOwn(CHANNELS, text);
export const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);
export const isEventType = (text: string): text is EventType => Object.hasOwn(EVENT_TYPES, text);

function nameProblems(name: string): Problem[] {
  const problem = (message: string): Problem[] => [
    { code: 'NAME_INVALID', path: ['name'], message },
  ];
  if (name.trim() === '') return problem('The name is missing.');
  if (hasMoreCharacters(name.trim(), MESSAGE_LENGTHS.name))
    return problem(`The name has at most ${MESSAGE_LENGTHS.name} characters.`);
  return isVisible(name.trim()) ? [] : problem('The name contains invisible characters.');
}

const oneOf = (list: object): string => Object.keys(list).join(', ');

export function templateProblems({ name, channel, contents }: MessageTemplateInput): Problem[] {
  const problems = nameProblems(name);
  if (!isChannel(channel))
    problems.push({
      code: 'BAD_REQUEST',
      path: ['channel'],
      message: `Expected one of ${oneOf(CHANNELS)}.`,
    });
  if (contents.length === 0)
    problems.push({
      code: 'BAD_REQUEST',
      path: ['contents'],
      message: 'A template needs a content.',
    });
  const seen = new Set<string>();
  contents.forEach(({ language, subject, body }, at) => {
    const place = ['contents', at] as const;
    if (!isLanguage(language))
      problems.push({
        code: 'BAD_REQUEST',
        path: [...place, 'language'],
        message: `Expected one of ${oneOf(LANGUAGES)}.`,
      });
    if (seen.has(language))
      problems.push({
        code: 'NAMED_TWICE',
        path: [...place, 'language'],
        message: `There is another content in ${JSON.stringify(language.slice(0, 20))}.`,
      });
    seen.add(language);
    if (/[\r\n]/.test(subject))
      problems.push({
        code: 'TEXT_INVALID',
        path: [...place, 'subject'],
        message: 'A subject has no line breaks.',
      });
    problems.push(
      ...textProblems(subject, MESSAGE_LENGTHS.subject, [...place, 'subject']),
      ...textProblems(body, MESSAGE_LENGTHS.body, [...place, 'body']),
    );
  });
  return problems;
}

/** Without the rules of recipients, which depend on the template. */
export function notificationProblems({
  name,
  eventType,
  recipients,
}: NotificationInput): Problem[] {
  const problems = nameProblems(name);
  if (!isEventType(eventType))
    problems.push({
      code: 'BAD_REQUEST',
      path: ['eventType'],
      message: `Expected one of ${oneOf(EVENT_TYPES)}.`,
    });
  if (recipients.length > MAX_RECIPIENTS)
    problems.push({
      code: 'LIST_TOO_LONG',
      path: ['recipients'],
      message: `At most ${MAX_RECIPIENTS} recipients.`,
    });
  return problems;
}

/** A line break in an address would add headers or recipients. */
export const recipientProblems = (recipients: readonly string[], channel: Channel): Problem[] =>
  recipients.slice(0, MAX_RECIPIENTS).flatMap((recipient, at): Problem[] => {
    const isValid =
      channel === 'email'
        ? recipient === recipient.trim() && emailProblems(recipient).length === 0
        : isWebhookUrl(recipient);
    if (isValid) return [];
    const message =
      channel === 'email' ? 'This is not an e-mail address.' : 'This is not an http or https URL.';
    return [{ code: 'RECIPIENT_INVALID', path: ['recipients', at], message }];
  });
