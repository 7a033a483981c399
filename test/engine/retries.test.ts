import { setTimeout as wait } from 'node:timers/promises';
import type { HttpPort, MethodDoc, RetryPolicy } from '../../src/engine';
import { answerJson, startRemote } from './support/remote';
import type { Handler } from './support/remote';
import {
  httpStep,
  ifStep,
  ofKind,
  openOutbound,
  reference,
  run,
  runWith,
  workflow,
} from './support/run';
import { openForTests } from '../support/open-for-tests';

const TWICE: RetryPolicy = { retries: 2, backoffMs: 20 };

describe('a step with a temporary failure', () => {
  const outbound = openOutbound();
  let answers: Handler[] = [];
  const remote = openForTests(() =>
    startRemote((request, response) =>
      (answers.shift() ?? ((_, last) => answerJson(last, { ok: true })))(request, response),
    ),
  );
  beforeEach(() => {
    answers = [];
    remote.received.length = 0;
  });
  afterAll(() => outbound.close());

  const status =
    (code: number, headers: Record<string, string> = {}): Handler =>
    (_request, response) => {
      response.writeHead(code, headers).end('{}');
    };
  const cut: Handler = (_request, response) => {
    response.destroy();
  };
  const step = (more: Partial<MethodDoc> & { request?: MethodDoc['request'] } = {}): MethodDoc =>
    httpStep('0', remote.url, more);
  const tries = (result: Awaited<ReturnType<typeof run>>) =>
    ofKind(result, 'StepFinished').map(({ attempt, state, statusCode }) => [
      attempt,
      state,
      statusCode,
    ]);

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
    'is retried for %s, with separate events for each attempt',
    async (method) => {
      answers = [status(503), cut];
      const result = await run(workflow(step({ request: { method } })), outbound, {
        retrying: TWICE,
      });
      expect(result).toMatchObject({ state: 'SUCCEEDED', steps: 1 });
      expect(
        result.events.map((event) => [event.kind, 'attempt' in event ? event.attempt : 0]),
      ).toEqual([
        ['RunStarted', 0],
        ['StepStarted', 1],
        ['StepFinished', 1],
        ['StepStarted', 2],
        ['StepFinished', 2],
        ['StepStarted', 3],
        ['StepFinished', 3],
        ['RunFinished', 0],
      ]);
      expect(ofKind(result, 'StepFinished').map(({ error }) => error?.code)).toEqual([
        'HTTP_STATUS_ERROR',
        'OUTBOUND_CONNECTION_FAILED',
        undefined,
      ]);
    },
  );

  it.each([429, 502, 503, 504])(
    'ends the run when the last attempt is also answered %d',
    async (code) => {
      answers = [status(code), status(code), status(code)];
      const result = await run(workflow(step()), outbound, { retrying: TWICE });
      expect(result.error).toMatchObject({ index: '0', attempt: 3, code: 'HTTP_STATUS_ERROR' });
      expect(tries(result)).toEqual([
        [1, 'FAILED', code],
        [2, 'FAILED', code],
        [3, 'FAILED', code],
      ]);
      expect(remote.received).toHaveLength(3);
    },
  );

  it.each<[string, Handler, Partial<MethodDoc> & { request?: MethodDoc['request'] }]>([
    ['a permanent error status', status(500), {}],
    ['a client error', status(404), {}],
    ['a verb that is not idempotent', status(503), { request: { method: 'POST' } }],
    ['PATCH', cut, { request: { method: 'PATCH' } }],
    ['a step without retries', status(503), { retries: '0' }],
    [
      'an invalid answer',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{');
      },
      {},
    ],
  ])('is not retried: %s', async (_what, answer, more) => {
    answers = [answer];
    const result = await run(workflow(step(more)), outbound, { retrying: TWICE });
    expect(result.error).toMatchObject({ attempt: 1 });
    expect(remote.received).toHaveLength(1);
  });

  it('is retried as often as it configures, for any verb', async () => {
    answers = [status(503), status(502), status(504), cut, status(429)];
    const sent = { method: 'POST', body: { format: 'json', fields: { once: true } } };
    const result = await run(
      workflow(step({ retries: '5', backoff: '1', request: sent })),
      outbound,
      { retrying: { retries: 0, backoffMs: 60_000 } },
    );
    expect(result.state).toBe('SUCCEEDED');
    expect(remote.received.map(({ body }) => body)).toEqual(
      Array.from({ length: 6 }, () => '{"once":true}'),
    );
  });

  it('passes the answer of its last attempt to later steps', async () => {
    answers = [status(503), status(429), status(504)];
    const result = await run(
      workflow(
        step(),
        ifStep('1', `${reference('0', '(response).status')} = 504`),
        httpStep('1_0', `${remote.url}/seen`),
      ),
      outbound,
      { retrying: TWICE },
    );
    expect(result.state).toBe('SUCCEEDED');
    expect(tries(result)).toEqual([
      [1, 'FAILED', 503],
      [2, 'FAILED', 429],
      [3, 'SUCCEEDED', 504],
      [1, 'SUCCEEDED', 200],
    ]);
    expect(remote.received.at(-1)?.url).toBe('/seen');
  });

  it('waits as long as the answer requests, and not for a time in the past', async () => {
    answers = [
      status(429, { 'retry-after': '1' }),
      status(503, { 'retry-after': new Date(Date.now() - 60_000).toUTCString() }),
    ];
    expect((await run(workflow(step({ retries: '2', backoff: '1' })), outbound)).state).toBe(
      'SUCCEEDED',
    );
    expect(remote.received).toHaveLength(3);
  });

  it.each(['3600', '9999999999', '9'.repeat(400), new Date(Date.now() + 3_600_000).toUTCString()])(
    'is not retried when that would exceed its timeout: %s',
    async (after) => {
      answers = [status(503, { 'retry-after': after })];
      const result = await run(workflow(step()), outbound, {
        retrying: TWICE,
        stepTimeoutMs: 600_000,
      });
      expect(result.error).toMatchObject({ attempt: 1, code: 'HTTP_STATUS_ERROR' });
    },
  );

  it('does not exceed its timeout with all attempts', async () => {
    const silent: Handler = () => undefined;
    answers = [status(503), silent];
    const result = await run(workflow(step({ timeout: '300' })), outbound, {
      retrying: { retries: 5, backoffMs: 1 },
      stepTimeoutMs: 3_600_000,
    });
    expect(result.error).toMatchObject({ attempt: 2, code: 'OUTBOUND_TIMEOUT' });
  });

  it.each([
    [{ timeout: '300' }, 'No complete answer within 300 ms (the timeout of the step).'],
    [{}, 'No complete answer within 500 ms (the setting step.timeout).'],
  ])(
    'waits before sending without using up its timeout, whose setting the error names: %o',
    async (settings, message) => {
      const slow: HttpPort = {
        send: async (request, signal) => {
          await wait(900);
          return outbound.send(request, signal);
        },
      };
      const sendSlowly = (): ReturnType<typeof run> =>
        runWith(workflow(step(settings)), { http: slow }, { stepTimeoutMs: 500 });
      answers = [];
      expect((await sendSlowly()).state).toBe('SUCCEEDED');
      answers = [() => undefined];
      expect((await sendSlowly()).error).toMatchObject({
        code: 'OUTBOUND_TIMEOUT',
        message: expect.stringContaining(message),
      });
    },
  );

  it.each<['cancelled' | 'out of time']>([['cancelled'], ['out of time']])(
    'stops during a pause when its run is %s',
    async (reason) => {
      answers = [status(503, { 'retry-after': '1800' })];
      const cancel = new AbortController();
      const result = await run(
        workflow(step({ retries: '3', backoff: '60000', timeout: '3600000' })),
        outbound,
        { signal: cancel.signal, runTimeoutMs: reason === 'out of time' ? 100 : undefined },
        (event) => {
          if (reason === 'cancelled' && event.kind === 'StepFinished')
            setImmediate(() => cancel.abort());
        },
      );
      expect([result.state, result.error?.code]).toEqual(
        reason === 'cancelled' ? ['CANCELLED', undefined] : ['FAILED', 'RUN_TIMEOUT'],
      );
      expect(result.events.map(({ kind }) => kind)).toEqual([
        'RunStarted',
        'StepStarted',
        'StepFinished',
        'RunFinished',
      ]);
    },
  );

  it.each([
    ['timeout', '-1'],
    ['timeout', 'soon'],
    ['timeout', '3600001'],
    ['retries', '11'],
    ['retries', '1.5'],
    ['backoff', '60001'],
  ])('cannot have %s %s', async (setting, value) => {
    const result = await run(workflow(step({ [setting]: value })), outbound);
    expect(result.error).toMatchObject({ step: 'm0', code: 'STEP_SETTING_INVALID' });
    expect(remote.received).toHaveLength(0);
  });
});
