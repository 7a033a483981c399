import { BadInput } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { isJsonObject } from './json';

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
