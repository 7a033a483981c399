import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { runWorkflow } from '../../../src/engine';
import type { Ports } from '../../../src/engine';
import type { Outbound } from '../../../src/platform/outbound';
import { answerJson, startRemote } from '../support/remote';
import {
  answering,
  httpStep,
  ifStep,
  jsonBody,
  loopStep,
  noScripts,
  ofKind,
  openOutbound,
  reference,
  run,
  runWith,
  workflow,
} from '../support/run';
import { longDescribe } from '../../support/long';
import { openForTests } from '../../support/open-for-tests';

describe('the events of a run', () => {
  const snapshot = workflow(
    httpStep('0', 'http://remote/0'),
    loopStep('1', 'For([1, 2])', 'i'),
    ifStep('1_0', 'i = 1'),
    httpStep('1_0_0', 'http://remote/1'),
    httpStep('1_1', 'http://remote/2'),
  );

  it('are numbered from 1 without gaps, start and end the run, and are in order', async () => {
    const { events, steps } = await runWith(snapshot, { http: answering(() => ({})) });
    expect(events.map((event) => event.sequence)).toEqual(
      events.map((_, position) => position + 1),
    );
    expect(events.map((event) => event.kind + ('index' in event ? ` ${event.index}` : ''))).toEqual(
      [
        'RunStarted',
        'StepStarted 0',
        'StepFinished 0',
        'LoopStarted 1',
        'LoopIteration 1',
        'ConditionEvaluated 1_0',
        'StepStarted 1_1',
        'StepFinished 1_1',
        'LoopIteration 1',
        'ConditionEvaluated 1_0',
        'StepStarted 1_0_0',
        'StepFinished 1_0_0',
        'StepStarted 1_1',
        'StepFinished 1_1',
        'LoopFinished 1',
        'RunFinished',
      ],
    );
    expect(steps).toBe(4);
    expect(events[0]).toMatchObject({ kind: 'RunStarted', methods: 3, operators: 2 });
    expect(events.at(-1)).toMatchObject({
      kind: 'RunFinished',
      state: 'SUCCEEDED',
      error: null,
      steps: 4,
    });
    expect(events[1]).toEqual({
      kind: 'StepStarted',
      sequence: 2,
      at: expect.any(Date),
      stepId: 'm0',
      index: '0',
      loopIndex: [],
      name: 'step 0',
      label: null,
      connector: null,
      methodType: 'HTTP_REQUEST',
      attempt: 1,
    });
  });

  it('contain only step, state and timing, unless the run is recorded', async () => {
    const loop = workflow(
      loopStep('0', 'SplitString("secret-a,secret-b", ",")', 'i'),
      httpStep('0_0', 'http://remote/{%#000000.(response).body%}'),
    );
    const silent = await runWith(
      loop,
      { http: answering(() => 'answer-text') },
      { recordSegments: false },
    );
    expect(
      JSON.stringify(silent.events.map((event) => ({ ...event, expression: '' }))),
    ).not.toMatch(/secret-|answer-text|remote/);
    expect(ofKind(silent, 'StepFinished')[0]).toMatchObject({
      state: 'SUCCEEDED',
      statusCode: 200,
      durationMs: expect.any(Number),
    });
    const recorded = await runWith(
      loop,
      { http: answering(() => 'answer-text') },
      { recordSegments: true },
    );
    expect(ofKind(recorded, 'LoopIteration').map(({ value }) => value)).toEqual([
      'secret-a',
      'secret-b',
    ]);
    expect(ofKind(recorded, 'StepFinished')[0]).toMatchObject({
      request: { method: 'GET', url: 'http://remote/', payload: '' },
      response: { status: 200, payload: 'answer-text' },
    });
  });

  it('wait until they are stored', async () => {
    const order: string[] = [];
    const emit: Ports['emit'] = async (_event, { sequence }) => {
      order.push(`in ${sequence}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`out ${sequence}`);
    };
    await runWorkflow(
      workflow(httpStep('0', 'http://remote/')),
      { http: answering(() => ({})), scripts: noScripts, emit, clock: { now: () => new Date(0) } },
      { signal: new AbortController().signal, stepTimeoutMs: 1_000, recordSegments: false },
    );
    expect(order).toEqual(['in 1', 'out 1', 'in 2', 'out 2', 'in 3', 'out 3', 'in 4', 'out 4']);
  });

  it('end the run when they cannot be stored, and no later event is sent', async () => {
    const seen: number[] = [];
    let calls = 0;
    const emit: Ports['emit'] = (_event, { sequence }) => {
      seen.push(sequence);
      if (sequence === 3) throw new Error('disk full');
    };
    const http = answering(() => (calls += 1));
    const result = await runWorkflow(
      snapshot,
      { http, scripts: noScripts, emit, clock: { now: () => new Date() } },
      { signal: new AbortController().signal, stepTimeoutMs: 1_000, recordSegments: false },
    );
    expect(result).toMatchObject({
      state: 'FAILED',
      error: { step: null, index: null, code: 'RUN_EVENTS_REFUSED' },
    });
    expect(seen).toEqual([1, 2, 3]);
    expect(calls).toBe(1);
  });

  it('use the time of the clock', async () => {
    const { events } = await runWith(workflow(), { clock: { now: () => new Date(42) } });
    expect(events.map(({ kind, at }) => [kind, at.getTime()])).toEqual([
      ['RunStarted', 42],
      ['RunFinished', 42],
    ]);
  });

  it.each([undefined, 'ERR_INVALID_STATE', 'HTTP_STATUS', 'outbound_TIMEOUT', '__proto__'])(
    'hide an internal error with the code %s and log it',
    async (code) => {
      const fault = Object.assign(
        new Error('password=hunter2'),
        code === undefined ? {} : { code },
      );
      const result = await runWith(workflow(httpStep('0', 'http://remote/')), {
        http: { send: () => Promise.reject(fault) },
      });
      expect(result.error).toMatchObject({
        code: 'RUN_FAULT',
        message: 'Step "step 0" (0): An unexpected fault ended the step.',
      });
      expect(result.cause).toBe(fault);
      expect(JSON.stringify(result.events)).not.toContain('hunter2');
    },
  );
});

describe('stopping a run', () => {
  const outbound = openOutbound();

  const remote = openForTests(() =>
    startRemote((request, response) => {
      if (request.url !== '/hang') answerJson(response, {});
    }),
  );
  beforeEach(() => {
    remote.received.length = 0;
  });
  afterAll(() => outbound.close());

  it('aborts a request in progress', async () => {
    const cancel = new AbortController();
    const arrived = remote.nextRequest();
    const running = run(
      workflow(httpStep('0', `${remote.url}/hang`), httpStep('1', remote.url)),
      outbound,
      { signal: cancel.signal },
    );
    await arrived;
    cancel.abort();
    const result = await running;
    expect(result).toMatchObject({ state: 'CANCELLED', steps: 1 });
    expect(result.error).toBeUndefined();
    expect(result.events.map((event) => [event.kind, 'state' in event ? event.state : ''])).toEqual(
      [
        ['RunStarted', ''],
        ['StepStarted', ''],
        ['StepFinished', 'CANCELLED'],
        ['RunFinished', 'CANCELLED'],
      ],
    );
    expect(remote.received).toHaveLength(1);
  });

  it('takes effect between loop iterations', async () => {
    const cancel = new AbortController();
    // The event of a quick step arrives when the next step has already started.
    const unhurried: Outbound = {
      ...outbound,
      send: async (...call) => {
        await pause(20);
        return outbound.send(...call);
      },
    };
    const result = await run(
      workflow(loopStep('0', 'For([1, 2, 3, 4])', 'i'), httpStep('0_0', remote.url)),
      unhurried,
      { signal: cancel.signal },
      (event) => {
        if (event.kind === 'StepFinished' && event.loopIndex[0] === 1) cancel.abort();
      },
    );
    expect(result.state).toBe('CANCELLED');
    expect(ofKind(result, 'LoopIteration').map(({ turn }) => turn)).toEqual([0, 1]);
    expect(result.events.at(-1)).toMatchObject({
      kind: 'RunFinished',
      state: 'CANCELLED',
      error: null,
    });
  });

  it('works when a port ignores the signal, and before the first step', async () => {
    const cancel = new AbortController();
    const deaf = {
      send: () => {
        cancel.abort();
        return new Promise<never>(() => undefined);
      },
    };
    expect(
      (
        await runWith(
          workflow(httpStep('0', 'http://remote/')),
          { http: deaf },
          { signal: cancel.signal },
        )
      ).state,
    ).toBe('CANCELLED');
    const early = await runWith(
      workflow(httpStep('0', 'http://remote/')),
      { http: deaf },
      { signal: AbortSignal.abort() },
    );
    expect(early.events.map((event) => event.kind)).toEqual(['RunStarted', 'RunFinished']);
  });

  it('happens at the timeout, in a request or in a loop without requests', async () => {
    const inRequest = await run(workflow(httpStep('0', `${remote.url}/hang`)), outbound, {
      runTimeoutMs: 50,
    });
    expect(inRequest.error).toEqual({
      step: 'm0',
      name: 'step 0',
      index: '0',
      loopIndex: [],
      attempt: 1,
      code: 'RUN_TIMEOUT',
      message: 'Step "step 0" (0): The run took longer than it may.',
    });
    const list = Array.from({ length: 2_000 }, () => 0);
    const spin = workflow(
      httpStep('0', 'http://remote/'),
      loopStep('1', reference('0', '(response).body'), 'i'),
      loopStep('1_0', reference('0', '(response).body'), 'j'),
      ifStep('1_0_0', 'i = j'),
    );
    const inLoop = await runWith(
      spin,
      { http: answering(() => list) },
      { runTimeoutMs: 50, recordSegments: false },
      () => undefined,
    );
    expect(inLoop.error).toMatchObject({ code: 'RUN_TIMEOUT', index: '1_0_0' });
    expect(inLoop.error?.message).toBe(
      'Operator (index=1_0_0, type=if): The run took longer than it may.',
    );
    expect(inLoop.error?.loopIndex).toHaveLength(2);
  });

  it('names the iteration and the attempt at a timeout', async () => {
    let calls = 0;
    const { error } = await runWith(
      workflow(
        loopStep('0', 'SplitString("a,b", ",")', 'i'),
        httpStep('0_0', 'http://remote/', { retries: '1', backoff: '0' }),
      ),
      {
        http: {
          send: () => {
            calls += 1;
            if (calls === 3) return new Promise(() => undefined);
            const status = calls === 2 ? 503 : 200;
            return Promise.resolve({ status, headers: {}, body: Buffer.alloc(0) });
          },
        },
      },
      { runTimeoutMs: 200 },
    );
    expect(error).toMatchObject({
      code: 'RUN_TIMEOUT',
      index: '0_0',
      loopIndex: [1],
      attempt: 2,
    });
  });

  it('names no step at a timeout before the first one', async () => {
    const { error } = await runWith(
      workflow(httpStep('0', 'http://remote/')),
      { emit: (event) => (event.kind === 'RunStarted' ? pause(50) : undefined) },
      { runTimeoutMs: 1 },
    );
    expect(error).toEqual({
      step: null,
      index: null,
      attempt: 1,
      code: 'RUN_TIMEOUT',
      message: 'The run took longer than it may.',
    });
  });
});

longDescribe('a run of very many steps', () => {
  it('leaves no listeners on its signals', async () => {
    const cancel = new AbortController();
    const listeners: number[] = [];
    let calls = 0;
    const http = {
      send: async (_request: unknown, signal: AbortSignal) => {
        calls += 1;
        if (calls % 5_000 === 0)
          listeners.push(
            getEventListeners(signal, 'abort').length,
            getEventListeners(cancel.signal, 'abort').length,
          );
        return { status: 200, headers: {}, body: Buffer.alloc(0) };
      },
    };
    const snapshot = workflow(
      loopStep('0', `For([${Array.from({ length: 200 }, (_, index) => index).join()}])`, 'i'),
      loopStep('0_0', `For([${Array.from({ length: 100 }, (_, index) => index).join()}])`, 'j'),
      httpStep('0_0_0', 'http://remote/'),
    );
    const ports = {
      http,
      scripts: noScripts,
      emit: () => undefined,
      clock: { now: () => new Date() },
    };
    const result = await runWorkflow(snapshot, ports, {
      signal: cancel.signal,
      stepTimeoutMs: 5_000,
      recordSegments: false,
    });
    expect(result).toMatchObject({ state: 'SUCCEEDED', steps: 20_000 });
    // The current step and the run.
    expect(new Set(listeners.filter((_, index) => index % 2 === 0))).toEqual(new Set([0]));
    expect(new Set(listeners.filter((_, index) => index % 2 === 1))).toEqual(new Set([1]));
    expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
  });
});

describe('a secret in recorded data', () => {
  it('is masked by field name and, once seen, by value', async () => {
    const snapshot = workflow(
      httpStep('0', 'http://user:pa55word@remote/login?api_key=KEY-1234567&q=1', {
        request: {
          method: 'POST',
          header: { Authorization: 'Bearer abcdef123456', 'X-Api-Key': 'KEY-1234567', Accept: 'x' },
          body: jsonBody({
            user: 'u',
            password: 'geheim-99',
            nested: { clientSecret: ['s'] },
            active: true,
          }),
        },
      }),
      httpStep(
        '1',
        `http://remote/path/${reference('0', '(response).body.access_token')}?x=${reference('0', '(response).body.access_token')}`,
        {
          request: {
            method: 'POST',
            header: { 'X-Copy': reference('0', '(response).body.access_token') },
            body: {
              format: 'text',
              fields: `password: geheim-99; note=${reference('0', '(response).body.access_token')}`,
            },
          },
        },
      ),
      httpStep('2', 'http://remote/form', {
        request: {
          method: 'POST',
          body: {
            format: 'x-www-form-urlencoded',
            fields: { grant_type: 'password', client_secret: 'abc', plain: 'p' },
          },
        },
      }),
    );
    const http = {
      send: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json', 'set-cookie': ['sid=COOKIE-VALUE; Path=/'] },
        body: Buffer.from(
          '{"access_token":"TOKEN-abcdef","token_type":"bearer","cookie":"COOKIE-VALUE"}',
        ),
      }),
    };
    const result = await runWith(snapshot, { http });
    const text = JSON.stringify(result.events);
    for (const secret of [
      'pa55word',
      'KEY-1234567',
      'abcdef123456',
      'geheim-99',
      'TOKEN-abcdef',
      'COOKIE-VALUE',
      '"abc"',
      'client_secret=abc',
    ])
      expect(text).not.toContain(secret);
    const [login, second, form] = ofKind(result, 'StepFinished');
    expect(login.request).toEqual({
      url: 'http://***@remote/login?api_key=***&q=1',
      method: 'POST',
      header: {
        Authorization: '***',
        'X-Api-Key': '***',
        Accept: 'x',
        'Content-Type': 'application/json',
      },
      payload: '{"user":"u","password":"***","nested":{"clientSecret":"***"},"active":true}',
    });
    expect(login.response).toMatchObject({
      status: 200,
      header: { 'set-cookie': '***' },
      payload: '{"access_token":"***","token_type":"bearer","cookie":"***"}',
    });
    expect(second.request).toMatchObject({
      url: 'http://remote/path/***?x=***',
      header: { 'X-Copy': '***' },
      payload: 'password: ***; note=***',
    });
    expect(form.request?.payload).toBe('grant_type=password&client_secret=***&plain=p');
  });

  it('is masked in the answer that returns it', async () => {
    const secrets = {
      header: 'Bearer HEADER-SECRET',
      key: 'KEY-SECRET',
      query: 'QUERY-SECRET',
      body: 'BODY-"SECRET"',
      url: 'URL-SECRET',
      list: ['LIST-SECRET'],
      signature: 'SIG-SECRET',
    };
    const endpoint = `http://user:${secrets.url}@remote/echo?access_token=${secrets.query}&sig=${secrets.signature}&key=PARAMETER-SECRET`;
    const snapshot = workflow(
      httpStep('0', endpoint, {
        request: {
          method: 'POST',
          header: { Authorization: secrets.header, 'X-Api-Key': secrets.key },
          body: jsonBody({ password: secrets.body, tokens: secrets.list }),
        },
      }),
    );
    const secretsText = Object.values(secrets).flat().join(' ');
    const http = {
      send: async ({ body }: { body?: string | Buffer }) => ({
        status: 200,
        headers: { 'content-type': 'application/json', 'x-echo': secretsText },
        body: Buffer.from(
          JSON.stringify({
            said: secretsText,
            body: String(body),
            basic: Buffer.from(`user:${secrets.url}`).toString('base64'),
          }),
        ),
      }),
    };
    const text = JSON.stringify((await runWith(snapshot, { http })).events);
    expect(text).not.toContain('SECRET');
    expect(text).not.toContain(Buffer.from(`user:${secrets.url}`).toString('base64'));
    const plain = workflow(
      httpStep('0', 'http://remote/', {
        request: {
          header: { Authorization: `Basic ${Buffer.from('user:PASSWORD-1').toString('base64')}` },
        },
      }),
    );
    const answer = {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<b>PASSWORD-1</b>'),
    };
    expect(
      ofKind(await runWith(plain, { http: { send: async () => answer } }), 'StepFinished')[0]
        .response?.payload,
    ).toBe('<b>***</b>');
  });

  it('is masked in long payloads without processing all of them', async () => {
    const list = Array.from({ length: 10_000 }, (_, index) => ({
      index,
      password: `secret-${index}`,
    }));
    const result = await runWith(
      workflow(httpStep('0', 'http://remote/')),
      { http: answering(() => list) },
      { limits: { maxSegmentLength: 200 } },
    );
    const payload = ofKind(result, 'StepFinished')[0].response?.payload ?? '';
    expect(payload).toMatch(/^\[\{"index":0,"password":"\*\*\*"\},.*… \(cut, \d+ in all\)$/);
    expect(payload.length).toBeLessThan(240);
  });

  it('does not hide where the text was truncated', async () => {
    const answered = {
      token: 'geheim-4711-4711-4711',
      long: `${'x'.repeat(100)}geheim-4711-4711-4711${'y'.repeat(100)}`,
      behind: 'the cut',
    };
    const http = {
      send: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json', 'x-long': 'z'.repeat(9_000) },
        body: Buffer.from(JSON.stringify(answered)),
      }),
    };
    for (const maxSegmentLength of [140, 145, 150, 160, 240]) {
      const { payload, header } =
        ofKind(
          await runWith(
            workflow(httpStep('0', 'http://remote/')),
            { http },
            { limits: { maxSegmentLength } },
          ),
          'StepFinished',
        )[0].response ?? {};
      expect(payload).toMatch(/^\{"token":"\*\*\*","long":"x{100}\*\*\*y*… \(cut, 283 in all\)$/);
      expect(header?.['x-long']).toBe(`${'z'.repeat(8_000)}… (cut, 9000 in all)`);
    }
  });
});
