const NUMBERS = ['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'];

/**
 * Returns a value without the marks of MongoDB Extended JSON: ids and references become the text of
 * the id, numbers become numbers.
 */
export function plainJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainJson);
  if (value === null || typeof value !== 'object') return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields);
  if (names.includes('$ref') && names.includes('$id')) return plainJson(fields.$id);
  const [name = ''] = names;
  const only = names.length === 1 ? fields[name] : undefined;
  if (typeof only === 'string') {
    if (name === '$oid') return only.toLowerCase();
    if (NUMBERS.includes(name) && Number.isFinite(Number(only))) return Number(only);
  }
  return Object.fromEntries(names.map((each) => [each, plainJson(fields[each])]));
}
