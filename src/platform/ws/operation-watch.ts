import type { OperationDefinitionNode } from 'graphql';
import type { Outcome } from '../graphql/operations/error-format';
import { NO_METRICS, OTHER_OPERATION } from '../metrics/metrics';
import type { Metrics } from '../metrics/metrics';
import { operationLabel } from '../metrics/operation-label';
import type { Span, Tracing } from '../tracing/tracing';

export interface Observers {
  readonly metrics?: Metrics;
  /** Null: nothing is traced. */
  readonly tracing?: Tracing | null;
}

/**
 * Counts and traces one operation of a socket. Subscriptions have no duration, so only their
 * refusals are counted.
 */
export class OperationWatch {
  private readonly startedAt = performance.now();
  private readonly metrics: Metrics;
  private readonly span: Span | null;

  constructor({ metrics = NO_METRICS, tracing = null }: Observers) {
    this.metrics = metrics;
    this.span =
      tracing?.start('websocket', 'server', null, { 'hypha.interface': 'websocket' }) ?? null;
  }

  /** `traceparent` of the operation. */
  get trace(): string | undefined {
    return this.span?.traceparent;
  }

  /** @param operation null if the operation is invalid */
  ended(operation: OperationDefinitionNode | null, { errors }: Outcome): void {
    const label = operation === null ? OTHER_OPERATION : operationLabel(operation);
    const code = errors?.[0]?.extensions.code;
    this.metrics.requestEnded('websocket', label, (performance.now() - this.startedAt) / 1_000);
    if (code !== undefined) this.metrics.errorSent('websocket', code);
    this.span?.rename(label);
    if (code !== undefined) this.span?.set({ 'hypha.error.code': code });
    this.span?.end(code === 'INTERNAL_SERVER_ERROR' ? code : null);
  }
}
