import type { Call, CallRefusal } from './rest-calls';

/** Method, path template, requested path, body and response. */
export type Refusal = readonly [
  method: string,
  described: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
];

/** The id of no record. */
export const ABSENT = 4711;

/** A request like `GET /api/user/{id}?first=1` that is rejected. The parameters of its path have these values in order, by default an unknown id. */
export function refused(
  status: number,
  code: string,
  request: string,
  body?: unknown,
  ...values: readonly (number | string)[]
): Refusal {
  const [method = '', target = ''] = request.split(' ');
  let nth = 0;
  const path = target.replaceAll(/\{\w+\}/g, () => String(values[nth++] ?? ABSENT));
  return [method, target.split('?')[0] ?? '', path, body, status, code];
}

/** The same for a request with more than a body. */
export function refusedCall(
  status: number,
  code: string,
  request: string,
  call: Omit<Call, 'path'> = {},
  ...values: readonly (number | string)[]
): CallRefusal {
  const [method, described, path] = refused(status, code, request, undefined, ...values);
  return [method, described, { ...call, path }, status, code];
}
