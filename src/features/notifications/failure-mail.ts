import type { Language } from './notification.events';

/** The mail of the configuration about failed runs. */
export const FAILURE_MAIL: Readonly<
  Record<Language, { readonly subject: string; readonly body: string }>
> = {
  en: {
    subject: 'Failed: {SCHEDULER_TITLE}',
    body: [
      'A run of the schedule "{SCHEDULER_TITLE}" has failed.',
      '',
      'Workflow: {CONNECTION_NAME} ({CONNECTION_ID})',
      'Run: {RUN_ID}',
      'Error: {ERROR_CODE}: {ERROR_MESSAGE}',
      '',
      '{RUN_URL}',
    ].join('\n'),
  },
  de: {
    subject: 'Fehlgeschlagen: {SCHEDULER_TITLE}',
    body: [
      'Ein Lauf des Zeitplans "{SCHEDULER_TITLE}" ist fehlgeschlagen.',
      '',
      'Workflow: {CONNECTION_NAME} ({CONNECTION_ID})',
      'Lauf: {RUN_ID}',
      'Fehler: {ERROR_CODE}: {ERROR_MESSAGE}',
      '',
      '{RUN_URL}',
    ].join('\n'),
  },
};

/** Added to a message about several events. */
export const COUNT_LINE: Readonly<Record<Language, (count: number) => string>> = {
  en: (count) => `This message is about ${count} runs; the values are those of the last one.`,
  de: (count) => `Diese Nachricht betrifft ${count} Läufe; die Angaben sind die des letzten.`,
};
