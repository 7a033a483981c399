import { invokerXml } from '../documents/invokers';
import type { Refusal } from './rest-refusals';

const FIELDS = [{ name: 'a', type: 'string' }];

/** Rejected invoker requests. */
export const INVOKER_REFUSALS: readonly Refusal[] = [
  ...(['GET', 'DELETE'] as const).map((method): Refusal => [
    method,
    '/api/invoker/{name}',
    '/api/invoker/None',
    undefined,
    404,
    'INVOKER_NOT_FOUND',
  ]),
  ['GET', '/api/invoker/{name}/xml', '/api/invoker/None/xml', undefined, 404, 'INVOKER_NOT_FOUND'],
  [
    'GET',
    '/api/invoker/{name}/dependency',
    '/api/invoker/None/dependency',
    undefined,
    404,
    'INVOKER_NOT_FOUND',
  ],
  [
    'DELETE',
    '/api/invoker/{name}/force',
    '/api/invoker/None/force',
    undefined,
    404,
    'INVOKER_NOT_FOUND',
  ],
  [
    'PUT',
    '/api/invoker/list/delete',
    '/api/invoker/list/delete',
    { identifiers: ['None'] },
    404,
    'INVOKER_NOT_FOUND',
  ],
  ['POST', '/api/invoker', '/api/invoker', { xml: '<invoker/>' }, 400, 'INVOKER_INVALID'],
  [
    'POST',
    '/api/invoker',
    '/api/invoker',
    { xml: invokerXml('Echo') },
    409,
    'INVOKER_ALREADY_EXISTS',
  ],
  [
    'POST',
    '/api/invoker/{name}/xml',
    '/api/invoker/None/xml',
    { method: 'A', path: '(request)', fields: FIELDS },
    404,
    'INVOKER_NOT_FOUND',
  ],
  [
    'POST',
    '/api/invoker/{name}/xml',
    '/api/invoker/Echo/xml',
    { method: 'None', path: '(request)', fields: FIELDS },
    404,
    'METHOD_NOT_FOUND_IN_INVOKER',
  ],
  [
    'POST',
    '/api/invoker/{name}/xml',
    '/api/invoker/Echo/xml',
    { method: 'Post', path: '(request).text', fields: FIELDS },
    400,
    'PATH_IS_INVALID',
  ],
  [
    'POST',
    '/api/invoker/{name}/xml',
    '/api/invoker/Echo/xml',
    { method: 'Post', path: '(request)', fields: [{ name: '', type: 'string' }] },
    400,
    'INVOKER_INVALID',
  ],
];
