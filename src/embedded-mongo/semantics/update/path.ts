import { badValue, dollarPrefixed, StoreError } from '../errors';

/** One component of an update path: a name or index, `$`, `$[]`, or `$[identifier]`. */
export type PathPart =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'matched' }
  | { readonly kind: 'all' }
  | { readonly kind: 'filtered'; readonly identifier: string };

export interface UpdatePath {
  readonly text: string;
  readonly parts: readonly PathPart[];
}

const emptyFieldName = (message: string): StoreError => new StoreError(56, 'EmptyFieldName', message);

/**
 * Parses the path of an update operator.
 * @throws StoreError 56 for empty names, 52 for names starting with `$`, 2 for misplaced positional components
 */
export function parseUpdatePath(text: string): UpdatePath {
  if (text === '') throw emptyFieldName('An empty update path is not valid.');
  const names = text.split('.');
  if (names.includes('')) throw emptyFieldName(`The update path '${text}' contains an empty field name, which is not allowed.`);
  const parts = names.map((name) => parsePart(name, text));
  if (parts[0].kind !== 'field') throw badValue(`Cannot have positional (i.e. '$') element in the first position in path '${text}'`);
  if (parts.filter(({ kind }) => kind === 'matched').length > 1) {
    throw badValue(`Too many positional (i.e. '$') elements found in path '${text}'`);
  }
  return { text, parts };
}

function parsePart(name: string, path: string): PathPart {
  if (name === '$') return { kind: 'matched' };
  if (name === '$[]') return { kind: 'all' };
  if (name.startsWith('$[') && name.endsWith(']')) return { kind: 'filtered', identifier: name.slice(2, -1) };
  if (name.startsWith('$')) throw dollarPrefixed(`The dollar ($) prefixed field '${name}' in '${path}' is not valid for storage.`);
  return { kind: 'field', name };
}

/** Whether a path names the same field whatever the document holds. */
export const isStatic = (path: UpdatePath): boolean => path.parts.every(({ kind }) => kind === 'field');

/** The order in which MongoDB applies updates, and so the order in which new fields appear: names by bytes, indexes by value. */
export function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    if (a[index] !== b[index]) return compareNames(a[index], b[index]);
  }
  return a.length - b.length;
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

function compareNames(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b) || a.length - b.length;
  return a < b ? -1 : 1;
}
