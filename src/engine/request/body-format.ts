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
/** How a body is written. */
export type BodyFormat = 'json' | 'text' | 'form' | 'multipart' | 'xml';

const FORMATS: Readonly<Record<string, BodyFormat>> = {
  json: 'json',
  text: 'text',
  xml: 'xml',
  'x-www-form-urlencoded': 'form',
  'form-data': 'multipart',
};

export const MEDIA_TYPES: Readonly<Record<BodyFormat, string>> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  xml: 'application/xml',
};

/** A concrete media type, such as `application/json-patch+json`; wildcards do not match. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i;

/** Returns the media type in `data` of a body, or undefined. */
export function mediaTypeIn(data: string | null | undefined): string | undefined {
  const text = data?.trim() ?? '';
  return MEDIA_TYPE.test(text) ? text : undefined;
}

/** Unknown formats count as JSON. */
export const isJsonFormat = (format: string): boolean =>
  (FORMATS[format.trim().toLowerCase()] ?? 'json') === 'json';

/**
 * Precedence: Content-Type header, then `data` (media type or `form-data`), then format, then JSON.
 */
export function bodyFormat(
  contentType: string | undefined,
  format: string | null | undefined,
  data: string | null | undefined,
): BodyFormat {
  return (
    formatOfMediaType(contentType ?? '') ??
    formatOfMediaType(mediaTypeIn(data) ?? '') ??
    (data?.trim().toLowerCase() === 'form-data' ? 'multipart' : undefined) ??
    FORMATS[(format ?? '').toLowerCase()] ??
    'json'
  );
}

export function formatOfMediaType(contentType: string): BodyFormat | undefined {
  if (contentType === '') return undefined;
  const type = contentType.split(';')[0].trim().toLowerCase();
  if (/[/+]json$/.test(type)) return 'json';
  if (type === MEDIA_TYPES.form) return 'form';
  if (type === MEDIA_TYPES.multipart) return 'multipart';
  if (/[/+]xml$/.test(type)) return 'xml';
  return type.startsWith('text/') ? 'text' : undefined;
}
