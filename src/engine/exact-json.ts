import { parse, splitNumber, stringify } from 'lossless-json';

/** A number that would be rounded or lost, so that nobody could trust what comes after it. */
export class NumberTooLarge extends Error {}

/**
 * `JSON.parse` that keeps integers beyond 2^53 exact, as bigint: an id must leave a workflow as it came in. A text without such a number
 * costs one look at its letters more; the library is slow, and only for the others.
 * @throws SyntaxError
 * @throws NumberTooLarge  beyond all doubles (`1e400`), or beyond 2^53 with more digits than a double has
 * @throws RangeError  such a number in a text that is nested thousands of levels deep
 */
export function parseExactJson(text: string): unknown {
  if (!SUSPECT.test(text) || !someNumber(text, isBeyondDoubles)) return JSON.parse(text);
  return parse(text, null, {
    parseNumber: exactNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/** `JSON.stringify` that writes a bigint as the number it is. */
export function printExactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringify(value) ?? '';
  }
}

/** Anywhere, in texts too. */
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
/** Digits of the shortest number that may not be what a double holds; exponents need fewer. */
const FEWEST_DIGITS = 16;

/** Would `parseExactJson` throw for a number in this JSON text? Parses nothing. */
export const holdsRoundedNumber = (text: string): boolean =>
  SUSPECT.test(text) && someNumber(text, isLost);

/** Is there such a number outside of texts? Looks at each letter once. */
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

/** Seventeen digits name each double, whoever wrote it; more of them beyond 2^53 are digits of an integer that get lost. */
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
