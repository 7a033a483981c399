import type { OutboundResponse } from '../ports';

/** Maximum length of a name in characters; file systems accept no more. */
const MAX_NAME = 255;
/** `name="quoted \\" text"` or `name=token`; linear time. */
const PARAMETER = /;\s*(filename\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gi;
/** `UTF-8'en'name%20of%20it` */
const EXTENDED = /^(utf-8|iso-8859-1)'[^']*'(.*)$/is;
/** Control characters and marks that change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/**
 * Returns the name of a file in a response: `filename*`, else `filename` of its
 * `Content-Disposition`, else the last part of the address. Null if none of them is a name.
 */
export function fileNameOf(
  { headers }: Pick<OutboundResponse, 'headers'>,
  url: string,
): string | null {
  const disposition = [headers['content-disposition'] ?? ''].flat().join(';');
  const named = new Map<string, string>();
  for (const [, name = '', quoted, token] of disposition.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!named.has(key)) named.set(key, quoted?.replace(/\\(.)/gs, '$1') ?? token ?? '');
  }
  return (
    cleanName(extendedValue(named.get('filename*'))) ??
    cleanName(named.get('filename')) ??
    cleanName(lastPartOf(url))
  );
}

function extendedValue(text: string | undefined): string | undefined {
  const [, charset, encoded = ''] = EXTENDED.exec(text ?? '') ?? [];
  if (charset === undefined) return undefined;
  if (charset.toLowerCase() === 'utf-8') return decoded(encoded);
  return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function lastPartOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return decoded(new URL(url).pathname.split('/').at(-1) ?? '');
}

/** Removes directories and invisible characters; null if nothing is left. */
function cleanName(text: string | undefined): string | null {
  const name = text
    ?.toWellFormed()
    .split(/[/\\]/)
    .at(-1)
    ?.replace(INVISIBLE, '')
    .trim()
    .slice(-MAX_NAME);
  return name === undefined || /^\.*$/.test(name) ? null : name;
}
