import { Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';

/** The names and positions that a JSON pointer (RFC 6901) goes through, from the outside in; none: the whole value. */
export type Pointer = readonly string[];

/** Names by which an object of ours could be reached that is no data. */
const PROTOTYPES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const pathInvalid = (message: string, path: InputPath): Refused =>
  new Refused('PATH_IS_INVALID', message, { path });

/** Long pointers are told in part. */
export const shown = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);

/**
 * @param place where in the patch the pointer stands, for the refusal
 * @throws Refused PATH_IS_INVALID no pointer, or one through a prototype
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

/** The position that a name means in a list of this length, or null. Positions are written without leading zeros. */
export function positionIn(name: string, length: number): number | null {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(name)) return null;
  const position = Number(name);
  return position < length ? position : null;
}
