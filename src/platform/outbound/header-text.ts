import { isUtf8 } from 'node:buffer';

const BEYOND_ASCII = /[\x80-\xff]/;

/**
 * Decodes a header value, which the HTTP client reads as Latin-1: as UTF-8 if its bytes are valid
 * UTF-8, which Latin-1 text hardly ever is.
 */
export function headerText(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** The same for all headers of a response. */
export function decodedHeaders(
  headers: Readonly<Record<string, string | string[]>>,
): Record<string, string | string[]> {
  const decoded: Record<string, string | string[]> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    decoded[name] = typeof value === 'string' ? headerText(value) : value.map(headerText);
  }
  return decoded;
}
