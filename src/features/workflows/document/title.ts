import { Refused } from '../../../platform/errors/errors';
import { firstCharacters, hasMoreCharacters } from '../../../platform/text/characters';
import { fold } from '../../../platform/text/fold';

/** Maximum characters (code points) of a title, after trimming. */
export const TITLE_LENGTH = 128;

/**
 * Prefix that all clients put before the title of a test workflow, followed by the time in ms (13
 * digits). Clients hide titles that start with it.
 */
export const TEST_PREFIX = '!*test_connection_';

/** Only the prefix counts: lists without `includeTest` exclude exactly what clients hide. */
export const isTestTitle = (title: string): boolean => title.startsWith(TEST_PREFIX);

/** The title of a temporary workflow for a test run, cut to the maximum length. */
export function testTitle(title: string, now: Date): string {
  if (isTestTitle(title)) return title;
  return firstCharacters(`${TEST_PREFIX}${now.getTime()}_${title}`, TITLE_LENGTH);
}

/**
 * Equal keys mean equal titles. Joiners and variation selectors are allowed in titles (emoji need
 * them) but not part of the key.
 */
export const titleKey = (title: string): string => fold(title);

/**
 * Trims and checks a title.
 * @throws Refused TITLE_INVALID: missing, blank, too long, or with invalid characters
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

/**
 * Makes temporary titles unique even within one millisecond. No real title has this key, because
 * titles have no control characters.
 */
export const temporaryTitleKey = (workflowId: number): string => `${TEMPORARY}${workflowId}`;
export const isTemporaryTitleKey = (key: string): boolean => key.startsWith(TEMPORARY);
