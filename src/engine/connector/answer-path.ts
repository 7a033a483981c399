import { isList, isMap, ownField } from '../value';
import type { Value } from '../value';

/** A position in brackets, a name in quotes, or a name. */
const PART = /\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]|[^.[\]]+/g;

/** The parts of a place in an answer, as invokers write it: `$.x.y[0].z` or `$['@odata.nextLink']`, with `$` before it or not. */
export const partsOf = (path: string): (string | number)[] =>
  [...path.replace(/^\$\.?/, '').matchAll(PART)].map(([name, position, single, double]) =>
    position === undefined ? (single ?? double ?? name) : Number(position),
  );

/** What stands there; undefined: nothing. */
export function valueAt(value: Value, parts: readonly (string | number)[]): Value | undefined {
  let found: Value | undefined = value;
  for (const part of parts) {
    if (found === undefined || (!isList(found) && !isMap(found))) return undefined;
    found = isList(found) ? found[Number(part)] : ownField(found, String(part));
  }
  return found;
}

/** The same value with another one at that place. Objects on the way there that are missing are made. */
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
