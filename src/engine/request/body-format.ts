/** How a body is written. */
export type BodyFormat = 'json' | 'text' | 'form' | 'multipart' | 'xml';

const FORMATS: Readonly<Record<string, BodyFormat>> = { json: 'json', text: 'text', xml: 'xml', 'x-www-form-urlencoded': 'form', 'form-data': 'multipart' };

export const MEDIA_TYPES: Readonly<Record<BodyFormat, string>> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  xml: 'application/xml',
};

/** The header decides where it says something, then `form-data` as what the body is, then its format, then JSON. */
export function bodyFormat(contentType: string | undefined, format: string | null | undefined, data: string | null | undefined): BodyFormat {
  return formatOfMediaType(contentType ?? '') ?? (data?.toLowerCase() === 'form-data' ? 'multipart' : undefined) ?? FORMATS[(format ?? '').toLowerCase()] ?? 'json';
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
