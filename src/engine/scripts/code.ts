import { fieldOf, listOf } from '../plan/clean';

/** The code the editor writes for a binding that only copies. */
const COPY = /^RESULT_VAR\s*=\s*VAR_0(?:\s*;)*$/;
const COMMENT = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/[^\r\n]*/g;

/** The code of an enhancement, in its expert form or the simple one; null when all it does is to copy its first source. */
export function codeOf(enhancement: unknown): string | null {
  const code = [fieldOf(enhancement, 'expertCode'), simpleCodeOf(enhancement)].find((text) => typeof text === 'string' && text.trim() !== '');
  if (typeof code !== 'string') return null;
  const bare = code.replace(COMMENT, ' ').trim();
  return bare === '' || COPY.test(bare) ? null : code;
}

/** A text, or `{pointer, code: [{name, value, type}]}` of old editors: pieces of a text in their order. */
function simpleCodeOf(enhancement: unknown): unknown {
  const simple = fieldOf(enhancement, 'simpleCode');
  const pieces = fieldOf(simple, 'code');
  if (!Array.isArray(pieces)) return simple;
  return listOf(pieces as readonly unknown[]).map((piece) => fieldOf(piece, 'value') ?? fieldOf(piece, 'name')).filter((text) => typeof text === 'string' || typeof text === 'number').join('');
}
