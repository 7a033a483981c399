import { BadInput } from '../errors/errors';

interface RequestUrl {
  /** As sent, still encoded; shown in error bodies and the log. */
  readonly path: string;
  /** With the question mark; empty for none. */
  readonly search: string;
}

/**
 * Splits the target of a request line. Also accepts the absolute form that proxies send (`GET
 * http://host/path`).
 */
export function requestUrl(target: string | undefined): RequestUrl {
  // Fast path: nearly all targets begin with the path.
  const relative = target?.startsWith('/')
    ? target
    : (target ?? '/').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const question = relative.indexOf('?');
  const path = question < 0 ? relative : relative.slice(0, question);
  return { path: path === '' ? '/' : path, search: question < 0 ? '' : relative.slice(question) };
}

/** Removes the path prefix of the public URL, if the proxy left it on the target. */
export function withoutPrefix(target: string | undefined, prefix: string): string {
  if (prefix === '') return target ?? '';
  const { path, search } = requestUrl(target);
  if (!`${path}/`.startsWith(`${prefix}/`)) return target ?? '';
  return (path.slice(prefix.length) || '/') + search;
}

function decode(text: string, subject: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadInput('BAD_REQUEST', `${subject} has broken percent-encoding.`);
  }
}

const ADDRESS = 'The address';

/**
 * Returns the decoded segments of a path. A slash at the end is ignored.
 * @throws BadInput broken percent-encoding
 */
export function pathSegments(path: string): string[] {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed
    .split('/')
    .slice(1)
    .map((segment) => decode(segment, ADDRESS));
}

/** A text, or a list of texts for a name that occurs several times. */
export type Fields = Record<string, string | string[]>;

/**
 * The parameters of a query.
 * @throws BadInput broken percent-encoding
 */
export const queryOf = (search: string): Fields => fieldsOf(search.slice(1), ADDRESS);

/**
 * Parses a text in the encoding of queries and forms.
 * @param subject start of the error message: `The form`
 * @throws BadInput broken percent-encoding
 */
export function fieldsOf(text: string, subject: string): Fields {
  const fields = Object.create(null) as Fields;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode((equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' '), subject);
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1).replaceAll('+', ' '), subject);
    addField(fields, name, value);
  }
  return fields;
}

export function addField(fields: Fields, name: string, value: string): void {
  const before = fields[name];
  if (before === undefined) fields[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else fields[name] = [before, value];
}
