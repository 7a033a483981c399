import { Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { isJsonObject } from '../document/json';

/** The reference tokens of a JSON pointer (RFC 6901); empty: the whole value. */
export type Pointer = readonly string[];

/** Names that would lead to a prototype instead of data. */
const PROTOTYPES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * @param place path of the pointer within the patch, for errors
 * @throws Refused PATH_IS_INVALID not a JSON pointer, or one through a prototype
 */
export function parsePointer(text: unknown, place: InputPath): Pointer {
  if (typeof text !== 'string') throw pathInvalid('A path is a JSON pointer: text.', place);
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text))
    throw pathInvalid(`${quote(text)} is not a JSON pointer.`, place);
  const names = text
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const prototype = names.find((name) => PROTOTYPES.has(name));
  if (prototype !== undefined) throw pathInvalid(`A path may not contain ${prototype}.`, place);
  return names;
}

export const printPointer = (path: readonly (string | number)[]): string =>
  path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Quotes a pointer for messages; long ones are cut. */
export function quotePointer(pointer: Pointer): string {
  return quote(printPointer(pointer));
}

const quote = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** Returns the value at a pointer; undefined if there is none. */
export function valueAt(root: unknown, pointer: Pointer): unknown {
  let value = root;
  for (const name of pointer) {
    const key = keyIn(value, name);
    if (key === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Returns the key of an existing field or list entry; null if there is none. */
export function keyIn(container: unknown, name: string): string | number | null {
  if (Array.isArray(container)) return parsePosition(name, container.length);
  return isJsonObject(container) && Object.hasOwn(container, name) ? name : null;
}

/** Parses a position in a list of this length. Returns null for others and for leading zeros. */
export function parsePosition(name: string, length: number): number | null {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(name)) return null;
  const position = Number(name);
  return position < length ? position : null;
}

export const isSamePointer = (one: Pointer, other: Pointer): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

export const pathInvalid = (message: string, path: InputPath): Refused =>
  new Refused('PATH_IS_INVALID', message, { path });
