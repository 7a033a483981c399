import { HEX_DIGITS } from './letter-encodings';
import { ViewBuilder } from './view';
import type { View } from './view';

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;

/** Decodes percent-encoding; returns null if there is none. */
export function percentDecoded(view: View): View | null {
  const { bytes } = view;
  if (!bytes.includes(PERCENT)) return null;
  const builder = new ViewBuilder(view);
  for (let index = 0; index < bytes.length; index += 1) {
    const value = bytes[index] === PERCENT ? hexAt(bytes, index + 1, 2) : null;
    if (value !== null) {
      builder.push(value, index, index + 2);
      index += 2;
    } else {
      // A truncated escape at the end is omitted.
      if (bytes[index] === PERCENT && index + 2 >= bytes.length) break;
      builder.push(bytes[index], index, index);
    }
  }
  return builder.done();
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
/** Length of `&#x10ffff;` with some leading zeros. */
const LONGEST_ENTITY = 12;

/** Decodes XML and HTML entities of one character; returns null if there are none. */
export function entitiesDecoded(view: View): View | null {
  const { bytes } = view;
  if (!bytes.includes(AMPERSAND) || !bytes.includes(SEMICOLON)) return null;
  const builder = new ViewBuilder(view);
  let found = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const end = bytes[index] === AMPERSAND ? entityEnd(bytes, index) : -1;
    const character =
      end < 0 ? null : entity(Buffer.from(bytes.subarray(index + 1, end)).toString('latin1'));
    if (character === null) {
      builder.push(bytes[index], index, index);
    } else {
      for (const byte of Buffer.from(character, 'utf8')) builder.push(byte, index, end);
      index = end;
      found = true;
    }
  }
  return found ? builder.done() : null;
}

/** Start of a truncated entity at the end; the length of the bytes if there is none. */
export function cutEntityOf(bytes: Uint8Array): number {
  const last = bytes.subarray(-LONGEST_ENTITY);
  const at = last.lastIndexOf(AMPERSAND);
  return at < 0 || last.includes(SEMICOLON, at) ? bytes.length : bytes.length - last.length + at;
}

/** Position of the semicolon; -1 if it is not within the maximum length. */
function entityEnd(bytes: Uint8Array, start: number): number {
  const last = Math.min(bytes.length, start + LONGEST_ENTITY);
  for (let index = start + 2; index < last; index += 1)
    if (bytes[index] === SEMICOLON) return index;
  return -1;
}

function entity(name: string): string | null {
  const number = /^#(?:[xX]([\da-fA-F]{1,8})|(\d{1,8}))$/.exec(name);
  if (number === null) return ENTITIES[name] ?? null;
  const point = number[1] === undefined ? Number(number[2]) : parseInt(number[1], 16);
  return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
    ? String.fromCodePoint(point)
    : null;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const ESCAPED_BYTES = new Map(
  Object.entries(ESCAPES).map(([letter, control]) => [letter.charCodeAt(0), control.charCodeAt(0)]),
);

/** Decodes one level of JSON escapes; returns null if there are none. */
export function unescaped(view: View): View | null {
  const { bytes } = view;
  if (!bytes.includes(BACKSLASH)) return null;
  const builder = new ViewBuilder(view);
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== BACKSLASH) {
      builder.push(bytes[index], index, index);
    } else if (bytes[index + 1] === 0x75) {
      index = pushCodePoint(builder, bytes, index);
    } else if (index + 1 < bytes.length) {
      builder.push(ESCAPED_BYTES.get(bytes[index + 1]) ?? bytes[index + 1], index, index + 1);
      index += 1;
    }
  }
  return builder.done();
}

/** Decodes `\uXXXX` (or a surrogate pair); returns the index of the last byte read. */
function pushCodePoint(builder: ViewBuilder, bytes: Uint8Array, index: number): number {
  const unit = hexAt(bytes, index + 2, 4);
  if (unit === null) {
    if (index + 6 <= bytes.length) builder.push(0x75, index, index + 1);
    return index + 6 <= bytes.length ? index + 1 : bytes.length;
  }
  // The second half of the pair is truncated.
  if (unit >= 0xd800 && unit < 0xdc00 && index + 12 > bytes.length) return bytes.length;
  const isPair =
    unit >= 0xd800 && unit < 0xdc00 && bytes[index + 6] === BACKSLASH && bytes[index + 7] === 0x75;
  const second = isPair ? hexAt(bytes, index + 8, 4) : null;
  const last = index + (second === null ? 5 : 11);
  for (const byte of Buffer.from(
    second === null ? String.fromCharCode(unit) : String.fromCharCode(unit, second),
    'utf8',
  ))
    builder.push(byte, index, last);
  return last;
}

function hexAt(bytes: Uint8Array, start: number, digits: number): number | null {
  let value = 0;
  for (let index = start; index < start + digits; index += 1) {
    const digit = index < bytes.length ? HEX_DIGITS[bytes[index]] : -1;
    if (digit < 0) return null;
    value = value * 16 + digit;
  }
  return value;
}
