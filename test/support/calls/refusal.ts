/** The id of no record. */
export const ABSENT = 4711;

/** Method, path template, requested path, body and response of a rejected request. */
export type Refusal = readonly [
  method: string,
  described: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
];

/**
 * A rejected request for an operation such as `GET /api/user/{id}`. The parameters of its path are the id of no record, unless
 * `at` is another value for them or the whole requested path.
 */
export function refusal(
  operation: string,
  status: number,
  code: string,
  body?: unknown,
  at: number | string = ABSENT,
): Refusal {
  const [method, described] = operation.split(' ');
  const isPath = String(at).startsWith('/');
  const path = isPath ? String(at) : described.replaceAll(/\{\w+\}/g, String(at));
  return [method, described, path, body, status, code];
}
