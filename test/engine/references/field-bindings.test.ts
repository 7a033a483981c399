import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MethodDoc, OutboundRequest, WorkflowSnapshot } from '../../../src/engine';
import { openPool, runIn } from '../support/pool';
import {
  answering,
  colorOf,
  httpStep,
  jsonBody,
  loopStep,
  ofKind,
  openScripts,
  reference,
  runWith,
  workflow,
} from '../support/run';
import type { Run } from '../support/run';

const scripts = openScripts();

interface End {
  readonly color: string;
  readonly type: string;
  readonly field: string;
}
const from = (field: string, index = '0', type = 'response'): End => ({
  color: colorOf(index),
  type,
  field,
});
const to = (field: string, type = 'request', index = '1'): End => ({
  color: colorOf(index),
  type,
  field,
});
const binding = (
  ends: { from: End[]; to: End[] },
  expertCode: string,
  more: object = {},
): object => ({ ...ends, enhancement: { language: 'js', expertCode, ...more } });

const ANSWER = {
  id: 7,
  name: 'ada',
  big: 'é',
  text: '{"a":[1]}',
  list: [{ n: 1 }, { n: 2 }],
  object: { deep: true },
  nothing: null,
  yes: true,
  password: 'pa55-w0rd-1',
};

interface Bound extends Run {
  readonly requests: OutboundRequest[];
}

async function bound(
  steps: MethodDoc | WorkflowSnapshot,
  bindings: readonly unknown[],
  options: Parameters<typeof runWith>[2] = {},
  answer: unknown = ANSWER,
): Promise<Bound> {
  const requests: OutboundRequest[] = [];
  const http = answering((request) => {
    requests.push(request);
    return answer;
  });
  using ofRun = scripts.open();
  const document =
    'fromConnector' in steps ? steps : workflow(httpStep('0', 'http://remote/'), steps);
  return {
    ...(await runWith(
      { ...document, fieldBinding: bindings },
      { http, scripts: ofRun },
      { stepTimeoutMs: 60_000, ...options },
    )),
    requests,
  };
}

const posted = (fields: unknown, more: object = {}): MethodDoc =>
  httpStep('1', 'http://remote/target', {
    request: { method: 'POST', body: jsonBody(fields), ...more },
  });
const bodyOf = ({ requests }: Bound): unknown => JSON.parse(String(requests.at(-1)?.body));

/** The value a script received. */
const readBound = async (field: string, answer: unknown = ANSWER): Promise<unknown> =>
  (
    bodyOf(
      await bound(
        posted({ x: 1 }),
        [binding({ from: [from(field)], to: [to('x')] }, 'RESULT_VAR = [typeof VAR_0, VAR_0];')],
        {},
        answer,
      ),
    ) as { x: unknown }
  ).x;

describe('the script of a field binding', () => {
  it.each<[string, unknown, unknown]>([
    [
      'a text',
      'order.__oc__attributes.id and order.__oc__value',
      ['string', 'order.@id and order'],
    ],
    [
      'a text that is JSON',
      '{"order.__oc__attributes.id":"__oc__attributes.id"}',
      ['object', { 'order.@id': '@id' }],
    ],
    ['a list', ['a.__oc__value', 'b.__oc__value.__oc__attributes.c'], ['object', ['a', 'b.@c']]],
    [
      'names and texts of an object',
      { 'a.__oc__value': { b: 'x.__oc__attributes.y' } },
      ['object', { a: { b: 'x.@y' } }],
    ],
    [
      'a text that only resembles marks',
      {
        __oc__attributes: { id: 1 },
        __oc__value: '_oc_attributes. oc__value',
        escaped: '\\u005f_oc__value "',
      },
      [
        'object',
        {
          __oc__attributes: { id: 1 },
          __oc__value: '_oc_attributes. oc__value',
          escaped: '\\u005f_oc__value "',
        },
      ],
    ],
  ])('receives XML marks in their short form: %s', async (_, value, expected) =>
    expect(await readBound('success.marked', { marked: value })).toEqual(expected),
  );

  it('runs before the request is built', async () => {
    const run = await bound(
      posted({ Ticket: { Title: `${colorOf('0')}.(response).success.name`, Other: 'kept' } }),
      [
        binding(
          { from: [from('success.name')], to: [to('Ticket.Title')] },
          'RESULT_VAR = VAR_0.toUpperCase();',
        ),
      ],
    );
    expect(run.error).toBeUndefined();
    expect(bodyOf(run)).toEqual({ Ticket: { Title: 'ADA', Other: 'kept' } });
  });

  it('works as in the documented examples', async () => {
    const shown =
      readFileSync(join(__dirname, '../../../docs/workflows.md'), 'utf8').match(
        /^```json\n(\{ "from": [\s\S]*?)^```$/m,
      )?.[1] ?? '';
    const example = JSON.parse(
      shown.replaceAll('#FFCFB5', colorOf('0')).replaceAll('#C77E7E', colorOf('1')),
    ) as object;
    const run = await bound(
      posted({ Ticket: { Title: null } }),
      [example],
      {},
      { title: ' A printer ', tags: ['draft', 'office', 'urgent'] },
    );
    expect(run.error).toBeUndefined();
    expect(bodyOf(run)).toEqual({ Ticket: { Title: 'A printer [office, urgent]' } });
  });

  it('receives its declared inputs, otherwise the ends of its references', async () => {
    const declared = `//var RESULT_VAR = ${colorOf('1')}.(request).x;\n//var VAR_0 = ${colorOf('0')}.(response).success.id;\nvar other = ${colorOf('0')}.(response).body.name`;
    const ends = { from: [from('success.name'), from('success.id')], to: [to('x')] };
    expect(
      bodyOf(
        await bound(posted({ x: 1 }), [
          binding(ends, 'RESULT_VAR = VAR_0 + other', { expertVar: declared }),
        ]),
      ),
    ).toEqual({ x: '7ada' });
    expect(
      bodyOf(
        await bound(posted({ x: 1 }), [
          binding(ends, 'RESULT_VAR = VAR_1 + VAR_0', { expertVar: ' ' }),
        ]),
      ),
    ).toEqual({ x: '7ada' });
    expect(
      bodyOf(
        await bound(posted({ x: 1 }), [
          binding({ from: [], to: [to('x')] }, 'RESULT_VAR = "made"'),
        ]),
      ),
    ).toEqual({ x: 'made' });
  });

  it('uses the simple script when there is no expert script, and JavaScript when no language is set', async () => {
    const ends = { from: [from('success.name')], to: [to('x')] };
    expect(
      bodyOf(
        await bound(posted({ x: 1 }), [
          binding(ends, ' ', { simpleCode: 'RESULT_VAR = VAR_0 + 1', language: null }),
        ]),
      ),
    ).toEqual({ x: 'ada1' });
    const pieces = {
      pointer: 3,
      code: [
        { name: 'target', value: 'RESULT_VAR = ', type: 'text' },
        { name: 'VAR_0', type: 'variable' },
        { name: 'call', value: '.toUpperCase() + ', type: 'method' },
        { value: 2, type: 'number' },
        null,
      ],
    };
    expect(
      bodyOf(await bound(posted({ x: 1 }), [binding(ends, ' ', { simpleCode: pieces })])),
    ).toEqual({ x: 'ADA2' });
    expect(
      bodyOf(
        await bound(posted({ x: `${colorOf('0')}.(response).success.name` }), [
          binding(ends, '', { simpleCode: { pointer: 0, code: [] } }),
        ]),
      ),
    ).toEqual({ x: 'ada' });
  });

  it.each([
    ['a text', 'success.name', ['string', 'ada']],
    ['a number as text', 'success.id', ['string', '7']],
    ['a boolean as text', 'success.yes', ['string', 'true']],
    ['nothing', 'success.nothing', ['object', null]],
    ['null for a missing field', 'success.missing', ['object', null]],
    ['an object', 'success.object', ['object', { deep: true }]],
    ['a list', 'success.list[*].n', ['object', [1, 2]]],
    ['JSON text as its value', 'success.text', ['object', { a: [1] }]],
    ['the status', 'status', ['string', '200']],
    ['a header', 'header.content-type', ['string', 'application/json']],
  ])('receives %s', async (_what, field, value) => {
    expect(await readBound(field)).toEqual(value);
  });

  it('receives integers beyond the double range as their digits', async () => {
    const http = {
      send: async (request: OutboundRequest) => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(
          request.method === 'POST'
            ? '{}'
            : '{"id":12345678901234567890,"in":{"id":12345678901234567890}}',
        ),
      }),
    };
    using ofRun = scripts.open();
    const seen: unknown[] = [];
    const snapshot = {
      ...workflow(httpStep('0', 'http://remote/'), posted({ x: 1 })),
      fieldBinding: [
        binding(
          { from: [from('success.id'), from('success.in')], to: [to('x')] },
          'RESULT_VAR = [VAR_0, VAR_1.id]',
        ),
      ],
    };
    await runWith(snapshot, {
      scripts: ofRun,
      http: {
        send: async (request) => {
          if (request.method === 'POST') seen.push(JSON.parse(String(request.body)));
          return http.send(request);
        },
      },
    });
    expect(seen).toEqual([{ x: ['12345678901234567890', '12345678901234567890'] }]);
  });

  it('has a result that is never evaluated again, wherever it is inserted', async () => {
    const hostile = `{%${colorOf('0')}.(response).success.password%}`;
    const code = `RESULT_VAR = ${JSON.stringify(`${hostile} \${name} #000000.(response).body`)}`;
    const step = httpStep('1', `http://remote/a/${reference('0', '(response).success.name')}`, {
      request: {
        method: 'POST',
        header: { 'X-Name': reference('0', '(response).success.name') },
        body: jsonBody({ x: 1 }),
      },
    });
    const run = await bound(step, [
      binding(
        { from: [from('success.name')], to: [to('x'), to('X-Name', 'header'), to('', 'path')] },
        code,
      ),
    ]);
    expect(run.error).toBeUndefined();
    const sent = `${hostile} \${name} #000000.(response).body`;
    expect(bodyOf(run)).toEqual({ x: sent });
    expect(run.requests[1].url).toBe(`http://remote/a/${encodeURIComponent(sent)}`);
    expect(run.requests[1].headers['X-Name']).toBe(sent);
  });

  it('runs once per loop iteration with the values of that iteration', async () => {
    const steps = workflow(
      httpStep('0', 'http://remote/'),
      loopStep('1', `For(${reference('0', '(response).success.list')})`, 'i'),
      { ...posted({ x: 1 }), index: '1_0', id: 'm1' },
    );
    const run = await bound(steps, [
      binding(
        { from: [from('success.list[i].n')], to: [to('x')] },
        'RESULT_VAR = Number(VAR_0) * 10',
      ),
    ]);
    expect(run.error).toBeUndefined();
    expect(run.requests.slice(1).map(({ body }) => JSON.parse(String(body)))).toEqual([
      { x: 10 },
      { x: 20 },
    ]);
  });
});

describe('the result of a script is written to', () => {
  const ends = (...targets: End[]) => ({ from: [from('success.name')], to: targets });
  const X = 'RESULT_VAR = "<" + VAR_0 + ">"';

  it.each<[string, unknown, string, unknown]>([
    ['a field', { a: { b: 1 }, c: 2 }, 'a.b', { a: { b: '<ada>' }, c: 2 }],
    ['an element', { a: [1, 2] }, 'a[1]', { a: [1, '<ada>'] }],
    [
      'a field of an element',
      { a: [{ b: 1 }, { b: 2 }] },
      'a[0].b',
      { a: [{ b: '<ada>' }, { b: 2 }] },
    ],
    [
      'a field of each element',
      { a: [{ b: 1 }, { b: 2 }, 3] },
      'a[i].b',
      { a: [{ b: '<ada>' }, { b: '<ada>' }, 3] },
    ],
    ['each element', { a: [1, 2] }, 'a[i]', { a: ['<ada>', '<ada>'] }],
    ['a whole list', { a: [1, 2] }, 'a[*]', { a: '<ada>' }],
    ['a whole list in the short form', { a: [1, 2] }, 'a[]', { a: '<ada>' }],
    ['a field of each element of a list body', [{ b: 1 }], '[*].b', [{ b: '<ada>' }]],
    ['a field by its literal name', { 'a.b': 1 }, "['a.b']", { 'a.b': '<ada>' }],
    [
      'a field called like a prototype',
      JSON.parse('{"__proto__":1}'),
      '__proto__',
      JSON.parse('{"__proto__":"<ada>"}'),
    ],
  ])('%s', async (_what, fields, field, body) => {
    const run = await bound(posted(fields), [binding(ends(to(field)), X)]);
    expect(run.error).toBeUndefined();
    expect(bodyOf(run)).toEqual(body);
  });

  it.each([
    ['the place of its reference', `http://remote/${'{0}'}/x?q=1`, 'http://remote/%3Cada%3E/x?q=1'],
    ['in the query', 'http://remote/x?q={0}&r={0}', 'http://remote/x?q=%3Cada%3E&r=ada'],
  ])('a part of the URL: %s', async (_what, url, called) => {
    const step = httpStep('1', url.replaceAll('{0}', reference('0', '(response).success.name')));
    expect((await bound(step, [binding(ends(to('', 'path')), X)])).requests.at(-1)?.url).toBe(
      called,
    );
  });

  it('a part of the URL with several references, together, apart or in one mark', async () => {
    const code = 'RESULT_VAR = VAR_0 + "-" + VAR_1';
    const both = { from: [from('success.id'), from('success.name')], to: [to('', 'path')] };
    const [id, name] = ['id', 'name'].map((field) => `${colorOf('0')}.(response).success.${field}`);
    for (const part of [
      `{%${id}%}{%${name}%}`,
      `{%${id}%};{%${name}%}`,
      `{%${name}%} and {%${id}%}`,
      `{%${id};${name}%}`,
    ]) {
      const run = await bound(httpStep('1', `http://remote/a/${part}/b`), [binding(both, code)]);
      expect(run.error).toBeUndefined();
      expect(run.requests.at(-1)?.url).toBe('http://remote/a/7-ada/b');
    }
    expect(
      (await bound(httpStep('1', `http://remote/{%${id}%}/{%${name}%}`), [binding(both, code)]))
        .error,
    ).toMatchObject({ code: 'BINDING_FIELD_UNKNOWN', index: '1' });
  });

  it('a header, found by its name or by its references', async () => {
    const header = {
      'X-A': reference('0', '(response).success.name'),
      'X-B': `Bearer ${reference('0', '(response).success.name')}!`,
      'X-C': 'c',
    };
    const sent = async (field: string): Promise<unknown> =>
      (await bound(posted({}, { header }), [binding(ends(to(field, 'header')), X)])).requests.at(-1)
        ?.headers;
    expect(await sent(header['X-A'])).toMatchObject({
      'X-A': '<ada>',
      'X-B': 'Bearer <ada>!',
      'X-C': 'c',
    });
    expect(await sent('x-c')).toMatchObject({ 'X-C': '<ada>' });
  });

  it('no header when it contains a line break', async () => {
    const run = await bound(
      posted({}, { header: { 'X-A': reference('0', '(response).success.name') } }),
      [binding(ends(to('X-A', 'header')), 'RESULT_VAR = "a\\r\\nX-B: b"')],
    );
    expect(run.error).toMatchObject({ code: 'REQUEST_HEADER_UNSAFE' });
  });

  it.each([
    ['the field is missing', to('missing.field'), 'BINDING_FIELD_UNKNOWN'],
    ['the header is missing', to('X-Missing', 'header'), 'BINDING_FIELD_UNKNOWN'],
    ['the part of the URL is missing', to('', 'path'), 'BINDING_FIELD_UNKNOWN'],
    ['its type is unknown', to('x', 'cookie'), 'BINDING_TYPE_UNKNOWN'],
  ])('no target when %s', async (_what, target, code) => {
    const run = await bound(posted({ x: 1 }), [binding(ends(target), X)]);
    expect(run.error).toMatchObject({ code, index: '1' });
    expect(run.requests).toHaveLength(1);
  });
});

describe('a binding that only copies', () => {
  it.each([
    'RESULT_VAR = VAR_0;',
    '// copies\nRESULT_VAR = VAR_0; /* that\n is all */',
    ' ',
    '// nothing',
  ])('adds nothing to the reference: %j', async (code) => {
    const run = await bound(posted({ x: `${colorOf('0')}.(response).success.id` }), [
      binding({ from: [from('success.id')], to: [to('x')] }, code),
    ]);
    expect(bodyOf(run)).toEqual({ x: 7 });
  });

  it('uses the first of several references, and is null without a binding', async () => {
    const x = `${colorOf('0')}.(response).success.id;${colorOf('0')}.(response).success.name`;
    const both = { from: [from('success.id'), from('success.name')], to: [to('x')] };
    expect(bodyOf(await bound(posted({ x }), [binding(both, 'RESULT_VAR = VAR_0;')]))).toEqual({
      x: 7,
    });
    expect(
      bodyOf(await bound(posted({ x }), [binding(both, 'RESULT_VAR = VAR_1 + VAR_0;')])),
    ).toEqual({ x: 'ada7' });
    expect((await bound(posted({ x }), [])).error).toMatchObject({ code: 'BINDING_NOT_FOUND' });
  });

  it('uses the first of several references within one field of a header or the URL', async () => {
    const [id, name] = ['id', 'name'].map((field) => `${colorOf('0')}.(response).success.${field}`);
    const both = {
      from: [from('success.id'), from('success.name')],
      to: [to('X-A', 'header'), to('', 'path')],
    };
    const sent = async (field: string, bindings: object[]): Promise<unknown> => {
      const { requests } = await bound(
        httpStep('1', `http://remote/a/${field}/b`, {
          request: { header: { 'X-A': `<${field}>` } },
        }),
        bindings,
      );
      return [requests.at(-1)?.url, requests.at(-1)?.headers['X-A']];
    };
    const copy = binding(both, 'RESULT_VAR = VAR_0;');
    expect(await sent(`{%${id};${name}%}`, [copy])).toEqual(['http://remote/a/7/b', '<7>']);
    expect(await sent(`{%${id}%}-{%${name}%}`, [copy])).toEqual([
      'http://remote/a/7-ada/b',
      '<7-ada>',
    ]);
    expect(
      await sent(`{%${id};${name}%}`, [
        binding(both, 'RESULT_VAR = VAR_0;', {
          expertVar: `//var VAR_1 = ${id};\n//var VAR_0 = ${name};`,
        }),
      ]),
    ).toEqual(['http://remote/a/ada/b', '<ada>']);
  });

  it.each(['python', ' Ruby '])('contains no JavaScript comments in %s', async (language) => {
    const run = await bound(posted({ x: `${colorOf('0')}.(response).success.id` }), [
      binding({ from: [from('success.id')], to: [to('x')] }, 'RESULT_VAR = VAR_0 // 2', {
        language,
      }),
    ]);
    expect(run.error).toMatchObject({ code: 'SCRIPT_ENGINE_OFF', index: '1' });
  });
});

describe('a script without a value ends its step', () => {
  const failing = (code: string, more: object = {}, options = {}): Promise<Bound> =>
    bound(
      posted({ x: 1 }),
      [binding({ from: [from('success.password')], to: [to('x')] }, code, more)],
      options,
    );

  it.each([
    ['it throws', 'null.x', {}, 'SCRIPT_ERROR', /^Step "step 1" \(1\): Line 1: TypeError: /],
    ['it sets no result', 'var a = 1', {}, 'SCRIPT_RESULT_INVALID', /RESULT_VAR/],
    [
      'its language is unknown',
      'RESULT_VAR = 1',
      { language: 'perl' },
      'SCRIPT_LANGUAGE_UNKNOWN',
      /"perl"/,
    ],
    [
      'its language needs an engine',
      'RESULT_VAR = 1',
      { language: 'Python' },
      'SCRIPT_ENGINE_OFF',
      /python .*Set hypha\.polyglot\.enabled/,
    ],
  ])('when %s', async (_what, code, more, errorCode, message) => {
    const run = await failing(code, more);
    expect(run.error).toEqual({
      step: 'm1',
      name: 'step 1',
      index: '1',
      loopIndex: [],
      attempt: 1,
      code: errorCode,
      message: expect.stringMatching(message),
    });
    expect(ofKind(run, 'StepFinished').at(-1)).toMatchObject({
      state: 'FAILED',
      statusCode: null,
      error: { code: errorCode },
    });
    expect(run.requests).toHaveLength(1);
  });

  it.each([[true], [false]])(
    'and its message contains no secret (recorded: %s)',
    async (recordSegments) => {
      for (const code of [
        'throw new Error("it is " + VAR_0)',
        'throw VAR_0',
        'throw new Error("x".repeat(480) + VAR_0)',
        'throw {message: encodeURIComponent(JSON.stringify([VAR_0]))}',
      ]) {
        const run = await failing(code, {}, { recordSegments });
        expect(run.error).toMatchObject({
          code: 'SCRIPT_ERROR',
          message: expect.stringContaining('***'),
        });
        expect(JSON.stringify([run.error, run.events, String(run.cause)])).not.toMatch(/pa55|w0rd/);
      }
    },
  );

  it('also for an answer that follows a failed attempt', async () => {
    let calls = 0;
    using ofRun = scripts.open();
    const http = {
      send: async () => {
        calls += 1;
        return {
          status: calls === 1 ? 503 : 200,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(calls === 1 ? '' : JSON.stringify(ANSWER)),
        };
      },
    };
    const steps = workflow(httpStep('0', 'http://remote/'), posted({ x: 1 }));
    const document = {
      ...steps,
      fieldBinding: [binding({ from: [from('success.password')], to: [to('x')] }, 'throw VAR_0')],
    };
    const run = await runWith(
      document,
      { http, scripts: ofRun },
      { recordSegments: false, stepTimeoutMs: 60_000, retrying: { retries: 1, backoffMs: 1 } },
    );
    expect(ofKind(run, 'StepStarted').map(({ index, attempt }) => [index, attempt])).toEqual([
      ['0', 1],
      ['0', 2],
      ['1', 1],
    ]);
    expect(run.error).toMatchObject({ code: 'SCRIPT_ERROR', message: 'Step "step 1" (1): ***' });
  });

  it('and an invalid reference is reported before the first call', async () => {
    const run = await failing('RESULT_VAR = VAR_0 + 1', {
      expertVar: `//var VAR_0 = ${colorOf('0')}.(answer).x`,
    });
    expect(run.error).toMatchObject({
      code: 'REFERENCE_SYNTAX',
      message: expect.stringContaining('fieldBinding.0'),
    });
    expect(run.requests).toEqual([]);
  });
});

describe('in a run process', () => {
  const pool = openPool();
  afterAll(() => pool.close());
  const document = (code: string): WorkflowSnapshot => ({
    ...workflow(httpStep('1', 'nowhere:', { request: { header: { 'X-A': 'a' } } })),
    fieldBinding: [binding({ from: [], to: [to('X-A', 'header')] }, code)],
  });

  it('a run is cancelled inside an endless script', async () => {
    const stop = new AbortController();
    const { outcome } = await runIn(pool, document('for (;;);'), {
      signal: stop.signal,
      store: async (rows) => {
        if (rows.some(({ kind }) => kind === 'StepStarted')) stop.abort();
      },
    });
    expect(outcome).toMatchObject({ state: 'CANCELLED', steps: 1 });
  });

  it('a script that exceeds its memory limit ends alone, and the next run uses the same process', async () => {
    expect(
      (await runIn(pool, document('let b = []; for (;;) b.push(new Uint8Array(1e6))'))).outcome,
    ).toMatchObject({ state: 'FAILED', error: { code: 'SCRIPT_OUT_OF_MEMORY' } });
    expect(
      (await runIn(pool, document('leak = 1; RESULT_VAR = typeof leak'))).outcome,
    ).toMatchObject({ state: 'FAILED', error: { code: 'OUTBOUND_BAD_URL' } });
    expect((await runIn(pool, document('throw typeof leak'))).outcome).toMatchObject({
      error: { code: 'SCRIPT_ERROR', message: 'Step "step 1" (1): undefined' },
    });
  });
});
