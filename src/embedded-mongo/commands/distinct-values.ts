import { field, isDocument } from '../semantics/values';
import type { Doc } from '../semantics/values';

/** The values distinct sees at a path: arrays on the way and at its end are opened, missing ones give nothing. */
export function distinctValues(doc: Doc, path: string): unknown[] {
  return valuesAt(doc, path.split('.')).flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
}

function valuesAt(value: unknown, rest: readonly string[]): unknown[] {
  if (rest.length === 0) return value === undefined ? [] : [value];
  if (isDocument(value)) return valuesAt(field(value, rest[0]), rest.slice(1));
  if (!Array.isArray(value)) return [];
  if (/^\d+$/.test(rest[0])) return valuesAt(value[Number(rest[0])], rest.slice(1));
  return value.filter(isDocument).flatMap((element) => valuesAt(element, rest));
}
