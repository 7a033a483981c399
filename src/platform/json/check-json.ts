import { BadInput, TooLarge } from '../errors/errors';
import { requireExactNumber } from './judge';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SMALL_E = 0x65;
const CAPITAL_E = 0x45;

/** Numbers of at most this length are exact, since the exponent has at most two digits. */
const EXACT_CHARACTERS = 4;
/** Numbers with at most this many digits are exact. */
const EXACT_DIGITS = 15;

export interface JsonLimits {
  /** Maximum nesting of objects and arrays. */
  readonly depth: number;
  /** Maximum number of values, approximately: opening brackets and commas. */
  readonly values: number;
  /** Maximum number of names in one object: a large object is slow to build. */
  readonly names: number;
  /** Accepts numbers that a double cannot hold: the caller reads them from the text. */
  readonly anyNumbers?: boolean;
}

/**
 * Checks the tokens of a JSON text before `JSON.parse` builds its values. What is no JSON is left to
 * `JSON.parse`.
 * @throws BadInput nested too deeply, or a number that a double cannot hold
 * @throws TooLarge too many values, or too many names in one object
 */
export function checkJson(bytes: Buffer, limits: JsonLimits): void {
  /** The number of entries of each open object; 0 for a list. */
  const open: number[] = [];
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === MINUS || (byte >= ZERO && byte <= NINE))
      at = endOfNumber(bytes, at, limits.anyNumbers === true) - 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) open.pop();
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      open.push(byte === OPEN_OBJECT ? 1 : 0);
      values += 1;
      if (open.length > limits.depth)
        throw new BadInput(
          'BAD_REQUEST',
          `The body is nested more than ${limits.depth} levels deep.`,
        );
    } else if (byte === COMMA) {
      values += 1;
      if (open[open.length - 1] > 0 && (open[open.length - 1] += 1) > limits.names)
        throw new TooLarge(`An object in the body has more than ${limits.names} names.`);
    }
    if (values > limits.values)
      throw new TooLarge(`The body has more than ${limits.values} values.`);
  }
}

/** The closing quote of a text, or the end of the input. */
function endOfText(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** @throws BadInput a double cannot hold the number */
function endOfNumber(bytes: Buffer, from: number, acceptsAny: boolean): number {
  let hasExponent = false;
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte >= ZERO && byte <= NINE) continue;
    if (byte === SMALL_E || byte === CAPITAL_E) hasExponent = true;
    else if (byte !== DOT && byte !== PLUS && byte !== MINUS) break;
  }
  const length = at - from;
  if (acceptsAny || length <= EXACT_CHARACTERS || (length <= EXACT_DIGITS && !hasExponent))
    return at;
  const token = bytes.toString('latin1', from, at);
  if (!Number.isNaN(Number(token))) requireExactNumber(token);
  return at;
}
