import { BSONRegExp } from 'bson';
import { badValue, located, unsupported } from '../errors';

/** A pattern and its options (`i`, `m`, `s`, `x`, `u`), wherever they were given. */
export interface RegexSource {
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
 * The source meant by `$regex` with optional `$options`.
 * @throws StoreError 2 for operands of another type, 51074 when both carry options
 */
export function regexOperands(regex: unknown, options: unknown): RegexSource {
  if (options !== undefined && typeof options !== 'string')
    throw badValue('$options has to be a string');
  if (typeof regex === 'string') return { pattern: regex, options: options ?? '' };
  const literal = regexLiteral(regex);
  if (literal === undefined) throw badValue('$regex has to be a string');
  if (options !== undefined && literal.options !== '')
    throw located(51074, 'options set in both $regex and $options');
  return options === undefined ? literal : { ...literal, options };
}

/**
 * The test of a pattern; only strings can pass. A pattern is a text to look for, with or without regard to case, which `^` ties to the
 * beginning and `$` to the end; `(?!...)` at the end of it say what does not come behind, as texts, `[^...]` of signs, and `{0,n}` of these.
 * Anything else that repeats, branches or stands for several characters is refused: the engines of MongoDB and of JavaScript differ there,
 * and some patterns take either of them very long.
 * @throws StoreError 51108 for an unknown option, 115 for what is refused
 */
export function compileRegex({ pattern, options }: RegexSource): (value: unknown) => boolean {
  if (pattern.includes('\0'))
    throw badValue('Regular expression cannot contain an embedded null byte');
  if (pattern.length > maximumPattern)
    throw unsupported(`regular expressions longer than ${maximumPattern} characters are`);
  requireKnownOptions(options);
  const regex = new RegExp(translated(pattern), options.includes('i') ? 'iu' : 'u');
  return (value) => typeof value === 'string' && regex.test(value);
}

const SPECIAL = new Set('^$.*+?()[]{}|');
const NOT_BEHIND = '(?!';
/** Signs, since letters without regard to case are others in either engine. */
const NONE_OF = /^\[\^(?:["',;:!<>=/ _]|\\[\\^$.*+?()[\]{}|/-])+\](?:\{0,\d{1,3}\})?/;

/** A character at the beginning of a text that stands for itself, maybe by a backslash, and how many units say so. */
function literal(text: string): { readonly character: string; readonly length: number } {
  const escaped = text.startsWith('\\');
  const [character] = escaped ? text.slice(1) : text;
  if (character === undefined)
    throw located(51091, 'Regular expression is invalid: \\ at end of pattern');
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

/** Each character stands for itself, also where a backslash says so; only `^` at the beginning and `$` at the end do not, and what does not come behind. */
function translated(pattern: string): string {
  let written = '';
  for (let at = 0; at < pattern.length;) {
    if (pattern.startsWith(NOT_BEHIND, at)) return written + notBehind(pattern.slice(at));
    if (pattern[at] === '^' && at === 0) {
      written += '^';
      at += 1;
      // MongoDB's `$` also stands before a line break that ends the text.
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

/** One `(?!...)` after the other, and nothing else. */
function notBehind(pattern: string): string {
  let written = '';
  for (let at = 0; at < pattern.length; at += 1) {
    if (!pattern.startsWith(NOT_BEHIND, at))
      throw unsupported('what comes behind (?!...) in a regular expression is');
    written += NOT_BEHIND;
    for (at += NOT_BEHIND.length; pattern[at] !== ')';) {
      if (at >= pattern.length)
        throw located(51091, 'Regular expression is invalid: missing closing parenthesis');
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
    if (!'isu'.includes(option)) throw located(51108, `invalid flag in regex options: ${option}`);
  }
}
