import { fieldOf, listOf } from '../plan/clean';

/** Variable in the code that editors generate for a binding without a script. */
export const COPIED = 'VAR_0';
const COPY = new RegExp(String.raw`^RESULT_VAR\s*=\s*${COPIED}(?:\s*;)*$`);
/** Languages in which `//` is not a comment. */
const OTHER_LANGUAGES = /^\s*(?:python|ruby)\s*$/i;
const COMMENT = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/[^\r\n]*/g;

/** Returns the code of an enhancement; null if it only copies the first source. */
export function codeOf(enhancement: unknown): string | null {
  const code = [fieldOf(enhancement, 'expertCode'), simpleCodeOf(enhancement)].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  if (typeof code !== 'string') return null;
  const language = fieldOf(enhancement, 'language');
  const bare = (
    typeof language === 'string' && OTHER_LANGUAGES.test(language)
      ? code
      : code.replace(COMMENT, ' ')
  ).trim();
  return bare === '' || COPY.test(bare) ? null : code;
}

/**
 * A text, or `{pointer, code: [{name, value, type}]}` of old editors: pieces of a text in order.
 */
function simpleCodeOf(enhancement: unknown): unknown {
  const simple = fieldOf(enhancement, 'simpleCode');
  const pieces = fieldOf(simple, 'code');
  if (!Array.isArray(pieces)) return simple;
  return listOf(pieces as readonly unknown[])
    .map((piece) => fieldOf(piece, 'value') ?? fieldOf(piece, 'name'))
    .filter((text) => typeof text === 'string' || typeof text === 'number')
    .join('');
}
