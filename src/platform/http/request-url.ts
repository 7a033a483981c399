import { BadInput } from '../errors/errors';

export interface RequestUrl {
  /** As it was sent, still encoded: what error bodies and the log show. */
  readonly path: string;
  /** With the question mark; empty for none. */
  readonly search: string;
}

/** Splits the target of a request line. Takes the absolute form too (`GET http://host/path`), as proxies send it. */
export function requestUrl(target: string | undefined): RequestUrl {
  // Nearly all begin with the path.
  const relative = target?.startsWith('/')
    ? target
    : (target ?? '/').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const question = relative.indexOf('?');
  const path = question < 0 ? relative : relative.slice(0, question);
  return { path: path === '' ? '/' : path, search: question < 0 ? '' : relative.slice(question) };
}

/** The target as it is without a proxy in front: without the path prefix of the public URL, where the proxy left it on. */
export function withoutPrefix(target: string | undefined, prefix: string): string {
  if (prefix === '') return target ?? '';
  const { path, search } = requestUrl(target);
  if (!`${path}/`.startsWith(`${prefix}/`)) return target ?? '';
  return (path.slice(prefix.length) || '/') + search;
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadInput('BAD_REQUEST', `${what} has broken percent-encoding.`);
  }
}

const ADDRESS = 'The address';

/**
 * The decoded segments of a path. One slash at the end does not count.
 * @throws BadInput broken percent-encoding
 */
export function pathSegments(path: string): string[] {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed
    .split('/')
    .slice(1)
    .map((segment) => decode(segment, ADDRESS));
}

/** Text, or a list of texts for a name that came several times. */
export type Fields = Record<string, string | string[]>;

/**
 * The parameters of a query.
 * @throws BadInput broken percent-encoding
 */
export const queryOf = (search: string): Fields => fieldsOf(search.slice(1), ADDRESS);

/**
 * The fields of a text in the encoding of queries and forms.
 * @param what begins the sentence of the refusal: `The form`
 * @throws BadInput broken percent-encoding
 */
export function fieldsOf(text: string, what: string): Fields {
  const fields = Object.create(null) as Fields;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode((equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' '), what);
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1).replaceAll('+', ' '), what);
    addField(fields, name, value);
  }
  return fields;
}

/** Adds a value to those of its name. */
export function addField(fields: Fields, name: string, value: string): void {
  const before = fields[name];
  if (before === undefined) fields[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else fields[name] = [before, value];
}
