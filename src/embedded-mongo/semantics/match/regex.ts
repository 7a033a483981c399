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
  const options = [value.ignoreCase ? 'i' : '', value.multiline ? 'm' : '', value.global || value.dotAll ? 's' : ''].join('');
  return { pattern: value.source === '(?:)' ? '' : value.source, options };
}

/**
 * The source meant by `$regex` with optional `$options`.
 * @throws StoreError 2 for operands of another type, 51074 when both carry options
 */
export function regexOperands(regex: unknown, options: unknown): RegexSource {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (typeof regex === 'string') return { pattern: regex, options: options ?? '' };
  const literal = regexLiteral(regex);
  if (literal === undefined) throw badValue('$regex has to be a string');
  if (options !== undefined && literal.options !== '') throw located(51074, 'options set in both $regex and $options');
  return options === undefined ? literal : { ...literal, options };
}

/**
 * The test of a pattern; only strings can pass. A pattern is a text to look for, with or without regard to case, which `^` ties to the
 * beginning and `$` to the end. Anything that repeats, branches or stands for several characters is refused: the engines of MongoDB and
 * of JavaScript differ there, and some patterns take either of them very long.
 * @throws StoreError 51108 for an unknown option, 115 for what is refused
 */
export function compileRegex({ pattern, options }: RegexSource): (value: unknown) => boolean {
  if (pattern.includes('\0')) throw badValue('Regular expression cannot contain an embedded null byte');
  if (pattern.length > maximumPattern) throw unsupported(`regular expressions longer than ${maximumPattern} characters are`);
  requireKnownOptions(options);
  const regex = new RegExp(translated([...pattern]), options.includes('i') ? 'iu' : 'u');
  return (value) => typeof value === 'string' && regex.test(value);
}

const SPECIAL = new Set('^$.*+?()[]{}|');

/** Each character stands for itself, also where a backslash says so; only `^` at the beginning and `$` at the end do not. */
function translated(characters: readonly string[]): string {
  let written = '';
  for (let at = 0; at < characters.length; at++) {
    const escaped = characters[at] === '\\';
    const character: string | undefined = escaped ? characters[++at] : characters[at];
    if (character === undefined) throw located(51091, 'Regular expression is invalid: \\ at end of pattern');
    if (!escaped && character === '^' && at === 0) written += '^';
    // MongoDB's `$` also stands before a line break that ends the text.
    else if (!escaped && character === '$' && at === characters.length - 1) written += '(?=\\n?$)';
    else if (escaped ? /[A-Za-z0-9]/.test(character) : SPECIAL.has(character)) throw unsupported(`the regular expression construct ${escaped ? '\\' : ''}${character} is`);
    else written += SPECIAL.has(character) || character === '\\' || character === '/' ? `\\${character}` : character;
  }
  return written;
}

function requireKnownOptions(options: string): void {
  for (const option of options) {
    if (option === 'x' || option === 'm') throw unsupported(`the regular expression option ${option} is`);
    if (!'isu'.includes(option)) throw located(51108, `invalid flag in regex options: ${option}`);
  }
}
