import fc from 'fast-check';
import { connect } from 'node:net';
import { z } from 'zod';
import { routesTagged } from '../../../src/platform/http/route';
import { exchange, openRestTransport } from '../../support/calls/rest-transport';
import type { RestTransport } from '../../support/calls/rest-transport';
import { rounds } from '../../support/rounds';

const route = routesTagged('test');

const common = { summary: 'A test.', needs: 'public' } as const;
let letGo: () => void = () => undefined;

describe('the HTTP parser', () => {
  let transport: RestTransport;
  beforeAll(async () => {
    transport = await openRestTransport([
      route('GET /thing', { ...common, handle: async () => 'thing' }),
      route('GET /slow', {
        ...common,
        handle: () =>
          new Promise((resolve) => {
            letGo = () => resolve('slow');
          }),
      }),
      route('POST /echo', {
        ...common,
        body: z.looseObject({}),
        handle: async ({ body }) => body,
      }),
    ]);
  });
  afterAll(() => transport.close());

  const logged = (): number => transport.lines.filter(({ msg }) => msg === 'request').length;
  const untilLogged = async (count: number): Promise<void> => {
    while (logged() < count) await new Promise((resolve) => setImmediate(resolve));
  };

  function answersIn(received: string): { status: number; body: string; head: string }[] {
    const answers = [];
    for (let rest = received; rest !== '';) {
      const [, status, fields = ''] =
        /^HTTP\/1\.1 (\d{3}) [^\r\n]*(?:\r\n([\s\S]*?))??\r\n\r\n/.exec(rest) ?? [];
      if (status === undefined)
        throw new Error(`This is no answer: ${JSON.stringify(rest.slice(0, 200))}`);
      const start = rest.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(fields)?.[1] ?? 0);
      answers.push({
        status: Number(status),
        head: fields,
        body: rest.slice(start, start + length),
      });
      rest = rest.slice(start + length);
    }
    return answers;
  }

  const HOST = 'Host: x\r\n';
  const CLOSE = 'Connection: close\r\n';
  it.each([
    [
      'CONNECT to a host',
      `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n`,
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['CONNECT to a path', `CONNECT /api/thing HTTP/1.1\r\n${HOST}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
    [
      'CONNECT with more behind it',
      `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\nGET /api/thing HTTP/1.1\r\n${HOST}\r\n`,
      405,
      'METHOD_NOT_ALLOWED',
    ],
    [
      'TRACE',
      `TRACE /api/thing HTTP/1.1\r\n${HOST}${CLOSE}X-Secret: a\r\n\r\n`,
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404, 'NOT_FOUND'],
    ['GET of everything', `GET * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404, 'NOT_FOUND'],
    [
      'a method of WebDAV',
      `MKCALENDAR /api/nothing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
      404,
      'NOT_FOUND',
    ],
    ['M-SEARCH', `M-SEARCH * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404, 'NOT_FOUND'],
    ['an unknown method', `BREW /api/thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 400, 'BAD_REQUEST'],
    [
      'a method in lower case',
      `get /api/thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
      400,
      'BAD_REQUEST',
    ],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'a TLS greeting',
      Buffer.from('16030100c8010000c40303', 'hex').toString('latin1'),
      400,
      'BAD_REQUEST',
    ],
    ['a request line without a version', 'GET /api/thing\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'a folded header',
      `GET /api/thing HTTP/1.1\r\n${HOST}X-A: a\r\n b\r\n${CLOSE}\r\n`,
      400,
      'BAD_REQUEST',
    ],
    [
      'a header with a blank in its name',
      `GET /api/thing HTTP/1.1\r\n${HOST}X A: a\r\n\r\n`,
      400,
      'BAD_REQUEST',
    ],
    [
      'a length that is none',
      `POST /api/echo HTTP/1.1\r\n${HOST}Content-Length: two\r\n\r\n{}`,
      400,
      'BAD_REQUEST',
    ],
    [
      'a chunk that is none',
      `POST /api/echo HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'BAD_REQUEST',
    ],
    [
      'an unmet expectation',
      `GET /api/thing HTTP/1.1\r\n${HOST}Expect: tea\r\n${CLOSE}\r\n`,
      417,
      'BAD_REQUEST',
    ],
    [
      'another host in an absolute target',
      `GET http://elsewhere/api/nothing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
      404,
      'NOT_FOUND',
    ],
    [
      'a flood of headers',
      `GET /api/thing HTTP/1.1\r\n${HOST}${`X-Flood: ${'x'.repeat(100)}\r\n`.repeat(400)}\r\n`,
      431,
      'BAD_REQUEST',
    ],
  ])(
    'answers %s with the error body and logs its request id',
    async (_name, bytes, status, code) => {
      const [answer, ...more] = answersIn(await exchange(transport, Buffer.from(bytes, 'latin1')));
      expect([answer?.status, JSON.parse(answer?.body ?? '').message, more]).toEqual([
        status,
        code,
        [],
      ]);
      const id = /x-request-id: (\S+)/i.exec(answer?.head ?? '')?.[1];
      while (!transport.lines.some((line) => line.requestId === id && line.msg === 'request'))
        await new Promise((resolve) => setImmediate(resolve));
      expect(
        transport.lines.find((line) => line.requestId === id && line.msg === 'request'),
      ).toMatchObject({ status, code, address: '127.0.0.1' });
    },
  );

  it.each([
    ['an absolute target', `GET http://x/api/thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    [
      'an upgrade to what is not offered',
      `GET /api/thing HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
    ],
    [
      'several upgrades',
      `GET /api/thing HTTP/1.1\r\n${HOST}Connection: Upgrade, close\r\nUpgrade: TLS/1.0, foo\r\n\r\n`,
    ],
    [
      'the same header twice',
      `GET /api/thing HTTP/1.1\r\n${HOST}Accept: a/b\r\nAccept: c/d\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n${CLOSE}\r\n`,
    ],
    ['blank lines before it', `\r\n\r\nGET /api/thing HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    [
      'a body that GET has no use for',
      `GET /api/thing HTTP/1.1\r\n${HOST}Content-Length: 3\r\n${CLOSE}\r\nabc`,
    ],
  ])('serves a request with %s', async (_name, bytes) => {
    expect(
      answersIn(await exchange(transport, bytes)).map(({ status, body }) => [status, body]),
    ).toEqual([[200, 'thing']]);
  });

  it('reads a body after 100-continue', async () => {
    const answers = answersIn(
      await exchange(
        transport,
        `POST /api/echo HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 7\r\n${CLOSE}\r\n{"a":1}`,
      ),
    );
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [100, ''],
      [200, '{"a":1}'],
    ]);
  });

  it('completes earlier responses of a connection in order before a broken request', async () => {
    const ask = (path: string): string => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`;
    const before = logged();
    const receiving = exchange(
      transport,
      `${ask('/api/thing')}${ask('/api/slow')}${ask('/api/thing')}NONSENSE\r\n\r\n`,
    );
    await untilLogged(before + 1);
    letGo();
    const answers = answersIn(await receiving);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
    expect(answers.map(({ body }) => body).slice(0, 3)).toEqual(['thing', 'slow', 'thing']);
    await untilLogged(before + 4);
  });

  it('survives arbitrary bytes in arbitrary chunks', async () => {
    const piece = fc.constantFrom(
      'GET ',
      'POST ',
      'CONNECT ',
      '/api/thing',
      '/api/echo',
      '*',
      'http://',
      '%',
      ' HTTP/1.1',
      ' HTTP/1.0',
      '\r\n',
      '\r\n\r\n',
      'Host: x',
      'Content-Length: 5',
      'Transfer-Encoding: chunked',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: a',
      'Expect: 100-continue',
      '5\r\nabcde\r\n',
      '0\r\n\r\n',
      '{"a":1}',
      '\0',
      '\xff',
      ':',
      ' ',
      'x'.repeat(3_000),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(piece, { maxLength: 8 }), { maxLength: 4 }),
        async (portions) => {
          const received = await new Promise<string>((resolve) => {
            let text = '';
            const socket = connect(transport.port, '127.0.0.1', async () => {
              for (const portion of portions) {
                socket.write(portion.join(''), 'latin1');
                await new Promise((done) => setImmediate(done));
              }
              // Half-closes the connection in the middle of a request.
              socket.end();
            });
            socket
              .on('data', (chunk: Buffer) => {
                text += chunk.toString('latin1');
              })
              .on('error', () => undefined)
              .on('close', () => resolve(text));
          });
          for (const { status, body, head } of answersIn(received)) {
            if (status >= 400 && !/^HEAD/.test(portions.flat().join('')))
              expect(JSON.parse(body)).toMatchObject({ status, success: 'false' });
            expect([100, 200, 204, 400, 404, 405, 415, 417, 426, 431]).toContain(status);
            expect(head).not.toContain('undefined');
          }
        },
      ),
      { numRuns: rounds(150) },
    );
    expect((await transport.call('GET', '/api/thing')).text).toBe('thing');
    expect(transport.lines.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual(
      [],
    );
  });
});
