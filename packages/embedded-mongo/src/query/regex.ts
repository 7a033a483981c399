import { BSONRegExp } from 'bson';
import { StoreError, unsupported } from '../errors';

/** A pattern and its options (`i`, `m`, `s`, `x`, `u`). */
interface RegexSource {
  readonly pattern: string;
  readonly options: string;
}

const maximumPattern = 1_000;

/** A regular expression literal of the query, or undefined for any other value. bson reads the option `s` as the flag `g`. */
export function regexLiteral(value: unknown): RegexSource | undefined {
  if (value instanceof BSONRegExp) return { pattern: value.pattern, options: value.options };
  if (!(value instanceof RegExp)) return undefined;
  const options = [
    value.ignoreCase ? 'i' : '',
    value.multiline ? 'm' : '',
    value.global || value.dotAll ? 's' : '',
  ].join('');
  return { pattern: value.source === '(?:)' ? '' : value.source, options };
}

/**
 * Returns the source of `$regex` with optional `$options`.
 * @throws StoreError 2 for operands of another type, 51074 when both carry options
 */
export function regexOperands(regex: unknown, options: unknown): RegexSource {
  if (options !== undefined && typeof options !== 'string')
    throw new StoreError('BadValue', '$options has to be a string');
  if (typeof regex === 'string') return { pattern: regex, options: options ?? '' };
  const literal = regexLiteral(regex);
  if (literal === undefined) throw new StoreError('BadValue', '$regex has to be a string');
  if (options !== undefined && literal.options !== '')
    throw new StoreError(51074, 'options set in both $regex and $options');
  return options === undefined ? literal : { ...literal, options };
}

/**
 * Compiles a pattern; only strings match. Supported: literal text, option `i`, `^` at the start,
 * `$` at the end, and at the end of the pattern `(?!...)` with literal texts, `[^...]` of
 * punctuation, and `{0,n}` of these. Anything else is rejected: the engines of MongoDB and
 * JavaScript differ, and some patterns are slow in both.
 * @throws StoreError 51108 unknown option, 115 unsupported pattern
 */
export function compileRegex({ pattern, options }: RegexSource): (value: unknown) => boolean {
  if (pattern.includes('\0'))
    throw new StoreError('BadValue', 'Regular expression cannot contain an embedded null byte');
  if (pattern.length > maximumPattern)
    throw unsupported(`regular expressions longer than ${maximumPattern} characters are`);
  requireKnownOptions(options);
  const regex = new RegExp(translated(pattern), options.includes('i') ? 'iu' : 'u');
  return (value) => typeof value === 'string' && regex.test(value);
}

const SPECIAL = new Set('^$.*+?()[]{}|');
const NOT_BEHIND = '(?!';
/** Punctuation only, since case-insensitive letters differ between the engines. */
const NONE_OF = /^\[\^(?:["',;:!<>=/ _]|\\[\\^$.*+?()[\]{}|/-])+\](?:\{0,\d{1,3}\})?/;

/** Reads a literal, possibly escaped character; returns it and its length in the pattern. */
function literal(text: string): { readonly character: string; readonly length: number } {
  const escaped = text.startsWith('\\');
  const [character] = escaped ? text.slice(1) : text;
  if (character === undefined)
    throw new StoreError(51091, 'Regular expression is invalid: \\ at end of pattern');
  if (escaped ? /[A-Za-z0-9]/.test(character) : SPECIAL.has(character))
    throw unsupported(`the regular expression construct ${escaped ? '\\' : ''}${character} is`);
  return {
    character:
      SPECIAL.has(character) || character === '\\' || character === '/'
        ? `\\${character}`
        : character,
    length: character.length + (escaped ? 1 : 0),
  };
}

/** Translates a pattern; all characters are literal except `^`, `$` and a final `(?!...)`. */
function translated(pattern: string): string {
  let written = '';
  for (let at = 0; at < pattern.length;) {
    if (pattern.startsWith(NOT_BEHIND, at)) return written + notBehind(pattern.slice(at));
    if (pattern[at] === '^' && at === 0) {
      written += '^';
      at += 1;
      // In MongoDB, `$` also matches before a line break at the end.
    } else if (pattern[at] === '$' && at === pattern.length - 1) {
      written += '(?=\\n?$)';
      at += 1;
    } else {
      const { character, length } = literal(pattern.slice(at, at + 3));
      written += character;
      at += length;
    }
  }
  return written;
}

/** Translates consecutive `(?!...)`; nothing may follow. */
function notBehind(pattern: string): string {
  let written = '';
  for (let at = 0; at < pattern.length; at += 1) {
    if (!pattern.startsWith(NOT_BEHIND, at))
      throw unsupported('what comes behind (?!...) in a regular expression is');
    written += NOT_BEHIND;
    for (at += NOT_BEHIND.length; pattern[at] !== ')';) {
      if (at >= pattern.length)
        throw new StoreError(51091, 'Regular expression is invalid: missing closing parenthesis');
      const [none] = NONE_OF.exec(pattern.slice(at)) ?? [];
      const { character, length } =
        none === undefined
          ? literal(pattern.slice(at, at + 3))
          : { character: none, length: none.length };
      written += character;
      at += length;
    }
    written += ')';
  }
  return written;
}

function requireKnownOptions(options: string): void {
  for (const option of options) {
    if (option === 'x' || option === 'm')
      throw unsupported(`the regular expression option ${option} is`);
    if (!'isu'.includes(option))
      throw new StoreError(51108, `invalid flag in regex options: ${option}`);
  }
}
