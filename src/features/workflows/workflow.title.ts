import { Refused } from '../../platform/errors/errors';
import { hasMoreCharacters } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';

/** Characters (code points) of a title, after trimming. */
export const TITLE_LENGTH = 128;

/** The mark every installed client puts before the title of a test workflow, followed by the time in ms: 13 digits. They hide what begins so. */
export const TEST_PREFIX = '!*test_connection_';

/** Whatever follows the mark: what clients do not show, a list without `includeTest` does not have. */
export const isTestTitle = (title: string): boolean => title.startsWith(TEST_PREFIX);

/** The title a workflow gets while it exists for one test run only. Cut to the longest a title may be. */
export function testTitle(title: string, now: Date): string {
  if (isTestTitle(title)) return title;
  return [...`${TEST_PREFIX}${now.getTime()}_${title}`].slice(0, TITLE_LENGTH).join('');
}

/** The title that installed clients know the schedule of a test by, also that of a saved workflow: they hide it. */
export const titleOfTestSchedule = (title: string, now: Date): string =>
  testTitle(title, now).replace(TEST_PREFIX, '!*test_schedule_');

/** What makes two titles the same. Joiners and variation selectors are part of a title, since emoji need them, and not of its key. */
export const titleKey = (title: string): string => fold(title);

/**
 * The title as it is stored: trimmed.
 * @throws Refused TITLE_INVALID: missing, blank, too long, or with characters no title can have
 */
export function parseTitle(title: unknown): string {
  const trimmed = typeof title === 'string' ? title.trim() : '';
  if (hasMoreCharacters(trimmed, TITLE_LENGTH)) {
    throw new Refused('TITLE_INVALID', `A title has at most ${TITLE_LENGTH} characters.`, {
      path: ['title'],
    });
  }
  if (titleKey(trimmed) === '')
    throw new Refused('TITLE_INVALID', 'A workflow needs a title.', { path: ['title'] });
  if (!trimmed.isWellFormed() || /\p{Cc}/u.test(trimmed)) {
    throw new Refused('TITLE_INVALID', 'A title has no control characters.', { path: ['title'] });
  }
  return trimmed;
}

const TEMPORARY = '\u0000test ';

/** Two tests of one title in one millisecond are no conflict. No title has this key, since titles have no control characters. */
export const temporaryTitleKey = (workflowId: number): string => `${TEMPORARY}${workflowId}`;
export const isTemporaryTitleKey = (key: string): boolean => key.startsWith(TEMPORARY);
