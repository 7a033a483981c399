import { BSONRegExp } from 'bson';
import { badValue, located, unsupported } from '../errors';
import { translatePattern } from './regex-pattern';

/** A pattern and its options (`i`, `m`, `s`, `x`, `u`), wherever they were given. */
export interface RegexSource {
  readonly pattern: string;
  readonly options: string;
}

const maximumPattern = 1_000;

/**
 * Longest text, in UTF-16 units, by the power of its length a failing match may take: what the engine tries in about 0.2 s.
 * The first is more than a document can hold.
 */
const maximumSubject: readonly number[] = [Infinity, 2 ** 26, 16_384, 1_024, 192, 96];

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
 * The test of a regular expression; only strings can pass. Patterns are limited to 1,000 characters and texts by the
 * repetitions in the pattern; beyond, the query is refused rather than left to block the store.
 * @throws StoreError 51108 for an unknown option, 51091 for a broken pattern, 115 for what is refused
 */
export function compileRegex({ pattern, options }: RegexSource): (value: unknown) => boolean {
  requireModest(pattern);
  const flags = new Set(requireKnownOptions(options));
  const { source, degree, weight } = translatePattern(pattern, { multiline: flags.has('m'), dotAll: flags.has('s') });
  if (degree >= maximumSubject.length) throw unsupported(`regular expressions with more than ${maximumSubject.length - 2} unbounded repetitions are`);
  const longest = Math.floor(maximumSubject[degree] / 2 ** (weight / degree));
  const regex = build(source, flags.has('i') ? 'iu' : 'u');
  return (value) => {
    if (typeof value !== 'string') return false;
    if (value.length > longest) throw unsupported(`matching this regular expression against texts longer than ${longest} characters is`);
    return regex.test(value);
  };
}

function requireModest(pattern: string): void {
  if (pattern.includes('\0')) throw badValue('Regular expression cannot contain an embedded null byte');
  if (pattern.length > maximumPattern) throw unsupported(`regular expressions longer than ${maximumPattern} characters are`);
}

function requireKnownOptions(options: string): string {
  for (const option of options) {
    if (option === 'x') throw unsupported('the regular expression option x is');
    if (!'imsu'.includes(option)) throw located(51108, `invalid flag in regex options: ${option}`);
  }
  return options;
}

function build(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw located(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}
