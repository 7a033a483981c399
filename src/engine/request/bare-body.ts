/** What a body says beside its fields since 1.3. */
const NAMES: ReadonlySet<string> = new Set(['type', 'format', 'data', 'fields']);
const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'text']);

/**
 * Is the body of a request the JSON itself, as clients of the 1.x to 3.x lines wrote it, and not `{type, format, data, fields}`? A body that has a type
 * of ours and nothing but these names is none, so removing its format does not change what it means.
 */
function isBareBody(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false;
  if (Array.isArray(body) || !('type' in body)) return !('format' in body && 'fields' in body);
  return (
    !('format' in body && 'fields' in body) &&
    !(TYPES.has(body.type) && Object.keys(body).every((name) => NAMES.has(name)))
  );
}

/** The body of a request, bare JSON as the fields of one. Everything else stays what it is. */
export const wrapBareBody = (body: unknown): unknown =>
  isBareBody(body)
    ? { type: Array.isArray(body) ? 'array' : 'object', format: 'json', data: 'raw', fields: body }
    : body;
