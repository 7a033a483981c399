type Fields = Readonly<Record<string, unknown>>;

interface JsonMapping {
  /** Rewrites each text (not field names). Default: unchanged. */
  readonly text?: (value: string) => string;
  /** Rewrites each object after its fields. Default: unchanged. */
  readonly object?: (value: Fields) => Fields;
}

/** Returns a deep copy of a JSON value with its texts and objects rewritten. */
export function mapJson(value: unknown, mapping: JsonMapping): unknown {
  if (typeof value === 'string') return mapping.text?.(value) ?? value;
  if (Array.isArray(value)) return value.map((entry) => mapJson(entry, mapping));
  if (value === null || typeof value !== 'object') return value;
  const copy: Fields = Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, mapJson(field, mapping)]),
  );
  return mapping.object?.(copy) ?? copy;
}
