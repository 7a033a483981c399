import { invokerXml } from '../documents/invokers';
import { refused } from './refused';
import type { Refusal } from './refused';

const FIELDS = [{ name: 'a', type: 'string' }];

/** Rejected invoker requests. */
export const INVOKER_REFUSALS: readonly Refusal[] = [
  ...(['GET', 'DELETE'] as const).map((method) =>
    refused(404, 'INVOKER_NOT_FOUND', `${method} /api/invoker/{name}`, undefined, 'None'),
  ),
  refused(404, 'INVOKER_NOT_FOUND', 'GET /api/invoker/{name}/xml', undefined, 'None'),
  refused(404, 'INVOKER_NOT_FOUND', 'GET /api/invoker/{name}/dependency', undefined, 'None'),
  refused(404, 'INVOKER_NOT_FOUND', 'DELETE /api/invoker/{name}/force', undefined, 'None'),
  refused(404, 'INVOKER_NOT_FOUND', 'PUT /api/invoker/list/delete', { identifiers: ['None'] }),
  refused(400, 'INVOKER_INVALID', 'POST /api/invoker', { xml: '<invoker/>' }),
  refused(409, 'INVOKER_ALREADY_EXISTS', 'POST /api/invoker', { xml: invokerXml('Echo') }),
  refused(
    404,
    'INVOKER_NOT_FOUND',
    'POST /api/invoker/{name}/xml',
    { method: 'A', path: '(request)', fields: FIELDS },
    'None',
  ),
  refused(
    404,
    'METHOD_NOT_FOUND_IN_INVOKER',
    'POST /api/invoker/{name}/xml',
    { method: 'None', path: '(request)', fields: FIELDS },
    'Echo',
  ),
  refused(
    400,
    'PATH_IS_INVALID',
    'POST /api/invoker/{name}/xml',
    { method: 'Post', path: '(request).text', fields: FIELDS },
    'Echo',
  ),
  refused(
    400,
    'INVOKER_INVALID',
    'POST /api/invoker/{name}/xml',
    { method: 'Post', path: '(request)', fields: [{ name: '', type: 'string' }] },
    'Echo',
  ),
];
