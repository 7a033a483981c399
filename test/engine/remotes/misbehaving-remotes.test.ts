import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import type { ServerResponse } from 'node:http';
import { startRemote } from '../support/remote';
import { httpStep, ifStep, ofKind, openOutbound, reference, run, workflow } from '../support/run';
import { openForTests } from '../../support/open-for-tests';

const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
const DEEP = 20_000;
/** Since version 26 Node writes JSON of any depth, and the remote system rejects the long address. */
function writesJson(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

function json(response: ServerResponse, text: string, type = 'application/json'): void {
  response.writeHead(200, { 'content-type': type });
  response.end(text);
}

describe('a misbehaving remote system', () => {
  const outbound = openOutbound({ maxResponseBytes: 100_000 });

  const remote = openForTests(() =>
    startRemote((request, response) => {
      switch (request.url) {
        case '/silent':
          return;
        case '/half':
          response.writeHead(200, { 'content-length': '100' });
          response.write('half');
          return;
        case '/cut':
          response.writeHead(200, { 'content-length': '100' });
          response.write('half', () => response.destroy());
          return;
        case '/huge':
          json(response, JSON.stringify('x'.repeat(200_000)));
          return;
        case '/endless':
          response.writeHead(200, { 'content-type': 'text/plain' });
          response.on('error', () => undefined);
          pour(response);
          return;
        case '/loop':
          response.writeHead(302, { location: '/loop' });
          response.end();
          return;
        case '/error':
          response.writeHead(500);
          response.end('boom');
          return;
        case '/deep':
          json(response, deep(DEEP));
          return;
        case '/quiet-json':
          json(response, '{"a":1}', 'text/plain');
          return;
        case '/number-text':
          json(response, '42', 'text/plain');
          return;
        case '/latin':
          response.writeHead(200, { 'content-type': 'application/json; charset=ISO-8859-1' });
          response.end(Buffer.from('{"a":"ü"}', 'latin1'));
          return;
        case '/empty':
          response.writeHead(204);
          response.end();
          return;
        default:
          json(response, '{"ok":true}');
      }
    }),
  );
  beforeEach(() => {
    remote.received.length = 0;
  });
  afterAll(() => outbound.close());

  it.each<[string, string, number | undefined]>([
    ['/silent', 'OUTBOUND_TIMEOUT', 150],
    ['/half', 'OUTBOUND_TIMEOUT', 150],
    ['/cut', 'OUTBOUND_CONNECTION_FAILED', undefined],
    ['/huge', 'OUTBOUND_TOO_LARGE', undefined],
    ['/endless', 'OUTBOUND_TOO_LARGE', undefined],
    ['/loop', 'OUTBOUND_TOO_MANY_REDIRECTS', undefined],
    ['/error', 'HTTP_STATUS_ERROR', undefined],
  ])('%s ends the run with %s', async (path, code, stepTimeoutMs = 5_000) => {
    const result = await run(
      workflow(
        httpStep('0', remote.url),
        httpStep('1', remote.url + path),
        httpStep('2', remote.url),
      ),
      outbound,
      { stepTimeoutMs },
    );
    expect(result.error).toMatchObject({ step: 'm1', index: '1', attempt: 1, code });
    expect(result.state).toBe('FAILED');
    expect(ofKind(result, 'StepFinished').map(({ state }) => state)).toEqual([
      'SUCCEEDED',
      'FAILED',
    ]);
    expect(result.steps).toBe(2);
  });

  describe('with an answer that does not match its headers', () => {
    const UNREADABLE: [string, number, string, Record<string, string>, string][] = [
      ['RESPONSE_NOT_JSON', 200, '{"a": 1,', { 'content-type': 'application/json' }, '{"a": 1,'],
      [
        'RESPONSE_NOT_JSON',
        201,
        '<html>',
        { 'content-type': 'application/problem+json; charset=utf-8' },
        '<html>',
      ],
      [
        'RESPONSE_ENCODING_UNKNOWN',
        200,
        'squeezed',
        { 'content-encoding': 'zstd', 'content-type': 'text/plain' },
        'squeezed',
      ],
      [
        'RESPONSE_ENCODING_UNKNOWN',
        299,
        'squeezed',
        { 'content-encoding': 'gzip, compress' },
        'squeezed',
      ],
      [
        'RESPONSE_NUMBER_TOO_LARGE',
        200,
        '{"a":[1e400]}',
        { 'content-type': 'application/json' },
        '{"a":[1e400]}',
      ],
      [
        'RESPONSE_NUMBER_TOO_LARGE',
        200,
        '{"a":-12345678901234567890.5}',
        { 'content-type': 'application/json' },
        '{"a":-12345678901234567890.5}',
      ],
    ];
    let answer: { status: number; headers: Record<string, string>; body: string };
    const odd = openForTests(() =>
      startRemote((request, response) => {
        response.writeHead(
          request.url === '/odd' ? answer.status : 200,
          request.url === '/odd' ? answer.headers : {},
        );
        response.end(request.url === '/odd' ? answer.body : 'seen');
      }),
    );
    const odds = (more: object = {}) => httpStep('0', `${odd.url}/odd`, { request: more });

    it.each(UNREADABLE)(
      'ends the run with %s at %d for %j',
      async (code, status, body, headers, text) => {
        answer = { status, headers, body };
        const result = await run(workflow(odds(), httpStep('1', odd.url)), outbound);
        expect(result.error).toMatchObject({ step: 'm0', index: '0', code });
        expect(result.error?.message).not.toContain(text);
        expect(ofKind(result, 'StepFinished')).toMatchObject([
          { state: 'FAILED', statusCode: status, error: { code } },
        ]);
      },
    );

    it.each(UNREADABLE)(
      'is read as text where the method declares text, not %s',
      async (_code, status, body, headers, text) => {
        answer = { status, headers, body };
        for (const responseType of ['text', ' TEXT ']) {
          const result = await run(
            workflow(
              odds({ responseType }),
              httpStep('1', odd.url, {
                request: {
                  method: 'POST',
                  body: { format: 'text', fields: reference('0', '(response).body') },
                },
              }),
            ),
            outbound,
          );
          expect(result.error).toBeUndefined();
          expect(odd.received.at(-1)?.body).toBe(text);
        }
      },
    );

    it.each(UNREADABLE)(
      'ends with HTTP_STATUS_ERROR from status 400 on, not %s, and is a value for steps that read it',
      async (_code, _status, body, headers) => {
        answer = { status: 418, headers, body };
        expect((await run(workflow(odds()), outbound)).error).toMatchObject({
          code: 'HTTP_STATUS_ERROR',
          index: '0',
        });
        const looked = await run(
          workflow(odds(), httpStep('1', `${odd.url}/${reference('0', '(response).status')}`)),
          outbound,
        );
        expect(looked.error).toBeUndefined();
        expect(odd.received.at(-1)?.url).toBe('/418');
        expect(ofKind(looked, 'RunLog')).toMatchObject([{ level: 'WARN', index: '0' }]);
      },
    );

    it.each<Record<string, string>>([
      { 'content-type': 'application/json' },
      { 'content-encoding': 'zstd' },
      { 'content-encoding': 'gzip' },
      { 'content-type': 'text/plain' },
    ])('is null when the answer is empty, whatever its type: %j', async (headers) => {
      for (const responseType of ['text', null]) {
        answer = { status: 200, headers, body: '' };
        const result = await run(
          workflow(
            odds({ responseType }),
            ifStep('1', `${reference('0', '(response).body')} IsNull`),
          ),
          outbound,
        );
        expect(ofKind(result, 'ConditionEvaluated')).toMatchObject([{ result: true }]);
      }
      if (headers['content-type'] !== 'application/json') return;
      answer = { status: 200, headers, body: ' \r\n' };
      expect(
        ofKind(
          await run(
            workflow(odds(), ifStep('1', `${reference('0', '(response).body')} IsNull`)),
            outbound,
          ),
          'ConditionEvaluated',
        ),
      ).toMatchObject([{ result: true }]);
    });

    it('is read as text when the answer only resembles JSON', async () => {
      answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: '[1e400]' };
      const result = await run(
        workflow(odds(), httpStep('1', `${odd.url}/${reference('0', '(response).body')}`)),
        outbound,
      );
      expect(result.error).toBeUndefined();
      expect(odd.received.at(-1)?.url).toBe('/%5B1e400%5D');
    });
  });

  it('does not hide that a method redirects the run', async () => {
    for (const jump of ['m2', { index: '2' }, '', 0, false]) {
      remote.received.length = 0;
      const result = await run(
        workflow(
          httpStep('0', remote.url, { jump: null }),
          httpStep('1', remote.url, { jump }),
          httpStep('2', remote.url),
        ),
        outbound,
      );
      expect(result.error).toMatchObject({ step: 'm1', index: '1', code: 'JUMP_NOT_AVAILABLE' });
      expect(remote.received).toHaveLength(1);
    }
  });

  it.each([
    ['/quiet-json', '(response).body.a', '1'],
    ['/number-text', '(response).body', '42'],
    ['/latin', '(response).body.a', '%C3%BC'],
    ['/empty', '(response).body', ''],
  ])('sends %s, which is read correctly', async (path, part, arrived) => {
    await run(
      workflow(
        httpStep('0', remote.url + path),
        httpStep('1', `${remote.url}/x/${reference('0', part)}`),
      ),
      outbound,
    );
    expect(remote.received.at(-1)?.url).toBe(`/x/${arrived}`);
  });

  it('may send an answer nested too deeply to be written again', async () => {
    const result = await run(
      workflow(
        httpStep('0', `${remote.url}/deep`),
        httpStep('1', `${remote.url}/${reference('0', '(response).body')}`),
      ),
      outbound,
      { recordSegments: true },
    );
    expect(result.error).toMatchObject({
      index: '1',
      code: writesJson(deep(DEEP)) ? 'HTTP_STATUS_ERROR' : 'VALUE_TOO_LARGE',
    });
  });

  it('that speaks another protocol or does not exist causes a typed error', async () => {
    const garbage: Server = createServer((socket) =>
      socket.once('data', () => socket.end('hello, this is not HTTP\r\n\r\n')),
    );
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve));
    const { port } = garbage.address() as AddressInfo;
    const spoken = await run(workflow(httpStep('0', `http://127.0.0.1:${port}/`)), outbound);
    await new Promise((resolve) => garbage.close(resolve));
    expect(spoken.error?.code).toBe('OUTBOUND_BAD_RESPONSE');
    expect(
      (
        await run(
          workflow(httpStep('0', `https://127.0.0.1:${new URL(remote.url).port}/`)),
          outbound,
        )
      ).error?.code,
    ).toBe('OUTBOUND_TLS_FAILED');

    const refused = await run(
      workflow(httpStep('0', `http://127.0.0.1:${port}/secret?token=abc`)),
      outbound,
    );
    expect(refused.error).toMatchObject({
      code: 'OUTBOUND_CONNECTION_FAILED',
      message: `Step "step 0" (0): GET http://127.0.0.1:${port}/secret: No connection, or one that broke, to 127.0.0.1:${port} (ECONNREFUSED).`,
    });
  });
});

/** Writes until the reader disconnects. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write('x'.repeat(16_384)));
  if (!response.destroyed) response.once('drain', () => pour(response));
}
