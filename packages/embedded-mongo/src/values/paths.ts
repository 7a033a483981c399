import { field, isDocument } from './values';
import type { Doc } from './values';

/** Called with a value at a path and its index in the outermost array; true ends the visit. */
type Visit = (value: unknown, index: number | undefined) => boolean;

/** Returns the top-level field of a path. */
export const topLevel = (path: string): string => path.split('.', 1)[0];

/** Parses an array index in a path (no sign, no leading zeros); undefined if it is none. */
export const arrayIndex = (component: string): number | undefined =>
  /^(?:0|[1-9]\d{0,8})$/.test(component) ? Number(component) : undefined;

/**
 * Visits all values at a query path in MongoDB's order until `visit` returns true; returns whether
 * it did. Arrays on the path are expanded, and a numeric component also selects an element. With
 * `expandLeaf`, an array at the end is visited element by element and then itself. A missing value
 * is visited as undefined, once per document without it; array elements that are not documents are
 * not visited, so `{ 'a.b': null }` does not match `{ a: [] }` or `{ a: [1] }`.
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
