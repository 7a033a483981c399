import corsMiddleware from 'cors';
import type { CorsOptions } from 'cors';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Config } from '../../config/config';
import { isAllowedOrigin } from './allowed-origin';
import type { OriginReader } from './origin';

/** Which headers may travel is not narrowed: those that are asked for are allowed. */
const ALLOWED: CorsOptions = {
  credentials: true,
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  exposedHeaders: 'Authorization, X-Request-Id, ETag, Location, Retry-After, Deprecation, Link, Preference-Applied',
  maxAge: 7200,
};

/** Does a browser ask whether it may ask? A plain OPTIONS is answered by the doors. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/** Cross-origin access as configured. The origin is echoed, never `*`, because credentials are allowed. */
export function cors(config: Pick<Config, 'cors'>, originOf: OriginReader): RequestHandler {
  return corsMiddleware<IncomingMessage>((request, answer) => {
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && isAllowedOrigin(config.cors.origins, origin, originOf(request).ownOrigin);
    // A list, also of none: the library then says that answers vary by origin.
    answer(null, { ...(isAllowed ? ALLOWED : { methods: [] }), origin: isAllowed ? [origin] : [], preflightContinue: !isPreflight(request) });
  });
}
