import type { InputPath, Problem } from '../errors/errors';
import { hasMoreCharacters } from './characters';

/**
 * What speaks against a text that people type and the store keeps as it is: half of a character, which no UTF-8 can say, or too many
 * characters. Names and titles have rules of their own beside these two.
 * @param tooLong what is said of too many
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
