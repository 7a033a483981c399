import { isList, isMap, ownField } from '../value';
import type { Value } from '../value';

/** An index in brackets, a quoted name in brackets, or a plain name. */
const PART = /\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]|[^.[\]]+/g;

/**
 * Splits a response path of an invoker: `$.x.y[0].z` or `$['@odata.nextLink']`; `$` is optional.
 */
export const partsOf = (path: string): (string | number)[] =>
  [...path.replace(/^\$\.?/, '').matchAll(PART)].map(([name, position, single, double]) =>
    position === undefined ? (single ?? double ?? name) : Number(position),
  );

/** Returns the value at the path, or undefined. */
export function valueAt(value: Value, parts: readonly (string | number)[]): Value | undefined {
  let found: Value | undefined = value;
  for (const part of parts) {
    if (found === undefined || (!isList(found) && !isMap(found))) return undefined;
    found = isList(found) ? found[Number(part)] : ownField(found, String(part));
  }
  return found;
}

/** Returns a copy with another value at the path; creates missing objects. */
export function withValueAt(
  value: Value,
  [part, ...rest]: readonly (string | number)[],
  put: Value,
): Value {
  if (part === undefined) return put;
  if (isList(value))
    return value.map((item, index) =>
      index === Number(part) ? withValueAt(item, rest, put) : item,
    );
  if (!isMap(value)) return value === null ? { [part]: withValueAt(null, rest, put) } : value;
  return { ...value, [part]: withValueAt(ownField(value, String(part)) ?? null, rest, put) };
}
