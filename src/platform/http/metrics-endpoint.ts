import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { MetricsConfig } from '../../config/watching';
import { NotFound, Unauthenticated } from '../errors/errors';
import { bearerToken } from './origin';
import { requestUrl } from './request-url';
import { MethodNotAllowed } from './send';
import type { Metrics } from '../metrics/metrics';

const METHODS = ['GET', 'HEAD', 'OPTIONS'];

const isMetricsPath = (path: string): boolean => /^\/metrics\/?$/.test(path);

/** Compares digests, so that neither content nor length of the token shows in the time. */
function isSame(candidate: string | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return candidate !== undefined && timingSafeEqual(digest(candidate), digest(token));
}

async function send(metrics: Metrics, response: Response): Promise<void> {
  const { type, body } = await metrics.write();
  response.set({ 'Content-Type': type, 'Cache-Control': 'no-store' }).send(body);
}

/**
 * Answers `/metrics` and passes on all else.
 * @param token null: every client is answered
 * @throws NotFound if metrics are not served here; Unauthenticated without the token
 */
export function metricsEndpoint(
  metrics: Metrics,
  { isServed, token }: { readonly isServed: boolean; readonly token: string | null },
  productPrefix: string,
): RequestHandler {
  return (request, response, next) => {
    if (!isMetricsPath(requestUrl(request.originalUrl).path)) return next();
    response.locals.probe = true;
    response.locals.operation = '/metrics';
    if (!isServed)
      throw new NotFound(
        'NOT_FOUND',
        `Metrics are not served at this address. Set ${productPrefix}.metrics.token to serve them here, or ${productPrefix}.metrics.port for a port of their own.`,
      );
    if (token !== null && !isSame(bearerToken(request.headers), token))
      throw new Unauthenticated(
        `Send the token of ${productPrefix}.metrics.token as Authorization: Bearer.`,
      );
    if (request.method === 'OPTIONS')
      return void response.set('Allow', METHODS.join(', ')).status(204).end();
    if (!METHODS.includes(request.method)) throw new MethodNotAllowed(METHODS);
    send(metrics, response).catch(next);
  };
}

/** What the port of the service answers at `/metrics`. */
export const onServicePort = ({
  token,
  listen,
}: MetricsConfig): { readonly isServed: boolean; readonly token: string | null } => ({
  isServed: token !== null && listen === null,
  token,
});
