import { HTTP_METHODS } from '../../../engine';
import type { HttpMethod } from '../../../engine';
import { BadInput } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { isJsonObject } from './json';

/** Returns the HTTP method that a stored text names; null if it is missing or no HTTP method. */
export function httpMethodOf(text: unknown): HttpMethod | null {
  const name = typeof text === 'string' ? text.trim().toUpperCase() : '';
  return HTTP_METHODS.find((method) => method === name) ?? null;
}

/**
 * @param place path of the method step in the input
 * @throws BadInput ONE_OF_REQUIRED its request has `method` and `httpMethod`
 */
export function requireOneHttpMethod(fields: object, place: InputPath): void {
  const request: unknown = 'request' in fields ? fields.request : null;
  if (isJsonObject(request) && request.method !== undefined && request.httpMethod !== undefined)
    throw new BadInput('ONE_OF_REQUIRED', 'Give either `httpMethod` or `method`.', {
      path: [...place, 'request', 'httpMethod'],
    });
}
