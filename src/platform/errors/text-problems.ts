import { hasMoreCharacters } from '../text/characters';
import type { InputPath, Problem } from './errors';

/**
 * Checks a free text: no lone surrogates (they have no UTF-8 encoding) and not too long. Names and
 * titles have additional rules.
 * @param tooLong message for a text that is too long
 */
export function textProblems(
  text: string | null | undefined,
  most: number,
  path: InputPath,
  tooLong = `At most ${most} characters.`,
): Problem[] {
  if (text == null) return [];
  if (!text.isWellFormed())
    return [{ code: 'TEXT_INVALID', path, message: 'This is not well-formed Unicode.' }];
  return hasMoreCharacters(text, most) ? [{ code: 'TEXT_TOO_LONG', path, message: tooLong }] : [];
}
