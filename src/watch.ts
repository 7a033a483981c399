import { hostInUrl } from './platform/text/host';
import type { Config } from './config/config';
import type { ErrorsAt } from './platform/http/error-body';
import { createHttpApp } from './platform/http/http-app';
import { RestApi } from './platform/http/rest-api';
import { HttpServer } from './platform/http/server';
import type { Logger } from './platform/log/logger';
import { NO_METRICS } from './platform/metrics/metrics';
import type { Metrics } from './platform/metrics/metrics';
import { metricsEndpoint } from './platform/http/metrics-endpoint';
import { createTracing } from './platform/tracing/open-telemetry';
import type { Tracing } from './platform/tracing/tracing';
import { PrometheusMetrics } from './platform/metrics/prometheus';
import { listen } from './port';

/** What is measured of the service while it runs. */
export interface Watch {
  readonly metrics: Metrics;
  /** Null: nothing is traced. */
  readonly tracing: Tracing | null;
  /** Where `/metrics` is served if it has a port of its own; otherwise null. */
  readonly metricsUrl: string | null;
  close(): Promise<void>;
}

/**
 * Starts metrics and tracing, as far as they are configured.
 * @throws Error with a message for the operator if the port of the metrics cannot be opened
 */
export async function openWatch(config: Config, log: Logger, errorsAt: ErrorsAt): Promise<Watch> {
  const { token, listen: place } = config.metrics;
  const metrics = token === null && place === null ? NO_METRICS : new PrometheusMetrics(log);
  const listener = place && (await openListener(config, log, errorsAt, metrics));
  const tracing = config.tracing.isEnabled ? createTracing(log) : null;
  return {
    metrics,
    tracing,
    metricsUrl: listener && listener.url,
    async close() {
      await listener?.http.stop();
      await tracing?.close();
      metrics.close();
    },
  };
}

/** Serves only `/metrics`, on a port of its own. */
async function openListener(
  config: Config,
  log: Logger,
  errorsAt: ErrorsAt,
  metrics: Metrics,
): Promise<{ readonly http: HttpServer; readonly url: string }> {
  const { token, listen: place } = config.metrics;
  const rest = new RestApi({
    routes: [],
    authenticate: () => Promise.resolve({ state: 'anonymous' }),
    config,
    log,
  });
  const endpoint = metricsEndpoint(metrics, { isServed: true, token }, config.productPrefix);
  const http = new HttpServer(
    createHttpApp({ config, log, rest, errorsAt, handlers: [endpoint] }),
    { errorsAt },
  );
  const { host, port } = place ?? config.server;
  const names = {
    host: `${config.productPrefix}.metrics.address`,
    port: `${config.productPrefix}.metrics.port`,
  };
  const number = await listen(http, { host, port }, names);
  const url = `http://${hostInUrl(host)}:${number}/metrics`;
  log.info({ url }, 'Metrics are served.');
  return { http, url };
}
