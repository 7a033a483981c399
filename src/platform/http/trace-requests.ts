import type { HttpRequest, HttpResponse } from './http-handler';
import { setTrace } from './origin';
import type { Tracing } from '../tracing/tracing';

/**
 * Records a span for each request, below the `traceparent` of the client. Spans contain the route,
 * never the URL: paths may contain tokens. Probes are not recorded.
 */
export const traceRequests =
  (tracing: Tracing) =>
  (request: HttpRequest, response: HttpResponse): void => {
    const { method = '' } = request;
    const span = tracing.start(method, 'server', request.headersDistinct.traceparent?.[0], {
      'http.request.method': method,
    });
    setTrace(request, span.traceparent);
    response.once('close', () => {
      const { probe, api, operation, code } = response.locals as {
        probe?: boolean;
        api?: string;
        operation?: string;
        code?: string;
      };
      if (probe === true) return;
      if (operation !== undefined) span.rename(operation);
      span.set({
        ...(api === 'rest' && operation !== undefined && { 'http.route': operation }),
        ...(api !== undefined && { 'hypha.interface': api }),
        'http.response.status_code': response.statusCode,
        ...(code !== undefined && { 'hypha.error.code': code }),
      });
      const isFailed = response.statusCode >= 500 || !response.writableFinished;
      span.end(isFailed ? (code ?? (response.writableFinished ? 'FAULT' : 'ABORTED')) : null);
    });
  };
