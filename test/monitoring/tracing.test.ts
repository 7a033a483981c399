import { startService } from '../support/service/harness';
import { remoteSystem } from '../support/peers/remote-system';
import { ended } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { tracingOf, tracingWarnings } from '../../src/config/watching';
import { RunTracer } from '../../src/features/runs/execution/run-tracer';
import type { MeasuredSpan } from '../../src/platform/tracing/tracing';
import { parseTraceparent } from '../../src/platform/tracing/tracing';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it('tracing that is off sends no header', async () => {
  const remote = await remoteSystem(() => ({}));
  const service = await startService();
  try {
    const id = await saved(service, workflow([method('0', remote.url)]));
    await ended(service, await started(service, id));
    expect(remote.received[0].headers).not.toHaveProperty('traceparent');
  } finally {
    await service.close();
    await remote.close();
  }
});

it.each([
  [TRACEPARENT, true],
  ['cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', false],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', false],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', false],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', false],
  ['', false],
])('the header traceparent %s is valid: %s', (header, isValid) => {
  expect(parseTraceparent(header) !== null).toBe(isValid);
});

it.each([
  [{}, false, 0],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true, 0],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true, 0],
  [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }, false, 0],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector' }, false, 0],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, false, 1],
  [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, true, 1],
])('the variables %j enable tracing: %s, with %i warnings', (env, isEnabled, warnings) => {
  expect(tracingOf(env)).toEqual({ isEnabled });
  expect(tracingWarnings(env)).toHaveLength(warnings);
});

describe('the spans of a run', () => {
  const sentBy = async (
    url: string,
    headers: Record<string, string> = {},
    traceparent = TRACEPARENT,
  ): Promise<{ spans: MeasuredSpan[]; headers: Record<string, string> }> => {
    const spans: MeasuredSpan[] = [];
    const tracer = new RunTracer(traceparent, (more) => spans.push(...more));
    let sent: Record<string, string> = {};
    const http = tracer.calls({
      send: (request) => {
        sent = request.headers;
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(0) });
      },
    });
    tracer.started({ index: '0', methodType: 'HTTP_REQUEST', attempt: 1 }, (text) =>
      text.replaceAll('S3cret', '***'),
    );
    await http.send(
      { method: 'GET', url, headers, timeoutMs: 60_000 },
      new AbortController().signal,
    );
    tracer.ended(null);
    tracer.finish();
    return { spans, headers: sent };
  };

  it('name the host of a call unless it contains a secret', async () => {
    const [call] = (await sentBy('https://user:pass@api.example.com/v1?key=S3cret')).spans;
    expect(call.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': 'api.example.com',
      'server.port': 443,
    });
    const [hidden] = (await sentBy('https://S3cret.example.com/')).spans;
    expect(JSON.stringify(hidden).toLowerCase()).not.toContain('s3cret');
  });

  it('leave a traceparent that the workflow sets', async () => {
    const { headers } = await sentBy('http://a.test/', { Traceparent: 'own' });
    expect(headers).toEqual({ Traceparent: 'own' });
  });

  it('are not recorded in a trace that is not sampled, which calls still carry on', async () => {
    const { spans, headers } = await sentBy('http://a.test/', {}, TRACEPARENT.replace(/1$/, '0'));
    expect(spans).toEqual([]);
    expect(headers.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
  });
});
