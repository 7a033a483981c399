import { fieldOf, listOf } from '../plan/clean';

/** What the code copies that the editor writes for a binding without a script. */
export const COPIED = 'VAR_0';
const COPY = new RegExp(String.raw`^RESULT_VAR\s*=\s*${COPIED}(?:\s*;)*$`);
/** In them `//` is no comment: it divides, or is a pattern. */
const OTHER_LANGUAGES = /^\s*(?:python|ruby)\s*$/i;
const COMMENT = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/[^\r\n]*/g;

/** The code of an enhancement, in its expert form or the simple one; null when all it does is to copy its first source. */
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

/** A text, or `{pointer, code: [{name, value, type}]}` of old editors: pieces of a text in their order. */
function simpleCodeOf(enhancement: unknown): unknown {
  const simple = fieldOf(enhancement, 'simpleCode');
  const pieces = fieldOf(simple, 'code');
  if (!Array.isArray(pieces)) return simple;
  return listOf(pieces as readonly unknown[])
    .map((piece) => fieldOf(piece, 'value') ?? fieldOf(piece, 'name'))
    .filter((text) => typeof text === 'string' || typeof text === 'number')
    .join('');
}
