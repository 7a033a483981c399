import { field, isDocument } from './values';
import type { Doc } from './values';

/** What is found at a path; `index` is the element of the outermost array that was gone through. True ends the visit. */
export type Visit = (value: unknown, index: number | undefined) => boolean;

/** The field of the document itself that a path begins with. */
export const topLevel = (path: string): string => path.split('.', 1)[0];

/** The array index a path component spells, or undefined. No sign, no leading zeros. */
export const arrayIndex = (component: string): number | undefined =>
  /^(?:0|[1-9]\d{0,8})$/.test(component) ? Number(component) : undefined;

/**
 * Visits every value a query path means, in MongoDB's order, until `visit` answers true; answers whether it did.
 * Arrays on the way are gone through element by element, and a numeric component also means the element at that place.
 * At the end of the path an array stands for its elements and then for itself (`expandLeaf`), or for itself only.
 * A missing value is visited as undefined, once for each document it is missing from; an element of an array that is no
 * document is not visited at all, which is why `{ 'a.b': null }` does not match `{ a: [] }` or `{ a: [1] }`.
 */
export function visitPath(
  doc: Doc,
  parts: readonly string[],
  from: number,
  expandLeaf: boolean,
  visit: Visit,
): boolean {
  let value: unknown = doc;
  for (let next = from; next < parts.length; next++) {
    if (!isDocument(value)) return visit(undefined, undefined);
    value = field(value, parts[next]);
    if (Array.isArray(value)) return visitArray(value, parts, next + 1, expandLeaf, visit);
  }
  return visit(value, undefined);
}

function visitArray(
  array: readonly unknown[],
  parts: readonly string[],
  next: number,
  expandLeaf: boolean,
  visit: Visit,
): boolean {
  if (next === parts.length) {
    return (
      (expandLeaf && array.some((element, index) => visit(element, index))) ||
      visit(array, undefined)
    );
  }
  const offset = arrayIndex(parts[next]);
  return array.some((element, index) => {
    const outermost: Visit = (value) => visit(value, index);
    if (isDocument(element) && visitPath(element, parts, next, expandLeaf, outermost)) return true;
    return index === offset && visitOffset(element, parts, next + 1, expandLeaf, outermost);
  });
}

function visitOffset(
  element: unknown,
  parts: readonly string[],
  next: number,
  expandLeaf: boolean,
  visit: Visit,
): boolean {
  if (next === parts.length) return visit(element, undefined);
  if (isDocument(element)) return visitPath(element, parts, next, expandLeaf, visit);
  return Array.isArray(element) && visitArray(element, parts, next, expandLeaf, visit);
}
