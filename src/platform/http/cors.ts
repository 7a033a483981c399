import type { RequestHandler } from 'express';
import type { Config } from '../../config/config';
import type { OriginReader } from './origin';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const EXPOSED = 'Authorization, X-Request-Id, Location, Retry-After';
const DEFAULT_HEADERS = 'authorization, content-type, x-request-id, x-master-password, apollo-require-preflight, crossdomain, timeout';
const MAX_AGE_SECONDS = 7200;
const HEADER_LIST = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;

/** May a page of this origin call us? `own` is the address we were reached under. */
export function isAllowedOrigin(origins: readonly string[], origin: string, own: string): boolean {
  return origins.includes('*') || origins.includes(origin) || origin === own;
}

/** Cross-origin access as configured. The origin is echoed, never `*`, because credentials are allowed. */
export function cors(config: Pick<Config, 'cors'>, originOf: OriginReader): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    const isPreflight = request.method === 'OPTIONS' && origin !== undefined && request.headers['access-control-request-method'] !== undefined;
    response.vary('Origin');
    if (origin !== undefined && isAllowedOrigin(config.cors.origins, origin, originOf(request).baseUrl)) {
      response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true', 'Access-Control-Expose-Headers': EXPOSED });
      if (isPreflight) {
        const asked = request.headers['access-control-request-headers'];
        response.vary('Access-Control-Request-Headers').set({
          'Access-Control-Allow-Methods': METHODS,
          'Access-Control-Allow-Headers': asked !== undefined && HEADER_LIST.test(asked) ? asked : DEFAULT_HEADERS,
          'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
        });
      }
    }
    if (!isPreflight) return next();
    response.status(204).end();
  };
}
