import { stepTypeOf } from '../../../engine';
import type { HttpPort, StepObserver, StepPlaceName } from '../../../engine';
import { newSpanId, parseTraceparent, writeTraceparent } from '../../../platform/tracing/tracing';
import type { MeasuredSpan, SpanAttributes, TraceContext } from '../../../platform/tracing/tracing';

/** Maximum spans of one run: a loop may execute millions of steps. */
const MAX_SPANS = 2_000;
/** Spans are handed over when there are as many, and at the end of the run. */
const BATCH = 100;
const HEADER = 'traceparent';
const FIRST_FAILURE = 400;

const isHeader = (name: string): boolean => name.toLowerCase() === HEADER;

interface OpenSpan {
  readonly spanId: string;
  readonly startedAt: number;
  readonly attributes: SpanAttributes;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'CANCELLED';

/** Host and port as the workflow wrote them, without user and password. */
const AUTHORITY = /^https?:\/\/(?:[^/?#@]*@)*([^/?#@]*)/i;
const STEP_INDEX = /^\d[\d_]{0,99}$/;

/** Host and port of a URL; nothing if they contain a secret. */
function addressOf(url: string, hide: (text: string) => string): SpanAttributes {
  const authority = AUTHORITY.exec(url)?.[1] ?? '';
  if (!URL.canParse(url) || hide(authority) !== authority) return {};
  const { protocol, hostname, port } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) };
}

/**
 * Measures the steps and outgoing calls of one run, and sends its place in the trace with each
 * call. Spans contain no names of steps, URLs or headers, since these may contain secrets.
 */
export class RunTracer implements StepObserver {
  private readonly context: TraceContext;
  private step: OpenSpan | null = null;
  private hide: (text: string) => string = (text) => text;
  private gathered: MeasuredSpan[] = [];
  private begun = 0;

  constructor(
    traceparent: string,
    private readonly handOver: (spans: readonly MeasuredSpan[]) => void,
  ) {
    const context = parseTraceparent(traceparent);
    if (context === null) throw new Error('The span of the run has no valid traceparent.');
    this.context = context;
  }

  started({ index, methodType, attempt }: StepPlaceName, hide: (text: string) => string): void {
    this.hide = hide;
    this.step = {
      spanId: newSpanId(),
      startedAt: Date.now(),
      attributes: {
        'hypha.step.attempt': attempt,
        ...(STEP_INDEX.test(index) && { 'hypha.step.index': index }),
        // Unknown types are texts of users.
        ...(stepTypeOf(methodType) !== null && { 'hypha.step.type': methodType }),
      },
    };
  }

  ended(error: string | null): void {
    const { step } = this;
    this.step = null;
    if (step !== null) this.add('step', 'internal', this.context.spanId, step, error);
  }

  /** Traces the calls of a port. Every call is a span below the current step. */
  calls(http: HttpPort): HttpPort {
    return {
      createCookies: http.createCookies?.bind(http),
      send: async (request, signal) => {
        const { method, headers } = request;
        const parentId = this.step?.spanId ?? this.context.spanId;
        const spanId = newSpanId();
        const startedAt = Date.now();
        const attributes = {
          'http.request.method': method,
          ...addressOf(request.url, this.hide),
        };
        const end = (more: SpanAttributes, error: string | null): void =>
          this.add(
            method,
            'client',
            parentId,
            { spanId, startedAt, attributes: { ...attributes, ...more } },
            error,
          );
        // A workflow may set the header itself.
        const sent = Object.keys(headers).some(isHeader)
          ? request
          : {
              ...request,
              headers: { ...headers, [HEADER]: writeTraceparent({ ...this.context, spanId }) },
            };
        try {
          const response = await http.send(sent, signal);
          const { status } = response;
          end(
            { 'http.response.status_code': status },
            status >= FIRST_FAILURE ? String(status) : null,
          );
          return response;
        } catch (error) {
          end({}, codeOf(error));
          throw error;
        }
      },
    };
  }

  /** Ends what is still open, and hands over the rest. */
  finish(): void {
    this.ended('CANCELLED');
    this.flush();
  }

  private add(
    name: string,
    kind: MeasuredSpan['kind'],
    parentId: string,
    { spanId, startedAt, attributes }: OpenSpan,
    error: string | null,
  ): void {
    if (!this.context.isSampled || this.begun >= MAX_SPANS) return;
    this.begun += 1;
    const endedAt = Date.now();
    this.gathered.push({ name, kind, spanId, parentId, startedAt, endedAt, attributes, error });
    if (this.gathered.length >= BATCH) this.flush();
  }

  private flush(): void {
    const { gathered } = this;
    this.gathered = [];
    if (gathered.length > 0) this.handOver(gathered);
  }
}
