import { invokerXml } from '../documents/invokers';
import { refusal } from './refusal';
import type { Refusal } from './refusal';

const FIELDS = [{ name: 'a', type: 'string' }];

/** Rejected invoker requests. */
export const INVOKER_REFUSALS: readonly Refusal[] = [
  ...(['GET', 'DELETE'] as const).map((method) =>
    refusal(`${method} /api/invoker/{name}`, 404, 'INVOKER_NOT_FOUND', undefined, 'None'),
  ),
  refusal('GET /api/invoker/{name}/xml', 404, 'INVOKER_NOT_FOUND', undefined, 'None'),
  refusal('GET /api/invoker/{name}/dependency', 404, 'INVOKER_NOT_FOUND', undefined, 'None'),
  refusal('DELETE /api/invoker/{name}/force', 404, 'INVOKER_NOT_FOUND', undefined, 'None'),
  refusal('PUT /api/invoker/list/delete', 404, 'INVOKER_NOT_FOUND', { identifiers: ['None'] }),
  refusal('POST /api/invoker', 400, 'INVOKER_INVALID', { xml: '<invoker/>' }),
  refusal('POST /api/invoker', 409, 'INVOKER_ALREADY_EXISTS', { xml: invokerXml('Echo') }),
  refusal(
    'POST /api/invoker/{name}/xml',
    404,
    'INVOKER_NOT_FOUND',
    { method: 'A', path: '(request)', fields: FIELDS },
    'None',
  ),
  refusal(
    'POST /api/invoker/{name}/xml',
    404,
    'METHOD_NOT_FOUND_IN_INVOKER',
    { method: 'None', path: '(request)', fields: FIELDS },
    'Echo',
  ),
  refusal(
    'POST /api/invoker/{name}/xml',
    400,
    'PATH_IS_INVALID',
    { method: 'Post', path: '(request).text', fields: FIELDS },
    'Echo',
  ),
  refusal(
    'POST /api/invoker/{name}/xml',
    400,
    'INVOKER_INVALID',
    { method: 'Post', path: '(request)', fields: [{ name: '', type: 'string' }] },
    'Echo',
  ),
];
