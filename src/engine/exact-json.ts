import { parse, splitNumber, stringify } from 'lossless-json';

/** A number would be rounded or lost. */
export class NumberTooLarge extends Error {}

/**
 * `JSON.parse` that keeps integers beyond 2^53 exact, as bigint, so that ids pass through a
 * workflow unchanged. The slow library is used only for texts with such numbers.
 * @throws SyntaxError
 * @throws NumberTooLarge beyond the range of a double (`1e400`), or too many digits beyond 2^53
 * @throws RangeError such a number in a text that is nested thousands of levels deep
 */
export function parseExactJson(text: string): unknown {
  if (!SUSPECT.test(text) || !someNumber(text, isBeyondDoubles)) return JSON.parse(text);
  return parse(text, null, {
    parseNumber: exactNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** `JSON.stringify` that writes a bigint as a number. */
export function printExactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringify(value) ?? '';
  }
}

/** Matches texts that may contain such a number (also within strings). */
const SUSPECT = /\d{16}|\d[eE][+\d]/;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isNumberLetter = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2e ||
  code === 0x2d ||
  code === 0x2b ||
  code === 0x45 ||
  code === 0x65;
const isInteger = (text: string): boolean => /^-?\d+$/.test(text);
/** Minimum number of digits of a number that a double may not hold, without exponent. */
const FEWEST_DIGITS = 16;

/** Returns whether `parseExactJson` would throw NumberTooLarge; does not parse. */
export const holdsRoundedNumber = (text: string): boolean =>
  SUSPECT.test(text) && someNumber(text, isLost);

/** Returns whether a number outside of strings passes the test. */
function someNumber(text: string, isSuch: (token: string) => boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index += 1;
      while (index < text.length && text.charCodeAt(index) !== QUOTE)
        index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const start = index;
      while (index + 1 < text.length && isNumberLetter(text.charCodeAt(index + 1))) index += 1;
      if (isSuch(text.slice(start, index + 1))) return true;
    }
  }
  return false;
}

function isBeyondDoubles(token: string): boolean {
  if (token.length < FEWEST_DIGITS && !/e/i.test(token)) return false;
  const number = Number(token);
  if (Number.isNaN(number) || Number.isSafeInteger(number)) return false;
  return isInteger(token) ? String(number) !== token : isRounded(token, number);
}

/**
 * 17 digits identify every double; more digits beyond 2^53 belong to an integer that was rounded.
 */
function isRounded(token: string, number: number): boolean {
  return (
    !Number.isFinite(number) ||
    (Math.abs(number) > Number.MAX_SAFE_INTEGER && splitNumber(token).digits.length > 17)
  );
}

const isLost = (token: string): boolean => isBeyondDoubles(token) && !isInteger(token);

function exactNumber(token: string): number | bigint {
  if (!isBeyondDoubles(token)) return Number(token);
  if (isLost(token)) throw new NumberTooLarge();
  return BigInt(token);
}
