import type { RequestHandler } from 'express';
import { maskAddress } from '../log/redact';
import type { Logger } from '../log/logger';
import type { OriginReader } from './origin';
import { requestUrl } from './request-url';

/** One line for each request, when its answer is out or its client gone; at info, but for probes. Never headers, never bodies. */
export function accessLog(log: Logger, originOf: OriginReader): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const { requestId, clientRequestId, address } = originOf(request);
    const { path, search } = requestUrl(request.originalUrl);
    response.once('close', () => {
      const { userId, code, probe = false, deprecated = false } = response.locals as { userId?: number; code?: string; probe?: boolean; deprecated?: boolean };
      log[probe ? 'debug' : 'info']({
        requestId,
        ...(clientRequestId !== null && { clientRequestId }),
        method: request.method,
        path: maskAddress(path, search),
        status: response.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        address,
        ...(userId !== undefined && { userId }),
        ...(code !== undefined && { code }),
        ...(deprecated && { deprecated }),
        ...(!response.writableFinished && { aborted: true }),
      }, 'request');
    });
    next();
  };
}
