/** Names of the fields that describe a body since 1.3. */
const NAMES: ReadonlySet<string> = new Set(['type', 'format', 'data', 'fields']);
const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'text']);

/**
 * Returns whether a request body is plain JSON, as clients of 1.x to 3.x wrote it, instead of
 * `{type, format, data, fields}`. A body with a known type and no other names counts as described,
 * even without a format.
 */
function isBareBody(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false;
  if (Array.isArray(body) || !('type' in body)) return !('format' in body && 'fields' in body);
  return (
    !('format' in body && 'fields' in body) &&
    !(TYPES.has(body.type) && Object.keys(body).every((name) => NAMES.has(name)))
  );
}

/** Wraps a plain JSON body; returns everything else unchanged. */
export const wrapBareBody = (body: unknown): unknown =>
  isBareBody(body)
    ? { type: Array.isArray(body) ? 'array' : 'object', format: 'json', data: 'raw', fields: body }
    : body;
