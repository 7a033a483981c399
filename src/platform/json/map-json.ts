import type { Yielding, TimeSlice } from '../event-loop';

type Fields = Readonly<Record<string, unknown>>;

interface JsonMapping {
  /** Rewrites each text (not field names). Default: unchanged. */
  readonly text?: (value: string) => string | Yielding<string>;
  /** Rewrites each object after its fields. Default: unchanged. */
  readonly object?: (value: Fields) => Fields;
}

/** Returns a deep copy of a JSON value with its texts and objects rewritten, in time slices. */
export function* mapJson(
  value: unknown,
  mapping: JsonMapping,
  slice: TimeSlice,
): Yielding<unknown> {
  if (slice.over) yield;
  if (typeof value === 'string') {
    const text = mapping.text?.(value) ?? value;
    return typeof text === 'string' ? text : yield* text;
  }
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const entry of value) list.push(yield* mapJson(entry, mapping, slice));
    return list;
  }
  if (value === null || typeof value !== 'object') return value;
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value))
    fields.push([name, yield* mapJson(field, mapping, slice)]);
  const copy: Fields = Object.fromEntries(fields);
  return mapping.object?.(copy) ?? copy;
}
