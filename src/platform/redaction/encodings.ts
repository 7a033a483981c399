import { HEX_DIGITS } from './letter-encodings';
import { ViewBuilder } from './view';
import type { View } from './view';

const [PERCENT, AMPERSAND, SEMICOLON, BACKSLASH] = [0x25, 0x26, 0x3b, 0x5c];
const [PLUS, SPACE, LETTER_U] = [0x2b, 0x20, 0x75];

/** Decodes percent-encoding; returns null if there is none. `isForm`: `+` is a space. */
export function percentDecoded(view: View, isForm = false): View | null {
  const { bytes } = view;
  let isChanged = isForm && bytes.includes(PLUS);
  if (!isChanged && !bytes.includes(PERCENT)) return null;
  const builder = new ViewBuilder(view);
  for (let index = 0; index < bytes.length; index += 1) {
    const value = bytes[index] === PERCENT ? hexAt(bytes, index + 1, 2) : null;
    if (value !== null) {
      builder.push(value, index, index + 2);
      index += 2;
      isChanged = true;
    } else if (bytes[index] === PERCENT && index + 2 >= bytes.length) {
      // A truncated escape at the end is omitted.
      isChanged = true;
      break;
    } else builder.push(isForm && bytes[index] === PLUS ? SPACE : bytes[index], index, index);
  }
  return isChanged ? builder.done() : null;
}

/** Decodes a form; returns null if it contains no `+`, so that percent-encoding is enough. */
export const formDecoded = (view: View): View | null =>
  view.bytes.includes(PLUS) ? percentDecoded(view, true) : null;

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** Length of `&#x10ffff;` with some leading zeros. */
const LONGEST_ENTITY = 12;
const ENTITY = /&([a-z]{2,4}|#[xX]?[\da-fA-F]{1,8});/g;

/** Decodes XML and HTML entities of one character; returns null if there are none. */
export function entitiesDecoded(view: View): View | null {
  const { bytes } = view;
  if (!bytes.includes(AMPERSAND) || !bytes.includes(SEMICOLON)) return null;
  const builder = new ViewBuilder(view);
  let isChanged = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const end = bytes[index] === AMPERSAND ? entityEnd(bytes, index) : -1;
    const character =
      end < 0 ? null : entity(Buffer.from(bytes.subarray(index + 1, end)).toString('latin1'));
    if (character === null) {
      builder.push(bytes[index], index, index);
    } else {
      for (const byte of Buffer.from(character, 'utf8')) builder.push(byte, index, end);
      index = end;
      isChanged = true;
    }
  }
  return isChanged ? builder.done() : null;
}

/** The same for a text. */
export const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (written, name: string) => entity(name) ?? written)
    : text;

/** Start of a truncated entity at the end; the length of the bytes if there is none. */
export function cutEntityOf(bytes: Uint8Array): number {
  const last = bytes.subarray(-LONGEST_ENTITY);
  const at = last.lastIndexOf(AMPERSAND);
  return at < 0 || last.includes(SEMICOLON, at) ? bytes.length : bytes.length - last.length + at;
}

/** Position of the semicolon; -1 if it is not within the maximum length. */
function entityEnd(bytes: Uint8Array, start: number): number {
  const end = bytes.subarray(start, start + LONGEST_ENTITY).indexOf(SEMICOLON);
  return end < 0 ? -1 : start + end;
}

function entity(name: string): string | null {
  const number = /^#(?:[xX]([\da-fA-F]{1,8})|(\d{1,8}))$/.exec(name);
  if (number === null) return ENTITIES.get(name) ?? null;
  const point = number[1] === undefined ? Number(number[2]) : parseInt(number[1], 16);
  return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
    ? String.fromCodePoint(point)
    : null;
}

const ESCAPED_BYTES: ReadonlyMap<number | undefined, number> = new Map(
  ['n\n', 'r\r', 't\t', 'b\b', 'f\f'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

/** Decodes one level of JSON escapes; returns null if there are none. */
export function unescaped(view: View): View | null {
  const { bytes } = view;
  if (!bytes.includes(BACKSLASH)) return null;
  const builder = new ViewBuilder(view);
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== BACKSLASH) {
      builder.push(bytes[index], index, index);
    } else if (bytes[index + 1] === LETTER_U) {
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
    if (index + 6 > bytes.length) return bytes.length;
    builder.push(LETTER_U, index, index + 1);
    return index + 1;
  }
  const isFirstHalf = unit >= 0xd800 && unit < 0xdc00;
  // The second half of the pair is truncated.
  if (isFirstHalf && index + 12 > bytes.length) return bytes.length;
  const isPair = isFirstHalf && bytes[index + 6] === BACKSLASH && bytes[index + 7] === LETTER_U;
  const second = isPair ? hexAt(bytes, index + 8, 4) : null;
  const last = index + (second === null ? 5 : 11);
  const character = String.fromCharCode(...(second === null ? [unit] : [unit, second]));
  for (const byte of Buffer.from(character, 'utf8')) builder.push(byte, index, last);
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
