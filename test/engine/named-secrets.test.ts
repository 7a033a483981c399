import { inspect } from 'node:util';
import fc from 'fast-check';
import { validateWorkflowSteps } from '../../src/engine';
import type {
  MethodDoc,
  NamedSecret,
  RequestDoc,
  RunOptions,
  WorkflowSnapshot,
} from '../../src/engine';
import {
  colorOf,
  httpStep,
  ifStep,
  jsonBody,
  loopStep,
  ofKind,
  openOutbound,
  reference,
  runWith,
  workflow,
} from './support/run';
import type { Run } from './support/run';
import { answerJson, startRemote } from './support/remote';
import { openForTests } from '../support/open-for-tests';
import { rounds } from '../support/rounds';

const MARK = '{%secret.Key%}';
/** Characters with a meaning in a URL, a form, JSON, XML or a pattern. */
const ODD = `p&a=1;"q'\\<x>/?#%41+ ]]>{%secret.other%}\${x}é€😀..`;

/** The answer of `allowedRemote`. */
let answer: (url: string) => { status?: number; location?: string; body?: unknown };

const outbound = openOutbound();
const allowedRemote = openForTests(() =>
  startRemote(({ url, headers, body }, response) => {
    const {
      status = 200,
      location,
      body: answerBody = { said: { url, headers, body } },
    } = answer(url);
    if (location === undefined) return answerJson(response, answerBody, status);
    response.writeHead(status, { location });
    response.end();
  }),
);
const otherRemote = openForTests(() =>
  startRemote((_request, response) => answerJson(response, { leaked: true })),
);
beforeEach(() => {
  answer = () => ({});
  allowedRemote.received.length = 0;
  otherRemote.received.length = 0;
});
afterAll(() => outbound.close());

const secretOf = (
  value: string,
  origins: readonly string[] = [allowedRemote.url],
  name = 'key',
): NamedSecret => ({ name, value, origins });
const runAs = (
  snapshot: WorkflowSnapshot,
  secrets: readonly NamedSecret[],
  options: Partial<RunOptions> = {},
): Promise<Run> =>
  runWith(
    snapshot,
    {
      http: outbound,
      secrets: new Map(secrets.map((secret) => [secret.name.toLowerCase(), secret])),
    },
    options,
  );
const step = (path: string, request: Partial<RequestDoc> = {}): MethodDoc =>
  httpStep('0', `${allowedRemote.url}${path}`, {
    request: { endpoint: `${allowedRemote.url}${path}`, method: 'POST', ...request },
  });
/** A run of one step with this request. */
const sendTo = (
  endpoint: string,
  request: Partial<RequestDoc> = {},
  secrets = [secretOf('the-secret-value')],
): Promise<Run> => runAs(workflow(httpStep('0', endpoint, { request })), secrets);
const send = async (value: string, path: string, request: Partial<RequestDoc> = {}): Promise<Run> =>
  runAs(workflow(step(path, request)), [secretOf(value)]);

/** A secret in every encoding in which it could be read. */
const spellings = (value: string): string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  new URLSearchParams({ a: value }).toString().slice(2),
  value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
  Buffer.from(value).toString('base64'),
];
const expectHidden = (run: Run, value: string): void => {
  const written = JSON.stringify({
    events: run.events,
    error: run.error,
    cause: String(run.cause),
  });
  for (const spelled of spellings(value)) {
    expect(written).not.toContain(spelled);
    expect(written).not.toContain(JSON.stringify(spelled).slice(1, -1));
  }
};

describe('a named secret is sent', () => {
  const arrivedBody = (): string => allowedRemote.received[0].body;
  const arrivedJson = (): any => JSON.parse(arrivedBody());
  const values = ['plain-value-1', ODD];
  const places: readonly [
    string,
    (value: string) => Promise<Run>,
    () => string | undefined | null,
  ][] = [
    [
      'in the path',
      (value) => send(value, `/a/${MARK}/b`),
      () =>
        decodeURIComponent(/^\/a\/([^/?#]*)\/b$/.exec(allowedRemote.received[0].url)?.[1] ?? ''),
    ],
    [
      'in the query',
      (value) => send(value, `/?key=${MARK}&b=2`),
      () => new URL(allowedRemote.received[0].url, allowedRemote.url).searchParams.get('key'),
    ],
    [
      'as user of the URL',
      (value) =>
        runAs(workflow(httpStep('0', allowedRemote.url.replace('//', `//u:${MARK}@`))), [
          secretOf(value),
        ]),
      () =>
        Buffer.from(allowedRemote.received[0].headers.authorization?.slice(6) ?? '', 'base64')
          .toString()
          .slice(2),
    ],
    [
      'in a header',
      (value) => send(value, '/', { header: { 'X-Key': `Bearer ${MARK}` } }),
      () =>
        Buffer.from(String(allowedRemote.received[0].headers['x-key']), 'latin1')
          .toString()
          .slice(7),
    ],
    [
      'in a JSON body',
      (value) => send(value, '/', { body: jsonBody({ deep: [{ key: MARK }] }) }),
      () => arrivedJson().deep[0].key,
    ],
    [
      'within a text of a JSON body',
      (value) => send(value, '/', { body: jsonBody({ key: `a ${MARK} b` }) }),
      () => arrivedJson().key.slice(2, -2),
    ],
    [
      'in a JSON body in text form',
      (value) => send(value, '/', { body: jsonBody(`{"id": 1, "key": ${MARK}, "more": "x"}`) }),
      () => arrivedJson().key,
    ],
    [
      'in a string of a JSON body in text form',
      (value) => send(value, '/', { body: jsonBody(`{"key": "a ${MARK} b"}`) }),
      () => arrivedJson().key.slice(2, -2),
    ],
    [
      'as a whole JSON body',
      (value) =>
        send(value, '/', { body: { type: 'string', format: 'json', data: 'raw', fields: MARK } }),
      () => arrivedJson(),
    ],
    [
      'in a form',
      (value) =>
        send(value, '/', {
          body: { format: 'x-www-form-urlencoded', fields: { a: 1, key: MARK, list: [MARK, 'x'] } },
        }),
      () => new URLSearchParams(arrivedBody()).get('key'),
    ],
    [
      'in a form in text form',
      (value) =>
        send(value, '/', {
          body: { format: 'x-www-form-urlencoded', fields: `a=1&key=${MARK}&b=2` },
        }),
      () => new URLSearchParams(arrivedBody()).get('key'),
    ],
    [
      'as a whole form',
      (value) => send(value, '/', { body: { format: 'x-www-form-urlencoded', fields: MARK } }),
      () => [...new URLSearchParams(arrivedBody()).keys()].join('|'),
    ],
    [
      'in a plain text',
      (value) => send(value, '/', { body: { format: 'text', fields: `a ${MARK} b` } }),
      () => arrivedBody().slice(2, -2),
    ],
    [
      'in XML',
      (value) => send(value, '/', { body: { format: 'xml', fields: `<a b="${MARK}">x</a>` } }),
      () =>
        /^<a b="([^"<>&]|&(?:amp|lt|gt|quot|apos);)*">x<\/a>$/.test(arrivedBody())
          ? arrivedBody()
              .slice(6, -7)
              .replace(
                /&(amp|lt|gt|quot|apos);/g,
                (_all, name: string) =>
                  ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '',
              )
          : null,
    ],
    [
      'in a GraphQL variable',
      (value) =>
        send(value, '/', {
          body: {
            format: 'json',
            data: 'graphql',
            fields: { query: 'query($k: String!) { a(k: $k) }', variables: { k: MARK } },
          },
        }),
      () => arrivedJson().variables.k,
    ],
  ];

  it.each(
    places.flatMap(([place, sent, arrived]) =>
      values.map((value) => [place, value, sent, arrived] as const),
    ),
  )(
    '%s, for any value (%j), and is masked in all output of the run',
    async (_place, value, sent, arrived) => {
      const run = await sent(value);
      expect(run.error).toBeUndefined();
      expect(allowedRemote.received).toHaveLength(1);
      expect(arrived()).toBe(value);
      // The remote system echoes everything it received.
      expect(ofKind(run, 'StepFinished')[0].response?.payload).toContain('***');
      expectHidden(run, value);
    },
  );

  it('escaped so that the receiver reads any value unchanged', async () => {
    const value = fc
      .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
      .filter((text) => text.isWellFormed() && !/[\r\n\0]/.test(text) && text.trim() === text);
    await fc.assert(
      fc.asyncProperty(value, async (text) => {
        allowedRemote.received.length = 0;
        const run = await send(text, `/?key=${MARK}&b=2`, {
          header: { 'X-Key': `k ${MARK}` },
          body: { format: 'x-www-form-urlencoded', fields: `a=1&key=${MARK}&b=2` },
        });
        expect(run.error).toBeUndefined();
        expect(
          new URL(allowedRemote.received[0].url, allowedRemote.url).searchParams.get('key'),
        ).toBe(text);
        expect(new URLSearchParams(allowedRemote.received[0].body).get('key')).toBe(text);
        const header = String(allowedRemote.received[0].headers['x-key']).slice(2);
        expect([header, Buffer.from(header, 'latin1').toString()]).toContain(text);
      }),
      { numRuns: rounds(60) },
    );
  });

  it('for a name in any case, with blanks in the mark, and with several marks in one request', async () => {
    const run = await runAs(
      workflow(
        step('/?a={% secret.KEY %}', { header: { A: '{%SECRET.key%}', B: '{%secret.other%}' } }),
      ),
      [secretOf('first-one'), secretOf('second-one', [allowedRemote.url], 'Other')],
    );
    expect(run.error).toBeUndefined();
    expect(allowedRemote.received[0]).toMatchObject({
      url: '/?a=first-one',
      headers: { a: 'first-one', b: 'second-one' },
    });
  });

  it('in a URL whose base is a value', async () => {
    answer = (url) => ({ body: url === '/base' ? { base: allowedRemote.url } : {} });
    const run = await runAs(
      workflow(
        httpStep('0', `${allowedRemote.url}/base`),
        httpStep('1', `${reference('0', '(response).body.base')}/x/${MARK}`),
      ),
      [secretOf('from-a-base')],
    );
    expect(run.error).toBeUndefined();
    expect(allowedRemote.received.map(({ url }) => url)).toEqual(['/base', '/x/from-a-base']);
  });

  it('without evaluating marks in its value', async () => {
    await runAs(workflow(step('/', { header: { A: MARK } })), [
      secretOf('{%secret.other%}'),
      secretOf('never-sent', [allowedRemote.url], 'other'),
    ]);
    expect(allowedRemote.received[0].headers.a).toBe('{%secret.other%}');
  });
});

describe('a named secret ends the step before the request', () => {
  const expectNothing = (run: Run, code: string): void => {
    expect(run.error?.code).toBe(code);
    expect([...allowedRemote.received, ...otherRemote.received]).toEqual([]);
    expectHidden(run, 'the-secret-value');
  };

  it.each<[string, (url: string) => WorkflowSnapshot]>([
    ['the host', (url) => workflow(httpStep('0', url.replace('127.0.0.1', MARK)))],
    [
      'a part of the host',
      (url) => workflow(httpStep('0', url.replace('127.0.0.1', `${MARK}.example`))),
    ],
    ['the port', () => workflow(httpStep('0', `http://127.0.0.1:${MARK}/`))],
    ['the scheme', () => workflow(httpStep('0', `${MARK}://127.0.0.1/`))],
    ['the base URL', () => workflow(httpStep('0', `${MARK}/path`))],
    ['the whole URL', () => workflow(httpStep('0', MARK))],
    ['a host in another notation', () => workflow(httpStep('0', `http:${MARK}/x`))],
    ['a host behind backslashes', () => workflow(httpStep('0', `http:\\\\${MARK}/x`))],
    ['the method', (url) => workflow(httpStep('0', url, { request: { method: MARK } }))],
    [
      'the name of a header',
      (url) => workflow(httpStep('0', url, { request: { header: { [MARK]: 'x' } } })),
    ],
    [
      'the name of a body field',
      (url) =>
        workflow(
          httpStep('0', url, {
            request: { method: 'POST', body: jsonBody({ deep: [{ [MARK]: 1 }] }) },
          }),
        ),
    ],
    [
      'the name of a body field in a text',
      (url) =>
        workflow(
          httpStep('0', url, { request: { method: 'POST', body: jsonBody(`{"${MARK}": 1}`) } }),
        ),
    ],
    [
      'the format of a body',
      (url) =>
        workflow(
          httpStep('0', url, { request: { method: 'POST', body: { format: MARK, fields: {} } } }),
        ),
    ],
    [
      'the type of the answer',
      (url) => workflow(httpStep('0', url, { request: { responseType: MARK } })),
    ],
    ['a jump', (url) => workflow(httpStep('0', url, { jump: { to: MARK } }))],
    [
      'a condition',
      (url) => workflow(httpStep('0', url), ifStep('1', `${MARK} = "a"`), httpStep('1_0', url)),
    ],
    [
      'a text of a condition',
      (url) =>
        workflow(httpStep('0', url), ifStep('1', `"${MARK}" Like "a%"`), httpStep('1_0', url)),
    ],
    [
      'a loop',
      (url) => workflow(loopStep('0', `SplitString("${MARK}", ",")`, 'i'), httpStep('0_0', url)),
    ],
    [
      'a condition of the 4.x line',
      (url) => ({
        fromConnector: {
          methods: [httpStep('0', url)],
          operators: [
            {
              id: 'o',
              index: '1',
              type: 'if',
              condition: {
                relationalOperator: '=',
                leftStatement: { color: '', field: MARK },
                rightStatement: { color: '', field: 'a' },
              },
            },
          ],
        },
      }),
    ],
    [
      'a script',
      (url) => ({
        ...workflow(httpStep('0', url)),
        fieldBinding: [
          {
            from: [],
            to: [{ color: colorOf('0'), type: 'request', field: 'a' }],
            enhancement: { expertCode: `RESULT_VAR = "${MARK}";` },
          },
        ],
      }),
    ],
    [
      'the URL of a webhook',
      (url) =>
        workflow(httpStep('0', url), httpStep('1', `${url}/${MARK}`, { methodType: 'WEBHOOK' })),
    ],
    [
      'the body for a webhook',
      (url) =>
        workflow(
          httpStep('0', url),
          httpStep('1', url, { methodType: 'WEBHOOK', request: { body: jsonBody({ a: MARK }) } }),
        ),
    ],
    [
      'the connector of a step',
      (url) => workflow(httpStep('0', url, { connector: { connectorId: 1, invoker: MARK } })),
    ],
  ])('in %s', async (_place, snapshot) => {
    const run = await runAs(snapshot(allowedRemote.url), [
      secretOf('the-secret-value', ['http://*.example', allowedRemote.url, 'http://a', 'http://b']),
    ]);
    expectNothing(run, 'SECRET_NOT_ALLOWED_HERE');
  });

  it('in the source of a field binding, which accepts no references', async () => {
    const fieldBinding = [
      {
        from: [{ color: colorOf('0'), type: 'request', field: MARK }],
        to: [{ color: colorOf('0'), type: 'request', field: 'a' }],
      },
    ];
    expectNothing(
      await runAs({ ...workflow(httpStep('0', allowedRemote.url)), fieldBinding }, [
        secretOf('the-secret-value'),
      ]),
      'REFERENCE_SYNTAX',
    );
  });

  it.each<[string, (url: string) => string]>([
    ['another port', () => otherRemote.url],
    ['another host', (url) => url.replace('127.0.0.1', 'localhost')],
    ['another scheme', (url) => url.replace('http:', 'https:')],
    [
      'another host after a user that resembles the allowed host',
      (url) => `http://${new URL(url).host}@${new URL(otherRemote.url).host}`,
    ],
    ['another host behind a backslash', (url) => `${otherRemote.url}\\@${new URL(url).host}`],
    ['another host through the user part', () => otherRemote.url.replace('//', `//${MARK}@`)],
  ])('when the request goes to %s, in any part of the request', async (_where, elsewhere) => {
    const url = elsewhere(allowedRemote.url);
    for (const request of [
      { endpoint: `${url}/?a=${MARK}` },
      { endpoint: `${url}/`, header: { 'X-A': MARK } },
      { endpoint: `${url}/`, body: jsonBody({ a: MARK }) },
    ]) {
      expectNothing(await sendTo(url, { method: 'POST', ...request }), 'SECRET_ORIGIN_REFUSED');
    }
  });

  it('when one of several secrets is not allowed there, or the Host header names another host', async () => {
    const url = `${allowedRemote.url}/?a=${MARK}`;
    expectNothing(
      await sendTo(url, { header: { B: '{%secret.b%}' } }, [
        secretOf('the-secret-value'),
        secretOf('another-value', [otherRemote.url], 'b'),
      ]),
      'SECRET_ORIGIN_REFUSED',
    );
    for (const host of ['evil.example', new URL(otherRemote.url).host, 'a b'])
      expectNothing(await sendTo(url, { header: { host } }), 'SECRET_ORIGIN_REFUSED');
    const { error } = await sendTo(url, { header: { host: new URL(url).host } });
    expect(error).toBeUndefined();
  });

  it.each([
    '{%secret.unknown%}',
    '{%secret.%}',
    '{%secret.no name%}',
    '{%secret.__proto__%}',
    '{%secret.constructor%}',
  ])('when the secret does not exist: %s', async (mark) => {
    expectNothing(
      await runAs(workflow(step(`/?a=${mark}`)), [secretOf('the-secret-value')]),
      'SECRET_NOT_FOUND',
    );
    expectNothing(
      await runWith(workflow(step('/', { header: { A: mark } })), { http: outbound }),
      'SECRET_NOT_FOUND',
    );
  });

  it.each(['the-secret-value\r\nX-Injected: 1', 'the-secret-value\n', '\0the-secret-value'])(
    'in a header when it contains a line break: %j',
    async (value) => {
      expectNothing(
        await send(value, '/', { header: { A: `x ${MARK}` } }),
        'REQUEST_HEADER_UNSAFE',
      );
    },
  );

  it('in a path that it would leave', async () => {
    expectNothing(await send('..', `/the/${MARK}/end`), 'REQUEST_URL_UNSAFE');
  });

  it('and the workflow check reports it with step and field', () => {
    const problems = validateWorkflowSteps({
      ...workflow(
        httpStep('0', `https://${MARK}/`),
        httpStep('1', 'https://a/', { request: { method: MARK, header: { A: MARK } } }),
        ifStep('2', `${MARK} = 1`),
      ),
      fieldBinding: [
        { to: [{ color: colorOf('1') }], enhancement: { expertCode: MARK } },
        { from: [], note: MARK },
      ],
    })
      .filter(({ code }) => code === 'SECRET_NOT_ALLOWED_HERE')
      .map(({ stepId, message }) => [stepId, message.split(':')[0]]);
    expect(problems).toEqual(
      expect.arrayContaining([
        ['m0', 'request.endpoint'],
        ['m1', 'request.method'],
        ['o2', 'expression'],
        ['m1', 'fieldBinding'],
        [null, 'fieldBinding'],
      ]),
    );
    expect(problems).toHaveLength(5);
    expect(
      validateWorkflowSteps(
        workflow(
          httpStep('0', `https://a/${MARK}?b=${MARK}`, {
            name: `uses ${MARK}`,
            label: MARK,
            request: {
              endpoint: `https://u:${MARK}@a/`,
              header: { A: MARK },
              body: jsonBody({ a: MARK }),
            },
          }),
        ),
      ),
    ).toEqual([]);
  });
});

describe('a redirect of a request with a named secret', () => {
  const places: readonly Partial<RequestDoc>[] = [
    { method: 'GET', endpoint: `/start?a=${MARK}` },
    { method: 'GET', header: { Authorization: `Bearer ${MARK}` } },
    { method: 'POST', body: jsonBody({ a: MARK }) },
  ];
  const sendRedirected = (
    { endpoint = '/start', ...request }: Partial<RequestDoc>,
    origins = [allowedRemote.url],
  ): Promise<Run> =>
    sendTo(`${allowedRemote.url}${endpoint}`, request, [secretOf('the-secret-value', origins)]);

  it.each(
    [301, 302, 303, 307, 308].flatMap((status) => places.map((place) => [status, place] as const)),
  )('with status %i out of its origins is not followed (%j)', async (status, place) => {
    answer = () => ({ status, location: `${otherRemote.url}/end?token=x` });
    const run = await sendRedirected(place);
    expect(run.error?.code).toBe('SECRET_ORIGIN_REFUSED');
    expect(ofKind(run, 'StepFinished')[0].error?.code).toBe('SECRET_ORIGIN_REFUSED');
    expect(allowedRemote.received).toHaveLength(1);
    expect(otherRemote.received).toEqual([]);
    expectHidden(run, 'the-secret-value');
  });

  it('out of its origins through an allowed place, or to a denied address, ends the same way', async () => {
    answer = (url) => ({
      status: 302,
      location: url.startsWith('/start') ? '/second' : `${otherRemote.url}/`,
    });
    expect((await sendRedirected(places[0])).error?.code).toBe('SECRET_ORIGIN_REFUSED');
    for (const location of [
      'http://169.254.169.254/',
      'ftp://a/',
      'http://metadata.google.internal/',
      'javascript:1',
    ]) {
      answer = () => ({ status: 307, location });
      expect((await sendRedirected(places[2])).error?.code).toBe('SECRET_ORIGIN_REFUSED');
    }
    expect(otherRemote.received).toEqual([]);
  });

  it('within its origins is followed', async () => {
    answer = (url) => (url.startsWith('/start') ? { status: 307, location: '/end' } : {});
    expect((await sendRedirected(places[2])).error).toBeUndefined();
    expect(allowedRemote.received.map(({ url, body }) => [url, body])).toEqual([
      ['/start', '{"a":"the-secret-value"}'],
      ['/end', '{"a":"the-secret-value"}'],
    ]);
    answer = (url) =>
      url.startsWith('/start') ? { status: 302, location: `${otherRemote.url}/end` } : {};
    const { error } = await sendRedirected(places[1], [allowedRemote.url, otherRemote.url]);
    expect(error).toBeUndefined();
    // Another origin receives no header of the first.
    expect(otherRemote.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('is followed anywhere when the request contains no secret', async () => {
    answer = () => ({ status: 302, location: `${otherRemote.url}/end` });
    expect((await sendTo(`${allowedRemote.url}/start`)).error).toBeUndefined();
    expect(otherRemote.received).toHaveLength(1);
  });
});

describe('a named secret in a sent request', () => {
  it('is *** for later steps and conditions', async () => {
    const first = step('/', { body: jsonBody({ a: MARK, b: `x ${MARK}`, c: 1 }) });
    const second = httpStep('2', otherRemote.url, {
      request: {
        endpoint: `${otherRemote.url}/?q=${reference('0', '(request).a')}`,
        method: 'POST',
        body: jsonBody({ all: reference('0', '(request)') }),
      },
    });
    const run = await runAs(
      workflow(
        first,
        ifStep('1', `${reference('0', '(request).a')} = "the-secret-value"`),
        httpStep('1_0', `${otherRemote.url}/guessed`),
        second,
      ),
      [secretOf('the-secret-value')],
    );
    expect(run.error).toBeUndefined();
    expect(otherRemote.received.map(({ url, body }) => [url, body])).toEqual([
      ['/?q=***', '{"all":{"a":"***","b":"x ***","c":1}}'],
    ]);
  });

  it.each([true, false])(
    'is masked in a remote error message, recorded or not (%s), even when it is short',
    async (recordSegments) => {
      for (const value of ['the-secret-value', 'abc', 'null', 'true', '7']) {
        answer = () => ({ status: 500, body: { message: `wrong key ${value}` } });
        const run = await runAs(
          workflow(step('/', { header: { 'X-A': MARK } })),
          [secretOf(value)],
          { recordSegments },
        );
        expect(run.error?.code).toBe('HTTP_STATUS_ERROR');
        const payload = ofKind(run, 'StepFinished')[0].response?.payload ?? '';
        expect(payload).toBe(
          recordSegments ? '{"message":"wrong key ***"}'.replaceAll(value, '***') : '',
        );
      }
    },
  );

  it('is masked in an internal error', async () => {
    const http = {
      send: () =>
        Promise.reject(
          Object.assign(new TypeError('Invalid URL', { cause: new Error('in the-secret-value') }), {
            input: 'http://a/?the-secret-value',
          }),
        ),
    };
    const run = await runWith(workflow(step(`/?a=${MARK}`)), {
      http,
      secrets: new Map([['key', secretOf('the-secret-value')]]),
    });
    expect(run.error?.code).toBe('RUN_FAULT');
    expect(inspect(run.cause, { depth: 10, showHidden: true })).not.toContain('the-secret-value');
    expect(inspect(run.cause)).toContain('in ***');
  });

  it('is masked in loop keys and step names', async () => {
    answer = () => ({ body: { 'the-secret-value': 1 } });
    const run = await runAs(
      workflow(
        step(`/?a=${MARK}`, { method: 'GET' }),
        loopStep('1', `ForIn(${reference('0', '(response).body')})`, 'i'),
        httpStep('1_0', `${allowedRemote.url}/x`, { name: 'the-secret-value' }),
      ),
      [secretOf('the-secret-value')],
    );
    expect(run.error).toBeUndefined();
    expect(ofKind(run, 'LoopIteration')[0].value).toBe('***');
    expectHidden(run, 'the-secret-value');
  });
});

it('a stopped call does not wait for the check of a redirect', async () => {
  const abort = new AbortController();
  answer = () => ({ status: 302, location: '/again' });
  const arrived = allowedRemote.nextRequest();
  const running = runAs(workflow(step(`/?a=${MARK}`)), [secretOf('the-secret-value')], {
    signal: abort.signal,
  });
  await arrived;
  abort.abort();
  expect((await running).state).toBe('CANCELLED');
});
