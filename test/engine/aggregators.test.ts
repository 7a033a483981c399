import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  MethodDoc,
  OutboundRequest,
  OutboundResponse,
  Ports,
  RunAggregators,
  RunConnector,
} from '../../src/engine';
import {
  httpStep,
  ifStep,
  jsonBody,
  loopStep,
  ofKind,
  openScripts,
  reference,
  runWith,
  workflow,
} from './support/run';
import type { Run } from './support/run';
import { openPool, runIn } from './support/pool';
import { answerJson, startRemote } from './support/remote';
import { longIt } from '../support/long';

const scripts = openScripts();

const aggregators = (script: string, ...names: string[]): RunAggregators =>
  new Map([
    [7, { name: 'Tickets', script, args: names.map((name, at) => ({ id: 70 + at, name })) }],
  ]);
const step = (index: string, more: Parameters<typeof httpStep>[2] = {}): MethodDoc =>
  httpStep(index, `http://remote/${index}`, { dataAggregator: '7', ...more });

type Answer = Partial<Omit<OutboundResponse, 'body'>> & { readonly body?: string | Buffer };
const answeredWith = (answer: (request: OutboundRequest, nth: number) => Answer): Ports['http'] => {
  let nth = -1;
  return {
    send: async (request) => {
      const { body = '', ...rest } = answer(request, (nth += 1));
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        ...rest,
        body: Buffer.from(body),
      };
    },
  };
};

async function run(
  document: ReturnType<typeof workflow>,
  aggregatorsById: RunAggregators,
  {
    answer = () => ({ body: '{"id":7}' }),
    ...more
  }: { answer?: (request: OutboundRequest, nth: number) => Answer } & Partial<Ports> = {},
  options: Parameters<typeof runWith>[2] = {},
): Promise<Run> {
  using ofRun = scripts.open();
  return await runWith(
    document,
    { http: answeredWith(answer), scripts: ofRun, aggregators: aggregatorsById, ...more },
    { stepTimeoutMs: 60_000, recordSegments: false, ...options },
  );
}
const left = ({ values }: Run): Record<string, unknown> =>
  Object.fromEntries(values.map(({ name, value }) => [name, JSON.parse(value)]));
const logged = (of: Run): string[] =>
  ofKind(of, 'RunLog').map(({ message, level, index }) => `${level} ${index} ${message}`);

describe('an aggregator', () => {
  it('receives the requests and answers of its method in call order', async () => {
    const document = workflow(
      loopStep('0', 'For([1, 2, 3])', 'i'),
      step('0_0', {
        request: { method: 'POST', header: { 'X-Turn': '{%i%}' }, body: jsonBody({ turn: 'i' }) },
      }),
    );
    const answer = (_: OutboundRequest, nth: number): Answer => ({
      status: nth === 0 ? 201 : 200,
      headers: { 'content-type': 'text/plain', 'x-list': ['a', 'b'] },
      body: `number ${nth}`,
    });
    const ran = await run(
      document,
      aggregators(
        'var requests = Requests; responses = Responses; let count = Responses.length',
        'requests',
        'responses',
        'count',
        'never',
      ),
      { answer },
    );
    expect(ran.state).toBe('SUCCEEDED');
    expect(left(ran)).toEqual({
      requests: [0, 1, 2].map(() => ({
        status: null,
        header: expect.objectContaining({ 'content-type': 'application/json' }),
        body: '{"turn":"i"}',
      })),
      responses: [0, 1, 2].map((nth) => ({
        status: nth === 0 ? 201 : 200,
        header: { 'content-type': 'text/plain', 'x-list': 'a' },
        body: `number ${nth}`,
      })),
      count: 3,
    });
    expect(
      ran.values.map(({ aggregatorId, argumentId, stepId, index }) => [
        aggregatorId,
        argumentId,
        stepId,
        index,
      ]),
    ).toEqual([70, 71, 72].map((id) => [7, id, 'm0_0', '0_0']));
    expect(logged(ran)).toEqual([]);
  });

  it('works as in the documented example', async () => {
    const shown =
      readFileSync(join(__dirname, '../../docs/workflows.md'), 'utf8').match(
        /^POST \/api\/aggregator\n(\{[\s\S]*?\})\n\n/m,
      )?.[1] ?? '';
    const { script, args } = JSON.parse(shown) as { script: string; args: { name: string }[] };
    const document = workflow(loopStep('0', 'For([1, 2])', 'i'), step('0_0'));
    expect(
      left(
        await run(document, aggregators(script, ...args.map(({ name }) => name)), {
          answer: () => ({ body: '[7, 8, 9]' }),
        }),
      ),
    ).toEqual({ tickets: 6 });
  });

  longIt('receives answer bodies as the original text', async () => {
    const text = '{ "id": 12345678901234567890, "a":  [1] }';
    expect(
      left(
        await run(workflow(step('0')), aggregators('body = Responses[0].body', 'body'), {
          answer: () => ({ body: text }),
        }),
      ),
    ).toEqual({ body: text });
    const latin = {
      headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
      body: Buffer.from([0xe9]),
    };
    expect(
      left(
        await run(workflow(step('0')), aggregators('body = Responses[0].body', 'body'), {
          answer: () => latin,
        }),
      ),
    ).toEqual({ body: 'é' });
    expect(
      left(
        await run(
          workflow(step('0')),
          aggregators('a = Responses[0].body; b = Requests[0].body', 'a', 'b'),
          { answer: () => ({}) },
        ),
      ),
    ).toEqual({ a: '', b: '' });
  });

  it('receives an XML request as the text that was sent, with its secrets masked', async () => {
    const fields = {
      order: {
        '@id': '7',
        note: 'a < b',
        password: 'abc',
        token: { token: 'no1', part: 'no2' },
        secret: '',
        item: ['x', 'y'],
      },
    };
    const document = workflow(
      step('0', {
        request: {
          method: 'POST',
          header: { 'Content-Type': 'application/xml' },
          body: { type: 'object', format: 'xml', data: 'raw', fields },
        },
      }),
    );
    let sent = '';
    const ran = await run(
      document,
      aggregators('body = Requests[0].body', 'body'),
      {
        answer: ({ body }) => {
          sent = String(body);
          return { body: '{}' };
        },
      },
      { recordSegments: true },
    );
    const shown = sent
      .replace('>abc<', '>***<')
      .replace(/<token>[^]*<\/token>/, '<token>***</token>');
    expect(shown).toContain(
      '<order id="7">\n  <note>a &lt; b</note>\n  <password>***</password>\n  <token>***</token>\n  <secret/>\n  <item>x</item>',
    );
    expect(left(ran)).toEqual({ body: shown });
    expect(ofKind(ran, 'StepFinished')[0].request?.payload).toBe(shown);
  });

  it('runs once for each called method, in walking order, and for no other method', async () => {
    const document = workflow(
      step('2'),
      step('0'),
      ifStep('1', '1 = 2'),
      step('1_0'),
      httpStep('3', 'http://remote/', { dataAggregator: '0' }),
      httpStep('4', 'http://remote/'),
    );
    const ran = await run(document, aggregators('n = Responses.length', 'n'));
    expect(ran.values.map(({ index, value }) => [index, value])).toEqual([
      ['0', '1'],
      ['2', '1'],
    ]);
  });

  it('receives the attempt that counted, and error answers that the workflow handles', async () => {
    const document = workflow(
      step('0'),
      ifStep('1', `${reference('0', '(response).status')} = 503`),
    );
    const ran = await run(
      document,
      aggregators('states = Responses.map(function (one) { return one.status; })', 'states'),
      { answer: () => ({ status: 503, body: '{}' }) },
      { retrying: { retries: 2, backoffMs: 1 } },
    );
    expect([ran.state, left(ran)]).toEqual(['SUCCEEDED', { states: [503] }]);
  });

  it('does not run in a failed or cancelled run', async () => {
    const failing = workflow(step('0'), httpStep('1', 'http://remote/fails'));
    const failed = await run(failing, aggregators('n = 1', 'n'), {
      answer: ({ url }) => ({ status: url.endsWith('fails') ? 500 : 200, body: '{}' }),
    });
    expect([failed.state, failed.values]).toEqual(['FAILED', []]);
    const cancel = new AbortController();
    const cancelled = await run(
      workflow(step('0'), httpStep('1', 'http://remote/')),
      aggregators('n = 1', 'n'),
      {
        answer: (_, nth) => {
          if (nth === 1) cancel.abort();
          return { body: '{}' };
        },
      },
      { signal: cancel.signal },
    );
    expect([cancelled.state, cancelled.values]).toEqual(['CANCELLED', []]);
  });

  it('stores JSON values but no null', async () => {
    const script =
      'a = null; b = undefined; c = function () {}; d = NaN; e = [1, {x: "y"}]; f = ""; g = false; h = 0; var i = new Date(0)';
    expect(left(await run(workflow(step('0')), aggregators(script, ...'abcdefghi')))).toEqual({
      e: [1, { x: 'y' }],
      f: '',
      g: false,
      h: 0,
      i: '1970-01-01T00:00:00.000Z',
    });
  });

  longIt('logs its own failure, and the run still succeeds', async () => {
    const document = workflow(step('0'), step('1'));
    for (const [script, message] of [
      ['null.x', "SCRIPT_ERROR: Line 1: TypeError: cannot read property 'x' of null"],
      ['a = {}; a.a = a', 'SCRIPT_RESULT_INVALID: RESULT_VAR is no JSON: '],
      ['(', 'SCRIPT_ERROR: '],
      ['a = "x".repeat(5000)', 'AGGREGATOR_VALUE_TOO_LARGE: a is longer than is kept.'],
    ] as const) {
      const ran = await run(document, aggregators(script, 'a'));
      expect([ran.state, ran.values]).toEqual(['SUCCEEDED', []]);
      expect(logged(ran)).toEqual(
        ['0', '1'].map((index) =>
          expect.stringContaining(`WARN ${index} The aggregator "Tickets": ${message}`),
        ),
      );
      expect(ran.events.at(-1)?.kind).toBe('RunFinished');
    }
    const withoutAggregator = await run(document, new Map());
    expect([withoutAggregator.state, logged(withoutAggregator)]).toEqual([
      'SUCCEEDED',
      ['0', '1'].map(
        (index) =>
          `WARN ${index} The aggregator 7: AGGREGATOR_NOT_FOUND: there is none by this id.`,
      ),
    ]);
    const archived = await run(document, new Map([[7, null]]));
    expect([archived.state, archived.values, logged(archived)]).toEqual(['SUCCEEDED', [], []]);
  });

  it('receives at most the size limit of a run, and the next aggregator the rest', async () => {
    const document = workflow(
      loopStep('0', 'For([1, 2, 3, 4])', 'i'),
      step('0_0'),
      httpStep('1', 'http://remote/', { dataAggregator: '8' }),
    );
    const aggregatorsById: RunAggregators = new Map([
      ...aggregators('n = 1', 'n'),
      [8, { name: 'Other', script: 'm = Responses[0].body.length', args: [{ id: 80, name: 'm' }] }],
    ]);
    const ran = await run(
      document,
      aggregatorsById,
      { answer: () => ({ body: JSON.stringify('x'.repeat(1_000)) }) },
      { limits: { maxAggregatedBytes: 8_000 } },
    );
    expect(logged(ran)).toEqual([
      'WARN 0_0 The aggregator "Tickets": AGGREGATOR_TOO_LARGE: what its calls sent and were answered is larger than 8000 bytes.',
    ]);
    expect(left(ran)).toEqual({ m: 1_002 });
  });

  it('stops recording at the size limit of a run', async () => {
    const steps = Array.from({ length: 12 }, (_, index) => step(String(index)));
    const ran = await run(workflow(...steps), aggregators('a = "x".repeat(4000)', 'a'));
    expect(ran.values).toHaveLength(8);
    expect(logged(ran)).toHaveLength(4);
  });

  it('stops when its run is cancelled during its evaluation', async () => {
    const cancel = new AbortController();
    using ofRun = scripts.open();
    const evaluate: Ports['scripts']['evaluate'] = (script, signal) => {
      const evaluated = ofRun.evaluate(script, signal);
      setImmediate(() => cancel.abort());
      return evaluated;
    };
    const ran = await run(
      workflow(step('0')),
      aggregators('for (;;);', 'a'),
      { scripts: { evaluate } },
      { signal: cancel.signal },
    );
    expect([ran.state, ran.values]).toEqual(['CANCELLED', []]);
  });
});

describe('a secret that an aggregator could read', () => {
  const PASSWORD = 'pa55-w0rd-of-ada';
  const document = workflow(
    step('0', {
      request: {
        method: 'POST',
        header: { Authorization: `Bearer ${PASSWORD}`, 'X-Plain': 'seen' },
        body: jsonBody({ user: 'ada', password: PASSWORD }),
      },
    }),
  );

  it('is masked in requests before a script receives them', async () => {
    const ran = await run(
      document,
      aggregators(
        'header = Requests[0].header; letters = Requests[0].body.split("").reverse().join("")',
        'header',
        'letters',
      ),
    );
    expect(left(ran)).toEqual({
      header: expect.objectContaining({ authorization: '***', 'x-plain': 'seen' }),
      letters: JSON.stringify({ user: 'ada', password: '***' }).split('').reverse().join(''),
    });
  });

  it('is masked when it is a named secret', async () => {
    const named = new Map([
      ['key', { name: 'key', value: 'named-s3cret', origins: ['http://remote'] }],
    ]);
    const calls = workflow(
      step('0', {
        request: {
          endpoint: 'http://remote/',
          method: 'POST',
          body: jsonBody({ note: '{%secret.key%}' }),
        },
      }),
    );
    const ran = await run(
      calls,
      aggregators('letters = Requests[0].body.split("").reverse().join("")', 'letters'),
      { secrets: named },
    );
    expect(left(ran)).toEqual({ letters: '{"note":"***"}'.split('').reverse().join('') });
    expect(ran.error).toBeUndefined();
  });

  it('is masked in the result and in the error of the script when it came with an answer', async () => {
    const answer = (): Answer => ({ body: JSON.stringify({ access_token: 'tok-1234567', id: 7 }) });
    const script =
      'var answer = JSON.parse(Responses[0].body); id = answer.id; said = "it is " + answer.access_token; token = 5; all = answer';
    expect(
      left(
        await run(workflow(step('0')), aggregators(script, 'id', 'said', 'token', 'all'), {
          answer,
        }),
      ),
    ).toEqual({ id: 7, said: 'it is ***', token: '***', all: { access_token: '***', id: 7 } });
    const [message] = logged(
      await run(
        workflow(step('0')),
        aggregators('throw new Error("no " + Responses[0].body)', 'a'),
        { answer },
      ),
    );
    expect(message).toContain('SCRIPT_ERROR: Line 1: Error: no ');
    expect(message).not.toContain('tok-1234567');
  });
});

it('an aggregator receives the complete paged answer', async () => {
  const connector: RunConnector = {
    id: 3,
    title: 'Remote',
    verifyTls: true,
    timeoutMs: 0,
    values: {},
    invokerName: 'Pages',
    origins: ['http://remote'],
    fieldOrigins: {},
    suspended: [],
    invoker: {
      name: 'Pages',
      requiredData: [],
      pagination: [],
      operations: [
        {
          name: 'List',
          type: 'page',
          request: {
            endpoint: 'http://remote/list?offset=@{offset}',
            method: 'GET',
            header: [],
            body: null,
          },
          success: { status: '200', body: null },
          fail: null,
          pagination: [
            { name: 'limit', action: null, ref: null, value: '2' },
            { name: 'result', action: 'collect', ref: 'response.body.$.items', value: '' },
            { name: 'offset', action: 'increment', ref: null, value: '0' },
            { name: 'size', action: 'read', ref: 'response.body.$.total', value: '' },
          ],
        },
      ],
    },
  };
  const method: MethodDoc = {
    id: 'm',
    index: '0',
    name: 'List',
    color: '#000001',
    methodType: 'CONNECTOR',
    connector: { connectorId: '3' },
    dataAggregator: '7',
  };
  const answer = ({ url }: OutboundRequest): Answer => ({
    body: JSON.stringify({ total: 3, items: url.endsWith('0') ? [1, 2] : [3] }),
  });
  const ran = await run(
    workflow({ ...method, request: {} }),
    aggregators('n = Responses.length; items = JSON.parse(Responses[0].body).items', 'n', 'items'),
    { answer, connectors: new Map([[3, connector]]) },
  );
  expect([ran.error, left(ran)]).toEqual([undefined, { n: 1, items: [1, 2, 3] }]);
});

longIt('an aggregator runs in the process of its run', async () => {
  const engine = openPool();
  const remote = await startRemote((_, response) => answerJson(response, [1, 2, 3]));
  try {
    const document = workflow(
      loopStep('0', 'For([1, 2])', 'i'),
      httpStep('0_0', remote.url, { dataAggregator: '7' }),
    );
    const { outcome } = await runIn(engine, document, {
      aggregators: aggregators(
        'n = 0; Responses.forEach(function (one) { n += JSON.parse(one.body).length; })',
        'n',
      ),
    });
    expect(outcome).toMatchObject({
      state: 'SUCCEEDED',
      values: [
        { aggregatorId: 7, argumentId: 70, name: 'n', stepId: 'm0_0', index: '0_0', value: '6' },
      ],
    });
  } finally {
    await Promise.all([engine.close(), remote.close()]);
  }
});
