import type { BodyDoc, MethodDoc } from '../../../src/engine';
import { answerJson, startRemote } from '../support/remote';
import {
  colorOf,
  httpStep,
  ifStep,
  jsonBody,
  ofKind,
  openOutbound,
  reference,
  run,
  workflow,
} from '../support/run';
import { openForTests } from '../../support/open-for-tests';

const data = {
  id: 7,
  ratio: 1.5,
  yes: true,
  nothing: null,
  text: 'say "hi"\n\\ {%#000000.(response).body.id%}',
  list: [1, { a: 'b' }],
  object: { deep: [true] },
  path: 'a/b c?d=e&f#g',
  dots: '..',
  crlf: 'x\r\nInjected: yes',
  umlaut: 'Grüße €',
  host: 'evil.example/@x',
};

describe('an HTTP request step', () => {
  const outbound = openOutbound();

  const remote = openForTests(() =>
    startRemote((request, response) => {
      if (request.url === '/data') answerJson(response, { ...data, base: remote.url }, 200);
      else if (request.url.startsWith('/missing')) answerJson(response, { reason: 'gone' }, 404);
      else if (request.url === '/headers') {
        response.writeHead(200, { 'X-Token-Page': 'next', 'content-type': 'text/plain' });
        response.end('plain text');
      } else answerJson(response, { echo: true });
    }),
  );
  beforeEach(() => {
    remote.received.length = 0;
  });
  afterAll(() => outbound.close());

  const value = (path: string) => reference('0', `(response).body.${path}`);
  const first = () => httpStep('0', `${remote.url}/data`);
  /** Runs a step after the one that loads the data and returns the received request. */
  async function send(request: Partial<NonNullable<MethodDoc['request']>>) {
    const result = await run(
      workflow(first(), httpStep('1', `${remote.url}/target`, { request })),
      outbound,
    );
    return { ...result, arrived: remote.received.at(-1) };
  }
  const post = (body: BodyDoc, header: Record<string, unknown> = {}) =>
    send({ method: 'POST', body, header });

  describe('in its URL', () => {
    it.each<[string, string]>([
      ['/items/{id}', '/items/7'],
      ['/items/{path}', '/items/a%2Fb%20c%3Fd%3De%26f%23g'],
      ['/q?x={path}&y={nothing}', '/q?x=a%2Fb%20c%3Fd%3De%26f%23g&y='],
      ['/u/{umlaut}', '/u/Gr%C3%BC%C3%9Fe%20%E2%82%AC'],
      ['/l?x={list}', '/l?x=%5B1%2C%7B%22a%22%3A%22b%22%7D%5D'],
      ['/t/{text}', `/t/${encodeURIComponent(data.text)}`],
      ['/v{dots}x', '/v..x'],
    ])('%s is sent as %s', async (template, arrived) => {
      const result = await send({
        endpoint: remote.url + template.replace(/\{(\w+)\}/g, (_, name: string) => value(name)),
      });
      expect(result.error).toBeUndefined();
      expect(result.arrived?.url).toBe(arrived);
    });

    it('uses a reference at the start as the base', async () => {
      expect((await send({ endpoint: `${value('base')}/x/${value('id')}` })).arrived?.url).toBe(
        '/x/7',
      );
      expect((await send({ endpoint: value('base') })).arrived?.url).toBe('/');
    });

    it.each([['/a/{dots}/b'], ['/a/{dots}'], ['/a/.{nothing}{dots}?x'], ['/{dots}']])(
      'rejects data with path traversal: %s',
      async (template) => {
        const endpoint =
          remote.url + template.replace(/\{(\w+)\}/g, (_, name: string) => value(name));
        const result = await send({ endpoint });
        if (template.includes('.{')) expect(result.error).toBeUndefined();
        else expect(result.error).toMatchObject({ code: 'REQUEST_URL_UNSAFE', index: '1' });
      },
    );

    it('rejects data that is not a host name', async () => {
      expect((await send({ endpoint: `http://${value('host')}/x` })).error?.code).toBe(
        'REQUEST_URL_UNSAFE',
      );
    });

    it('rejects an invalid URL', async () => {
      expect((await send({ endpoint: 'no url' })).error?.code).toBe('OUTBOUND_BAD_URL');
      expect((await send({ endpoint: 'file:///etc/passwd' })).error?.code).toBe('OUTBOUND_BAD_URL');
      expect((await send({ endpoint: value('nothing') })).error?.code).toBe('REQUEST_URL_IS_EMPTY');
    });
  });

  describe('in its headers', () => {
    it('inserts references and drops connection headers', async () => {
      const { arrived } = await send({
        header: {
          'X-Id': `id ${value('id')}`,
          'X-None': value('nothing'),
          'Content-Length': '999',
          'Transfer-Encoding': 'chunked',
          'X-Number': 5,
          'X-Null': null,
        },
      });
      expect(arrived?.headers).toMatchObject({
        'x-id': 'id 7',
        'x-none': '',
        'x-number': '5',
        'user-agent': 'hypha',
      });
      expect(arrived?.headers).not.toHaveProperty('x-null');
      expect(arrived?.body).toBe('');
    });

    it('rejects line breaks from data', async () => {
      const result = await send({ header: { 'X-Id': value('crlf') } });
      expect(result.error).toEqual({
        step: 'm1',
        name: 'step 1',
        index: '1',
        loopIndex: [],
        attempt: 1,
        code: 'REQUEST_HEADER_UNSAFE',
        message:
          'Step "step 1" (1): The value of the header X-Id holds a line break or another control character.',
      });
      expect(remote.received).toHaveLength(1);
    });

    it('rejects all other control characters except tab', async () => {
      for (const letter of ['\0', '\u0001', '\u001f', '\u007f'])
        expect((await send({ header: { 'X-Id': `a${letter}b` } })).error?.code).toBe(
          'REQUEST_HEADER_UNSAFE',
        );
      expect((await send({ header: { 'X-Id': 'a\tb' } })).arrived?.headers['x-id']).toBe('a\tb');
    });

    it('sends text outside Latin-1 as UTF-8', async () => {
      const { arrived } = await send({ header: { 'X-Text': value('umlaut') } });
      expect(Buffer.from(String(arrived?.headers['x-text']), 'latin1').toString('utf8')).toBe(
        data.umlaut,
      );
    });
  });

  describe('in its body', () => {
    it('keeps the type of a field that is a single reference, and makes mixed text a string', async () => {
      const fields = Object.fromEntries(
        ['id', 'ratio', 'yes', 'nothing', 'text', 'list', 'object'].map((name) => [
          name,
          value(name),
        ]),
      );
      const { arrived } = await post(
        jsonBody({
          ...fields,
          bare: `${colorOf('0')}.(response).body.list[1].a`,
          mixed: `<${value('id')}|${value('text')}|${value('nothing')}|${value('list')}>`,
          fixed: 5,
          nested: [{ x: value('id') }],
          hook: '${order}',
        }),
      );
      const { id, ratio, yes, nothing, text, list, object } = data;
      expect(JSON.parse(arrived?.body ?? '')).toEqual({
        id,
        ratio,
        yes,
        nothing,
        text,
        list,
        object,
        bare: 'b',
        mixed: `<7|${text}||[1,{"a":"b"}]>`,
        fixed: 5,
        nested: [{ x: 7 }],
        hook: null,
      });
      expect(arrived?.headers['content-type']).toBe('application/json');
    });

    it.each<[string, BodyDoc, string, string?, Record<string, unknown>?]>([
      [
        'a form',
        {
          format: 'x-www-form-urlencoded',
          fields: { a: '{text}', b: '{list}', c: null, d: 'x&y=z' },
        },
        new URLSearchParams([
          ['a', data.text],
          ['b', '1'],
          ['b', '{"a":"b"}'],
          ['c', ''],
          ['d', 'x&y=z'],
        ]).toString(),
        'application/x-www-form-urlencoded',
      ],
      [
        'plain text',
        { format: 'text', fields: 'Hello {id} {text}' },
        `Hello 7 ${data.text}`,
        'text/plain; charset=utf-8',
      ],
      [
        'a form by its content type',
        { format: 'json', fields: { a: 1 } },
        'a=1',
        'application/x-www-form-urlencoded; charset=utf-8',
        { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      ],
      [
        'JSON under another name',
        { format: 'text', fields: { a: '{id}' } },
        '{"a":7}',
        'application/vnd.api+json',
        { 'Content-Type': 'application/vnd.api+json' },
      ],
      [
        'a JSON text',
        {
          type: 'object',
          format: 'json',
          fields: '{"a": {id}, "b": "x {text}", "c": [{list}], "d": "\\"q\\""}',
        },
        JSON.stringify({ a: 7, b: `x ${data.text}`, c: [data.list], d: '"q"' }),
      ],
      [
        'integers of a JSON text with all digits',
        {
          format: 'json',
          fields: '{"a": 12345678901234567890, "b": [-9007199254740993, 7], "c": 0.5}',
        },
        '{"a":12345678901234567890,"b":[-9007199254740993,7],"c":0.5}',
      ],
      [
        'a text that resembles JSON',
        { type: 'object', fields: '{oops {id}' },
        '{oops 7',
        'text/plain',
        { 'Content-Type': 'text/plain' },
      ],
      ['a JSON string', { type: 'string', format: 'json', fields: '{oops {id}' }, '"{oops 7"'],
      ['a list', { type: 'array', format: 'json', fields: [{ a: '{id}' }] }, '[{"a":7}]'],
      [
        'a list with a single object',
        { type: 'array', format: 'json', fields: { a: '{id}' } },
        '[{"a":7}]',
      ],
      [
        'a whole body that is one reference',
        { type: 'object', format: 'json', fields: '{object}' },
        '{"deep":[true]}',
      ],
      [
        'a GraphQL query',
        {
          format: 'json',
          data: 'graphql',
          fields: { query: 'query {\n  user(id: {id})\r\n}', variables: { v: '{id}' } },
        },
        '{"query":"query { user(id: 7) }","variables":{"v":7}}',
      ],
      [
        'field names of prototypes',
        { format: 'json', fields: JSON.parse('{"__proto__":{"x":1},"constructor":"{id}"}') },
        '{"__proto__":{"x":1},"constructor":7}',
      ],
    ])('sends %s', async (_name, body, text, type = 'application/json', header = {}) => {
      const fill = (template: unknown): unknown =>
        JSON.parse(
          JSON.stringify(template).replace(/\{(id|text|list|object)\}/g, (_, name: string) =>
            value(name),
          ),
        );
      const { arrived, error } = await post(fill(body) as BodyDoc, header);
      expect(error).toBeUndefined();
      expect(arrived?.body).toBe(text);
      expect(arrived?.headers['content-type']).toBe(type);
    });

    it('sends no empty body that an editor left as a default', async () => {
      expect((await send({ method: 'GET', body: jsonBody({}) })).arrived).toMatchObject({
        method: 'GET',
        body: '',
      });
      expect((await send({ method: 'POST', body: jsonBody({}) })).arrived).toMatchObject({
        method: 'POST',
        body: '{}',
      });
      expect((await send({ method: 'POST', body: null })).arrived).toMatchObject({
        method: 'POST',
        body: '',
      });
      expect((await send({ method: 'get', body: jsonBody({ a: 1 }) })).arrived).toMatchObject({
        method: 'GET',
        body: '{"a":1}',
      });
    });

    it('reports unsupported bodies', async () => {
      expect((await post({ format: 'xml', fields: { a: 1 } })).arrived?.body).toBe(
        '<?xml version="1.0" encoding="UTF-8"?>\n<a>1</a>\n',
      );
      expect(
        (
          await post(
            jsonBody({
              x: `${colorOf('0')}.(response).body.id;${colorOf('0')}.(response).body.text`,
            }),
          )
        ).error?.code,
      ).toBe('BINDING_NOT_FOUND');
      expect((await post({ format: 'json', fields: '{"a": oops}' })).error?.code).toBe(
        'REQUEST_BODY_INVALID',
      );
      expect((await post({ format: 'json', fields: '{"a": 1e400}' })).error).toMatchObject({
        code: 'REQUEST_BODY_INVALID',
        message: expect.stringContaining('rounded or lost'),
      });
      expect(
        (
          await run(
            workflow(
              httpStep('0', remote.url, {
                request: { method: 'POST', body: jsonBody({ a: 'x'.repeat(100) }) },
              }),
            ),
            outbound,
            { limits: { maxRequestBytes: 50 } },
          )
        ).error?.code,
      ).toBe('REQUEST_BODY_TOO_LARGE');
    });

    it('makes the sent body available to later steps', async () => {
      const sent = httpStep('1', `${remote.url}/sent`, {
        request: { method: 'POST', body: jsonBody({ a: [{ b: value('id') }] }) },
      });
      await run(
        workflow(
          first(),
          sent,
          httpStep('2', `${remote.url}/later/${reference('1', '(request).a[0].b')}`),
        ),
        outbound,
      );
      expect(remote.received.at(-1)?.url).toBe('/later/7');
    });
  });

  describe('with an error status as its answer', () => {
    it('ends the run', async () => {
      const result = await run(
        workflow(httpStep('0', `${remote.url}/missing?token=secret`), httpStep('1', remote.url)),
        outbound,
      );
      expect(result.error).toEqual({
        step: 'm0',
        name: 'step 0',
        index: '0',
        loopIndex: [],
        attempt: 1,
        code: 'HTTP_STATUS_ERROR',
        message: `Step "step 0" (0): GET ${remote.url}/missing answered 404.`,
      });
      expect(ofKind(result, 'StepFinished')).toMatchObject([
        { index: '0', state: 'FAILED', statusCode: 404, error: { code: 'HTTP_STATUS_ERROR' } },
      ]);
      expect(remote.received).toHaveLength(1);
    });

    it.each([
      ['fail.reason', '= "gone"'],
      ['status', '= 404'],
      ['header.content-type', 'Like "%json"'],
    ])('continues when a later step reads %s', async (part, test) => {
      const result = await run(
        workflow(
          httpStep('0', `${remote.url}/missing`),
          ifStep('1', `${reference('0', `(response).${part}`)} ${test}`),
          httpStep('1_0', `${remote.url}/handled`),
        ),
        outbound,
      );
      expect(result.state).toBe('SUCCEEDED');
      expect(remote.received.map((request) => request.url)).toEqual(['/missing', '/handled']);
      expect(ofKind(result, 'StepFinished')[0]).toMatchObject({
        state: 'SUCCEEDED',
        statusCode: 404,
        error: null,
      });
    });

    it('ends the run when only success or an earlier step is referenced', async () => {
      const success = workflow(
        httpStep('0', `${remote.url}/missing`),
        httpStep('1', `${remote.url}/${reference('0', '(response).success.reason')}`),
      );
      expect((await run(success, outbound)).error?.code).toBe('HTTP_STATUS_ERROR');
      const earlier = workflow(
        ifStep('0', `${reference('1', '(response).status')} IsNull`),
        httpStep('1', `${remote.url}/missing`),
      );
      expect((await run(earlier, outbound)).error?.code).toBe('HTTP_STATUS_ERROR');
    });
  });

  it('reads headers case-insensitively, and text that is not JSON', async () => {
    const snapshot = workflow(
      httpStep('0', `${remote.url}/headers`),
      httpStep(
        '1',
        `${remote.url}/${reference('0', '(response).header.x-TOKEN-page')}/${reference('0', '(response).body')}`,
      ),
    );
    expect((await run(snapshot, outbound)).error).toBeUndefined();
    expect(remote.received.at(-1)?.url).toBe('/next/plain%20text');
  });
});
