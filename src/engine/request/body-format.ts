/** How a body is written. XML comes with a later release. */
export type BodyFormat = 'json' | 'text' | 'form' | 'xml';

const FORMATS: Readonly<Record<string, BodyFormat>> = { json: 'json', text: 'text', xml: 'xml', 'x-www-form-urlencoded': 'form' };

export const MEDIA_TYPES: Readonly<Record<BodyFormat, string>> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
};

/** The header decides where it says something, then the format of the body, then JSON. */
export function bodyFormat(contentType: string | undefined, format: string | null | undefined): BodyFormat {
  return formatOfMediaType(contentType ?? '') ?? FORMATS[(format ?? '').toLowerCase()] ?? 'json';
}

export function formatOfMediaType(contentType: string): BodyFormat | undefined {
  const type = contentType.split(';')[0].trim().toLowerCase();
  if (/[/+]json$/.test(type)) return 'json';
  if (type === MEDIA_TYPES.form) return 'form';
  if (/[/+]xml$/.test(type)) return 'xml';
  return type.startsWith('text/') ? 'text' : undefined;
}
