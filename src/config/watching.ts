import { secretText, text, wholeNumber } from './forms';
import { optional, setting } from './setting';
import type { ValuesOf } from './setting';

/** It is sent in a header: printable ASCII without blanks. */
const isMetricsToken = (value: string): boolean => /^[\x21-\x7e]{16,512}$/.test(value);

export const METRICS_SETTINGS = {
  metricsToken: optional(
    '<product>.metrics.token',
    secretText('16 to 512 printable ASCII characters without blanks', isMetricsToken),
    { secret: true },
  ),
  metricsPort: optional('<product>.metrics.port', wholeNumber(0, 65_535)),
  metricsAddress: setting(
    '<product>.metrics.address',
    text('a host name or address to bind to'),
    '127.0.0.1',
  ),
} as const;

export interface MetricsConfig {
  /** Required from clients of `/metrics`; null: none is required. */
  readonly token: string | null;
  /** A listener of its own for `/metrics`; null: the port of the service, if there is a token. */
  readonly listen: { readonly host: string; readonly port: number } | null;
}

export const metricsOf = (values: ValuesOf<typeof METRICS_SETTINGS>): MetricsConfig => ({
  token: values.metricsToken,
  listen:
    values.metricsPort === null ? null : { host: values.metricsAddress, port: values.metricsPort },
});

export interface TracingConfig {
  /** Whether spans are recorded. The exporter itself reads the OTEL_* variables. */
  readonly isEnabled: boolean;
}

/**
 * Spans are recorded if an OTLP endpoint or exporter is named, as OpenTelemetry's own variables
 * define it.
 */
export function tracingOf(env: NodeJS.ProcessEnv): TracingConfig {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return { isEnabled: false };
  const exporter = env.OTEL_TRACES_EXPORTER?.trim().toLowerCase() ?? '';
  const isNamed = [env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, env.OTEL_EXPORTER_OTLP_ENDPOINT].some(
    (endpoint) => (endpoint ?? '') !== '',
  );
  return { isEnabled: exporter === '' ? isNamed : exporter === 'otlp' };
}

/** Warns of values of OpenTelemetry's variables that have no effect here. */
export function tracingWarnings(env: NodeJS.ProcessEnv): string[] {
  const { isEnabled } = tracingOf(env);
  const exporter = env.OTEL_TRACES_EXPORTER?.trim().toLowerCase() ?? '';
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || '';
  return [
    ...(['', 'otlp', 'none'].includes(exporter)
      ? []
      : [
          `OTEL_TRACES_EXPORTER = ${exporter}: only otlp and none are supported; no spans are sent`,
        ]),
    ...(isEnabled && protocol === 'grpc'
      ? ['OTEL_EXPORTER_OTLP_PROTOCOL = grpc: spans are sent as OTLP over HTTP (http/json)']
      : []),
  ];
}
