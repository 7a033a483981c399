import { Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';

/** The reference tokens of a JSON pointer (RFC 6901); empty: the whole value. */
export type Pointer = readonly string[];

/** Names that would lead to a prototype instead of data. */
const PROTOTYPES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const pathInvalid = (message: string, path: InputPath): Refused =>
  new Refused('PATH_IS_INVALID', message, { path });

/** Quotes a pointer for messages; long ones are cut. */
export const shown = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);

/**
 * @param place path of the pointer within the patch, for errors
 * @throws Refused PATH_IS_INVALID not a JSON pointer, or one through a prototype
 */
export function parsePointer(text: unknown, place: InputPath): Pointer {
  if (typeof text !== 'string') throw pathInvalid('A path is a JSON pointer: text.', place);
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text))
    throw pathInvalid(`${shown(text)} is no JSON pointer.`, place);
  const names = text
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const prototype = names.find((name) => PROTOTYPES.has(name));
  if (prototype !== undefined) throw pathInvalid(`A path may not go through ${prototype}.`, place);
  return names;
}

export const printPointer = (pointer: Pointer): string =>
  pointer.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * Parses a position in a list of this length; null if it is none. Leading zeros are not allowed.
 */
export function positionIn(name: string, length: number): number | null {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(name)) return null;
  const position = Number(name);
  return position < length ? position : null;
}
