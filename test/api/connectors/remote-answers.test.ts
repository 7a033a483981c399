import { constants } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { startRemote } from '../../engine/support/remote';
import type { Remote } from '../../engine/support/remote';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { startRaw } from '../../support/peers/raw-server';
import type { RawServer } from '../../support/peers/raw-server';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';
import { Contract } from '../../support/calls/openapi-contract';
import type { Seen } from '../../support/calls/openapi-contract';

const PATH = '/api/connection/remoteapi';

let service: TestService;
let remote: Remote;
let contract: Contract;
beforeAll(async () => {
  service = await startService();
  // `/226/text/html` answers with this status and type; `/204` without a type and without a body.
  remote = await startRemote(({ url }, response) => {
    const [, status, ...type] = url.split('/');
    response
      .writeHead(Number(status), type.length > 0 ? { 'content-type': type.join('/') } : {})
      .end(type.length > 0 ? '{"id":1}' : '');
  });
  contract = new Contract(await service.body('GET', '/openapi.json'));
});
afterAll(async () => {
  await remote.close();
  await service.close();
});

async function answerFor(path: string): Promise<Seen> {
  const { status, headers, body, text } = await service.api('POST', PATH, {
    body: { url: `${remote.url}${path}`, method: 'GET' },
  });
  return { method: 'POST', path: PATH, status, headers, body: text === '' ? undefined : body };
}

const STATUSES = [200, 206, 226, 299].flatMap((status) =>
  ['', '/application/json', '/application/hal+json', '/text/html', '/image/png'].map(
    (type) => `/${status}${type}`,
  ),
);

describe('the response of a remote system', () => {
  it.each([...STATUSES, '/204', '/205'])('is passed on as described: %s', async (path) => {
    const answer = await answerFor(path);
    expect([`/${answer.status}`, ...contract.problemsOf(answer)]).toEqual([
      /^\/\d+/.exec(path)?.[0],
    ]);
  });

  it.each(['/300', '/304', '/400/application/json', '/404', '/500/text/html'])(
    'is rejected as described: %s',
    async (path) => {
      const answer = await answerFor(path);
      expect([answer.status, answer.body.message, ...contract.problemsOf(answer)]).toEqual([
        500,
        'COMMUNICATION_FAILED',
      ]);
    },
  );
});

describe('the response of a remote system that is careless', () => {
  const http = (headers: string, body: string | Buffer = '{}', status = '200 OK'): Buffer =>
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n`, 'latin1'),
      Buffer.from(body),
    ]);
  const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
  const JSON_TYPE = 'Content-Type: application/json\r\nConnection: close';
  const ANSWERS: Record<string, Buffer> = {
    '/utf-8': http(`${JSON_TYPE}\r\nX-City: ${bytes('Köln, 東京')}\r\nX-Old: K\xf6ln`),
    '/moved': http(`Location: /${bytes('größe')}\r\nContent-Length: 0`, '', '302 Found'),
    '/gr%C3%B6%C3%9Fe': http(`${JSON_TYPE}\r\nX-City: moved`),
    '/big-headers': http(`${JSON_TYPE}\r\nX-City: ok\r\nX-Big: ${'x'.repeat(60_000)}`),
    '/endless-headers': http(`${JSON_TYPE}\r\nX-Big: ${'x'.repeat(70_000)}`),
    '/continue': Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), http(JSON_TYPE)]),
    '/switching': http('Upgrade: x\r\nConnection: upgrade', '', '101 Switching Protocols'),
    '/both-lengths': http(
      'Transfer-Encoding: chunked\r\nContent-Length: 2',
      '2\r\n{}\r\n0\r\n\r\n',
    ),
    '/both-lengths-2': http(
      'Content-Length: 2\r\nTransfer-Encoding: chunked',
      '2\r\n{}\r\n0\r\n\r\n',
    ),
    '/ssh': Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
    '/ntlm': http(
      'WWW-Authenticate: Negotiate\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0',
      '',
      '401 Unauthorized',
    ),
    '/basic': http(
      'WWW-Authenticate: Negotiate, Basic realm="x, y"\r\nContent-Length: 0',
      '',
      '401 Unauthorized',
    ),
  };
  for (const coding of ['utf-8', 'none', 'aws-chunked', 'x-home-made', 'aws-chunked, gzip', 'zstd'])
    ANSWERS[`/coded/${encodeURIComponent(coding)}`] = http(
      `${JSON_TYPE}\r\nContent-Encoding: ${coding}`,
      coding.endsWith('gzip') ? gzipSync('{"a":1}') : '{"a":1}',
    );
  ANSWERS['/coded/often'] = http(`${JSON_TYPE}\r\nContent-Encoding: ${'a,'.repeat(11)}`, '{"a":1}');
  ANSWERS['/coded/unknown'] = http(
    `${JSON_TYPE}\r\nContent-Encoding: br-new`,
    Buffer.from([0xff, 0xfe, 0x80, 0x00]),
  );
  let raw: RawServer;
  let sent: { readonly url: string; readonly body: string }[] = [];
  beforeAll(async () => {
    raw = await startRaw((path) => ANSWERS[path] ?? http('Content-Length: 0', '', '404 No'));
  });
  afterAll(() => raw.close());

  /** Runs a step that calls the path and one that sends on what a reference to it returns. */
  async function run(url: string, path = '(response).body'): Promise<any> {
    sent = [];
    const first: any = method('0', url);
    const echo = method('1', `${remote.url}/200`, {
      request: {
        endpoint: `${remote.url}/200`,
        method: 'POST',
        header: {},
        body: {
          type: 'object',
          format: 'json',
          data: 'raw',
          fields: { value: `{%${first.color}.${path}%}` },
        },
      },
    });
    const before = remote.received.length;
    const runId = await started(service, await saved(service, workflow([first, echo])), true);
    const result = await ended(service, runId);
    sent = remote.received.slice(before);
    const warnings = (await runEvents(service, runId))
      .filter(({ __typename: kind }: any) => kind === 'RunLog')
      .map(({ message }: any) => message);
    return {
      error: result.error?.message,
      code: result.error?.code,
      value: sent[0] && JSON.parse(sent[0].body).value,
      warnings,
    };
  }

  it.each([
    ['/utf-8', 'X-City', 'Köln, 東京'],
    ['/utf-8', 'X-Old', 'Köln'],
    ['/moved', 'X-City', 'moved'],
    ['/big-headers', 'X-City', 'ok'],
  ])('has headers in UTF-8 or Latin-1, up to 64 KB: %s %s', async (path, name, value) => {
    expect(await run(raw.url + path, `(response).header.${name}`)).toMatchObject({ value });
  });

  it.each(['utf-8', 'none', 'aws-chunked', 'x-home-made', 'aws-chunked, gzip'])(
    'is read with a warning if its encoding %s is no compression',
    async (coding) => {
      const path = `/coded/${encodeURIComponent(coding)}`;
      expect(await run(raw.url + path)).toEqual({
        value: { a: 1 },
        warnings: [
          `The Content-Encoding ${JSON.stringify(coding.split(',')[0])} is no compression: the answer was read as it is.`,
        ],
      });
    },
  );

  it.each([
    ['/coded/zstd', 'RESPONSE_ENCODING_UNKNOWN', 'packed as "zstd"'],
    ['/coded/unknown', 'RESPONSE_ENCODING_UNKNOWN', 'packed as "br-new"'],
    ['/coded/often', 'OUTBOUND_BAD_RESPONSE', 'has 11 content codings; at most 10 are read'],
    [
      '/endless-headers',
      'OUTBOUND_TOO_LARGE',
      'headers of the answer from HOST are larger than 65536 bytes (the setting outbound.max-header-bytes)',
    ],
    [
      '/continue',
      'OUTBOUND_BAD_RESPONSE',
      'HOST sent "100 Continue", which the request did not ask for',
    ],
    ['/switching', 'OUTBOUND_BAD_RESPONSE', 'HOST switched to another protocol (status 101)'],
    [
      '/both-lengths',
      'OUTBOUND_BAD_RESPONSE',
      "Content-Length can't be present with Transfer-Encoding",
    ],
    ['/both-lengths-2', 'OUTBOUND_BAD_RESPONSE', 'Transfer-Encoding: chunked'],
    ['/ssh', 'OUTBOUND_BAD_RESPONSE', 'is not valid HTTP: Expected HTTP/'],
    [
      '/ntlm',
      'HTTP_STATUS_ERROR',
      'answered 401. It asks for Negotiate or NTLM (Windows authentication), which is not supported',
    ],
    ['/basic', 'HTTP_STATUS_ERROR', 'answered 401.'],
  ])('fails with what is wrong with it: %s', async (path, code, message) => {
    const result = await run(raw.url + path);
    expect(result).toMatchObject({ code, value: undefined });
    const { host } = new URL(raw.url);
    const expected = message.replace('HOST', host);
    if (path === '/basic') expect(result.error).toMatch(/answered 401\.$/);
    else expect(result.error).toContain(expected);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'is missing if it requires a client certificate over %s, and the error says so',
    async (version) => {
      const tls = {
        requestCert: true,
        minVersion: version,
        maxVersion: version,
        // A server asks for no certificate when it resumes a session.
        secureOptions: constants.SSL_OP_NO_TICKET,
      };
      const [strict, lenient] = await Promise.all(
        [true, false].map((rejectUnauthorized) =>
          startRaw((path) => (path === '/closed' ? Buffer.alloc(0) : http(JSON_TYPE)), {
            ...tls,
            rejectUnauthorized,
          }),
        ),
      );
      const ask = (url: string) =>
        service.api('POST', PATH, { body: { url, method: 'GET', sslOn: true } });
      try {
        expect((await ask(strict.url)).body.error).toContain('requires a client certificate');
        expect((await ask(lenient.url)).status).toBe(200);
        // The server has answered without a certificate, so it does not require one.
        expect((await ask(`${lenient.url}/closed`)).body.error).toMatch(/^No connection, or one/);
      } finally {
        await Promise.all([strict.close(), lenient.close()]);
      }
    },
  );
});

describe('the checker of status ranges', () => {
  const headers = {
    'X-Request-Id': '7f3c1a52-0c3b-4c0e-9d53-6a1f0e6b2d18',
    'Content-Type': 'text/plain',
  };
  const answer = (status: number, more: Partial<Seen> = {}): Seen => ({
    method: 'POST',
    path: PATH,
    status,
    headers: new Headers(headers),
    body: 'text',
    ...more,
  });

  it.each<[string, Seen, RegExp]>([
    ['another hundred', answer(302), /status 302 .* is not described/],
    [
      'a missing header',
      answer(201, { headers: new Headers({ 'Content-Type': 'text/plain' }) }),
      /X-Request-Id is missing/,
    ],
    [
      'content without a type',
      answer(201, { headers: new Headers({ 'X-Request-Id': headers['X-Request-Id'] }) }),
      /is undefined, described are/,
    ],
    ['content where there never is any', answer(204), /204 has a body/],
  ])('rejects %s', (_what, seen, words) => {
    expect(contract.problemsOf(seen).join('; ')).toMatch(words);
  });

  it('prefers the description of the exact status', () => {
    expect(contract.problemsOf(answer(403)).join('; ')).toMatch(
      /is text\/plain, described are application\/json/,
    );
  });
});
