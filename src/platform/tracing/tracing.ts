import { randomBytes } from 'node:crypto';

/** Attributes of a span. Must not contain URLs, header values or other data of users. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** `server`: a received request. `client`: an outgoing call. */
export type SpanKind = 'server' | 'client' | 'internal';

/** A place in a trace: a span that others can be below. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether its spans are recorded. */
  readonly isSampled: boolean;
}

/** A span that is in progress. */
export interface Span {
  /** Its place in the trace, as W3C `traceparent`. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** A span that is never ended is not sent. @param error its code if the work failed */
  end(error?: string | null): void;
}

/** A span that was measured elsewhere. Plain data, so that processes can send it. */
export interface MeasuredSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly spanId: string;
  readonly parentId: string;
  /** Time, ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: SpanAttributes;
  /** Code of the failure, or null. */
  readonly error: string | null;
}

/** Records spans and sends them to an OpenTelemetry collector. */
export interface Tracing {
  /** @param parent a `traceparent`; anything else begins a trace of its own */
  start(
    name: string,
    kind: SpanKind,
    parent: string | null | undefined,
    attributes?: SpanAttributes,
  ): Span;
  /** @param trace `traceparent` of the trace that the spans belong to */
  record(trace: string, spans: readonly MeasuredSpan[]): void;
  /** Sends what is not sent yet. */
  close(): Promise<void>;
}

/** Later versions may append fields; `ff` is not a version. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const SAMPLED = 1;

/** Parses a W3C `traceparent` header; returns null if it is missing or invalid. */
export function parseTraceparent(header: string | null | undefined): TraceContext | null {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    TRACEPARENT.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || ZEROS.test(traceId) || ZEROS.test(spanId)) return null;
  if (version === '00' && more !== undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export const writeTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

export const newSpanId = (): string => randomBytes(8).toString('hex');
