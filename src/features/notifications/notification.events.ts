/** Bus topic: an event of a schedule that messages are to be made of. */
export const NOTIFICATION_TOPIC = 'notification.event';

export const EVENT_TYPES = {
  pre: 'A run of the schedule starts.',
  post: 'A run of the schedule has succeeded.',
  alert: 'A run of the schedule has failed.',
} as const;
export type EventType = keyof typeof EVENT_TYPES;

/** Languages of contents. */
export const LANGUAGES = { en: 'English', de: 'German' } as const;
export type Language = keyof typeof LANGUAGES;
