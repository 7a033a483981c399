import { unique } from '../service/harness';
import type { Answer, TestService } from '../service/harness';

/** The headers that the 4.x client sends with every request. */
export const HEADERS_OF_4X = { crossDomain: 'true', timeout: '10000' };

/** Where the released dialect is, whichever is at `/api`. */
export const RELEASED = '/released';

/** A released client: sends requests as it does, by default as the administrator. */
export interface PageClient {
  send(
    method: string,
    path: string,
    body?: unknown,
    more?: Record<string, string>,
  ): Promise<Answer>;
  /** Sends a request that must succeed; returns the body. */
  read(method: string, path: string, body?: unknown, more?: Record<string, string>): Promise<any>;
}

const clientWith = (
  service: TestService,
  base: string,
  headers: Record<string, string>,
  token: string | null,
  emptyBody?: object,
): PageClient => {
  const send: PageClient['send'] = (method, path, body, more = {}) =>
    service.api(method, `${base}${path}`, {
      token,
      body: body ?? (method === 'DELETE' ? emptyBody : undefined),
      headers: {
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...more,
      },
    });
  return {
    send,
    async read(...request) {
      const answer = await send(...request);
      if (answer.status >= 300)
        throw new Error(`${request[0]} ${request[1]} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  };
};

/** The 5.x client: everything below one address, the JSON type also without a body. */
export const client5x = (
  service: TestService,
  token: string | null = service.adminToken,
): PageClient => clientWith(service, `${RELEASED}/api/`, {}, token);

/** The 4.x client: two headers with every request, and `{}` with every DELETE. */
export const client4x = (
  service: TestService,
  token: string | null = service.adminToken,
): PageClient => clientWith(service, `${RELEASED}/api/`, HEADERS_OF_4X, token, {});

/** Creates a connector of an invoker as a 4.x client does, and returns its id. */
export const connector4x = async (
  client: PageClient,
  invoker: string,
  url: string,
): Promise<number> =>
  (
    await client.read('POST', 'connector', {
      title: unique('Connector '),
      description: '',
      invoker: { name: invoker },
      requestData: { url, token: 'x' },
      sslCert: false,
      timeout: 1000,
    })
  ).connectorId;

/** What a page reads: a type with `?` if it may be null or missing, an object, or a list of one. */
export type Shape = string | { readonly [field: string]: Shape } | readonly [Shape];

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** Returns what a page could not read of a value. */
export function unreadable(value: unknown, shape: Shape, at = 'answer'): string[] {
  if (typeof shape === 'string') {
    const types = shape.replace('?', '').split('|');
    const isMissing = value === undefined || value === null;
    if (isMissing && shape.endsWith('?')) return [];
    return types.includes(typeOf(value)) ? [] : [`${at} is ${typeOf(value)}, not ${shape}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at} is ${typeOf(value)}, not a list`];
    if (value.length === 0) return [`${at} is empty`];
    return value.flatMap((entry, nth) => unreadable(entry, shape[0] as Shape, `${at}.${nth}`));
  }
  if (typeOf(value) !== 'object') return [`${at} is ${typeOf(value)}, not an object`];
  return Object.entries(shape).flatMap(([field, part]) =>
    unreadable((value as Record<string, unknown>)[field], part, `${at}.${field}`),
  );
}

/** Checks that a page can read a value. */
export const expectReadable = (value: unknown, shape: Shape): void =>
  expect(unreadable(value, shape)).toEqual([]);

/** A form with a file, as both clients send it. */
export function fileForm(
  content: string | Buffer,
  name: string,
  fields: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name);
  return form;
}

/** A name with a slash, and how both clients write it into a path. */
export function slashedName(): { name: string; segment: string } {
  const name = unique('G/H');
  return { name, segment: encodeURIComponent(name.replaceAll('/', '//')) };
}
