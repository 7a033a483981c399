import type { TypedDocumentString } from '../generated/operations';
import { Failure, failureOf } from './failure';
import type { GraphqlError } from './failure';
import { masterPasswordHeader } from './master-password';
import { addressOf, authorization, endSession } from './session';

interface GraphqlResponse<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
}

const UNREACHABLE_MESSAGE = 'Could not reach the service.';

const requestIdOf = ({ headers }: Response): string | null => headers.get('X-Request-Id');

async function parseResponse<Result>(response: Response): Promise<GraphqlResponse<Result>> {
  try {
    return (await response.json()) as GraphqlResponse<Result>;
  } catch {
    throw new Failure(
      'unreachable',
      response.ok ? UNREACHABLE_MESSAGE : `The service responded with status ${response.status}.`,
      null,
      requestIdOf(response),
    );
  }
}

/** @param document of the operation in the body */
async function send<Result>(
  document: unknown,
  body: string | FormData,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Result> {
  const token = authorization();
  const response = await fetch(addressOf('graphql'), {
    method: 'POST',
    headers: {
      ...headers,
      Accept: 'application/graphql-response+json',
      ...(token === null ? {} : { Authorization: token }),
      ...masterPasswordHeader(document),
    },
    body,
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Failure('unreachable', UNREACHABLE_MESSAGE);
  });
  const { data, errors } = await parseResponse<Result>(response);
  if (errors === undefined || errors.length === 0) {
    if (data == null) throw new Failure('internal', 'The response is empty.');
    return data;
  }
  const failure = failureOf(errors);
  if (failure.kind === 'signed-out') endSession(token);
  throw failure;
}

/** Returns the data of a query or a mutation. @throws Failure */
export const request = <Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> =>
  send(
    document,
    JSON.stringify({ query: document.toString(), variables }),
    { 'Content-Type': 'application/json' },
    signal,
  );

/**
 * Sends a mutation with a file, as the GraphQL multipart request specification says.
 * @param path where the file belongs in the variables, which have null there: `input.file`
 * @throws Failure
 */
export function upload<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  path: string,
  file: File,
): Promise<Result> {
  const body = new FormData();
  body.set('operations', JSON.stringify({ query: document.toString(), variables }));
  body.set('map', JSON.stringify({ file: [`variables.${path}`] }));
  body.set('file', file);
  return send(document, body, { 'Apollo-Require-Preflight': 'true' });
}

/**
 * Returns a file of the service. @throws Failure
 * @param url as the service names it; behind a proxy its origin may be another one
 */
export async function download(url: string): Promise<Blob> {
  const token = authorization();
  const response = await fetch(new URL(url, location.href).pathname, {
    headers: token === null ? {} : { Authorization: token },
  }).catch(() => {
    throw new Failure('unreachable', UNREACHABLE_MESSAGE);
  });
  if (!response.ok)
    throw new Failure(
      'rejected',
      `The download failed with status ${response.status}.`,
      null,
      requestIdOf(response),
    );
  return response.blob();
}
