import { holdsRoundedNumber } from '../../../engine';
import { DEEPEST, nestsDeeperThan } from '../document/json';

/** The body of a step that sends what a command sends. */
export interface CurlBody {
  readonly format: string;
  readonly data: string;
  readonly fields: unknown;
}

/** A body, and the headers that it replaces or adds. */
interface ReadBody {
  readonly body: CurlBody;
  /** The media type says all of the header `Content-Type`. */
  readonly isTyped: boolean;
}

const FORM = 'application/x-www-form-urlencoded';

/** Returns the body of the fields of `-F`; a name that occurs several times has a list. */
export const formBody = (fields: readonly (readonly [string, string])[]): CurlBody => ({
  format: 'form-data',
  data: 'form-data',
  fields: fieldsOf(fields),
});

/**
 * Returns the body that has the same content as a text.
 * @param mediaType the header `Content-Type` of the command, if it has one
 */
export function textBody(text: string, mediaType: string | undefined): ReadBody {
  const type = (mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const raw = (format: string, fields: unknown, isTyped = false): ReadBody => ({
    body: { format, data: 'raw', fields },
    isTyped,
  });
  const json = type === '' || /[/+]json$/.test(type) ? jsonOf(text) : undefined;
  if (json !== undefined) return raw('json', json, type === '' || type === 'application/json');
  if (type === '' || type === FORM) {
    const fields = formFieldsOf(text);
    return raw('x-www-form-urlencoded', fields === null ? text : fieldsOf(fields), true);
  }
  const parts = type === 'multipart/form-data' ? partsOf(text, mediaType ?? '') : null;
  if (parts !== null) return { body: formBody(parts), isTyped: true };
  return raw(/[/+]xml$/.test(type) ? 'xml' : 'text', text);
}

/** Returns undefined if the text is no JSON object or list; a text if numbers would be rounded. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isExact = !holdsRoundedNumber(text) && !/\d{16}/.test(text);
    return isExact && !nestsDeeperThan(value, DEEPEST) ? value : text;
  } catch {
    return undefined;
  }
}

/** Returns null if the form would be written in another way. */
function formFieldsOf(text: string): [string, string][] | null {
  const fields = [...new URLSearchParams(text)];
  const isSame =
    text !== '' && text.split('&').every((pair) => pair.includes('=')) && fields.length > 0;
  return isSame ? fields : null;
}

function fieldsOf(pairs: readonly (readonly [string, string])[]): Record<string, unknown> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** Parses a multipart body as browsers copy it; a file has no value. */
function partsOf(text: string, mediaType: string): [string, string][] | null {
  const boundary = /boundary="?([^";]+)/i.exec(mediaType)?.[1];
  if (boundary === undefined) return null;
  const parts = text.split(`--${boundary}`).slice(1, -1);
  const fields = parts.map((part): [string, string] | null => {
    const blankLine = /\r?\n\r?\n/.exec(part);
    if (blankLine === null) return null;
    const head = part.slice(0, blankLine.index);
    const content = part.slice(blankLine.index + blankLine[0].length);
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) return null;
    return [name, /;\s*filename=/i.test(head) ? '' : content.replace(/\r?\n$/, '')];
  });
  return fields.length > 0 && !fields.includes(null) ? (fields as [string, string][]) : null;
}
