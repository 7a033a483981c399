import type { Context, Span as OtelSpan, SpanKind as OtelSpanKind } from '@opentelemetry/api';
import type {
  BasicTracerProvider,
  IdGenerator,
  ReadableSpan,
  SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../log/logger';
import { VERSION } from '../version';
import { newSpanId, parseTraceparent, writeTraceparent } from './tracing';
import type { MeasuredSpan, Span, SpanAttributes, SpanKind, Tracing } from './tracing';

// Loaded only if tracing is enabled: they take a third of a second and 20 MB.
const api = () => require('@opentelemetry/api') as typeof import('@opentelemetry/api');
const sdk = () =>
  require('@opentelemetry/sdk-trace-base') as typeof import('@opentelemetry/sdk-trace-base');
const otlp = () =>
  require('@opentelemetry/exporter-trace-otlp-http') as typeof import('@opentelemetry/exporter-trace-otlp-http');
const resources = () =>
  require('@opentelemetry/resources') as typeof import('@opentelemetry/resources');

const SERVICE_NAME = 'hypha';
/** Longest time that a stop waits for the collector, ms. */
const CLOSE_MS = 3_000;

/**
 * Tracing with the SDK of OpenTelemetry. The SDK reads the standard variables: `OTEL_EXPORTER_OTLP_*`,
 * `OTEL_TRACES_SAMPLER`, `OTEL_BSP_*`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`.
 */
export function createTracing(log: Pick<Logger, 'warn' | 'info'>): Tracing {
  const { BasicTracerProvider, BatchSpanProcessor } = sdk();
  const { OTLPTraceExporter } = otlp();
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources();
  const ids = new GivenSpanIds();
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': SERVICE_NAME, 'service.version': VERSION }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new ReportingExporter(new OTLPTraceExporter(), log))],
  });
  return new OpenTelemetryTracing(provider, ids);
}

/** Creates random ids, except for a span whose id another process has chosen. */
class GivenSpanIds implements IdGenerator {
  next: string | null = null;
  private readonly random = new (sdk().RandomIdGenerator)();

  readonly generateTraceId = (): string => this.random.generateTraceId();

  readonly generateSpanId = (): string => {
    const id = this.next ?? newSpanId();
    this.next = null;
    return id;
  };
}

class OpenTelemetryTracing implements Tracing {
  private readonly tracer;

  constructor(
    private readonly provider: BasicTracerProvider,
    private readonly ids: GivenSpanIds,
  ) {
    this.tracer = provider.getTracer(SERVICE_NAME, VERSION);
  }

  start(
    name: string,
    kind: SpanKind,
    parent: string | null | undefined,
    attributes: SpanAttributes = {},
  ): Span {
    return new StartedSpan(
      this.tracer.startSpan(
        name,
        { kind: kindOf(kind), attributes: { ...attributes } },
        contextOf(parent),
      ),
    );
  }

  record(trace: string, spans: readonly MeasuredSpan[]): void {
    const context = parseTraceparent(trace);
    if (context === null || !context.isSampled) return;
    for (const { name, kind, spanId, parentId, startedAt, endedAt, attributes, error } of spans) {
      this.ids.next = spanId;
      const span = this.tracer.startSpan(
        name,
        { kind: kindOf(kind), attributes: { ...attributes }, startTime: startedAt },
        contextOf(writeTraceparent({ ...context, spanId: parentId })),
      );
      this.ids.next = null;
      fail(span, error);
      span.end(endedAt);
    }
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    // A collector that cannot be reached is already in the log.
    await Promise.race([this.provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}

class StartedSpan implements Span {
  readonly traceparent: string;

  constructor(private readonly span: OtelSpan) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = writeTraceparent({ traceId, spanId, isSampled: (traceFlags & 1) === 1 });
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes);
  }

  end(error: string | null = null): void {
    fail(this.span, error);
    this.span.end();
  }
}

function fail(span: OtelSpan, error: string | null): void {
  if (error === null) return;
  span.setAttribute('error.type', error);
  span.setStatus({ code: api().SpanStatusCode.ERROR });
}

function kindOf(kind: SpanKind): OtelSpanKind {
  const { SpanKind: kinds } = api();
  return { server: kinds.SERVER, client: kinds.CLIENT, internal: kinds.INTERNAL }[kind];
}

function contextOf(parent: string | null | undefined): Context {
  const { ROOT_CONTEXT, TraceFlags, trace } = api();
  const context = parseTraceparent(parent);
  if (context === null) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = context;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
}

/** Logs the first failure to send spans, and the next success. */
class ReportingExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Pick<Logger, 'warn' | 'info'>,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans, (result) => {
      if (result.error !== undefined && !this.isFailing)
        this.log.warn(
          { reason: result.error.message },
          'Spans could not be sent to the OpenTelemetry collector. They are dropped until it responds.',
        );
      else if (result.error === undefined && this.isFailing)
        this.log.info('Spans are sent to the OpenTelemetry collector again.');
      this.isFailing = result.error !== undefined;
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }
}
