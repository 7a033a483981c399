import { z } from 'zod';
import { BadInput } from '../errors/errors';
import { mediaType } from '../http/body/json-body';
import type { HttpRequest } from '../http/http-handler';
import { queryOf, requestUrl } from '../http/request-url';
import { parseJson } from '../json/parse-json';
import type { OperationRequest } from './operations/read-operation';
import type { Variables } from './operations/variables-size';

/** Browsers send them across origins only after a preflight, so that no page can forge a request. */
const PREFLIGHT_HEADERS = [
  'apollo-require-preflight',
  'graphql-require-preflight',
  'x-apollo-operation-name',
];

/** Media types that forms of any page can send. */
const FORM_TYPES: ReadonlySet<string | undefined> = new Set([
  undefined,
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);

/**
 * Rejects requests that a page of another origin could make a browser send.
 * @throws BadInput the request needs a header that is missing
 */
export function requirePreflight(request: HttpRequest): void {
  if (!FORM_TYPES.has(mediaType(request))) return;
  if (PREFLIGHT_HEADERS.some((name) => Boolean(request.headers[name]))) return;
  throw new BadInput(
    'BAD_REQUEST',
    `Send Content-Type: application/json, or a header ${PREFLIGHT_HEADERS[0]}: pages of other origins could have sent this request.`,
  );
}

const object = (name: string) =>
  z
    .custom<Variables>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      `\`${name}\` must be an object.`,
    )
    .nullish();

const OPERATION = z.object(
  {
    query: z
      .string('`query` must be a text with a GraphQL document.')
      .min(1, '`query` must not be empty.'),
    operationName: z.string('`operationName` must be a text.').nullish(),
    variables: object('variables'),
    extensions: object('extensions'),
  },
  'The body must be a JSON object with `query`, of the type application/json. Batches are not accepted.',
);

/** An operation as it was sent over HTTP. */
export interface HttpOperationRequest extends OperationRequest {
  /** Whether the client refers to a document that it sent before, which is not supported. */
  readonly isPersisted: boolean;
}

/**
 * Reads an operation from the body of a POST, or from what the URL of a GET contains.
 * @throws BadInput it is incomplete or has a wrong type
 */
export function operationRequest(sent: unknown): HttpOperationRequest {
  if (isPersisted(sent)) return { query: '', isPersisted: true };
  const { success, data, error } = OPERATION.safeParse(sent);
  if (success) return { ...data, isPersisted: false };
  throw new BadInput('BAD_REQUEST', error.issues[0]?.message ?? 'The request has no operation.');
}

const isPersisted = (sent: unknown): boolean => {
  const { extensions } = (sent ?? {}) as { extensions?: unknown };
  return typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;
};

/**
 * Reads the URL of a GET.
 * @throws BadInput broken percent-encoding or JSON
 */
export async function sentInUrl(request: HttpRequest): Promise<unknown> {
  const { variables, extensions, ...fields } = queryOf(requestUrl(request.originalUrl).search);
  const [sentVariables, sentExtensions] = await Promise.all([variables, extensions].map(parsed));
  return { ...fields, variables: sentVariables, extensions: sentExtensions };
}

const parsed = async (text: string | string[] | undefined): Promise<unknown> =>
  text === undefined ? undefined : parseJson(Buffer.from(String(text)));
