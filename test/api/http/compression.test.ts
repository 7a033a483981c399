import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { createPages, fileSender } from '../../../src/pages/pages';
import { Reply, routesTagged } from '../../../src/platform/http/route';
import { configOf, openRestTransport } from '../../support/calls/rest-transport';
import type { RestTransport } from '../../support/calls/rest-transport';
import { startService } from '../../support/service/harness';
import { longIt } from '../../support/long';

const route = routesTagged('test');

const ofBytes = (bytes: number): { text: string } => ({
  text: 'x'.repeat(bytes - '{"text":""}'.length),
});

/** The second entry of the list is held back until `go` is called. */
const held = { go: (): void => undefined, wait: Promise.resolve() };
async function* slowList(): AsyncGenerator<string, void, void> {
  yield 'first'.repeat(20_000);
  await held.wait;
  yield 'last';
}
async function* shortList(): AsyncGenerator<string, void, void> {
  yield 'short';
}

const common = {
  needs: 'public',
  summary: 'A test.',
} as const;
const routes = [
  route('GET /bytes/:count', {
    ...common,
    params: z.object({ count: z.string().transform(Number) }),
    handle: async ({ params }) => ofBytes(params.count),
  }),
  route('GET /list', { ...common, handle: async () => slowList() }),
  route('GET /short', { ...common, handle: async () => shortList() }),
  route('GET /record', {
    ...common,
    handle: async () => new Reply(ofBytes(5_000), { ETag: '"7"' }),
  }),
  route('GET /image', {
    ...common,
    produces: 'image/*',
    handle: async () => new Reply(Buffer.alloc(5_000), { 'Content-Type': 'image/png' }),
  }),
  route('GET /events', {
    ...common,
    produces: 'text/event-stream',
    handle: async () => 'data: x\n\n'.repeat(1_000),
  }),
  route('GET /problem', {
    ...common,
    produces: 'application/problem+json',
    handle: async () => ofBytes(5_000),
  }),
];

let rest: RestTransport;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-ready-'));
  const script = join(folder, 'a.js');
  writeFileSync(script, `// ${'a script '.repeat(500)}`);
  for (const [suffix, pack] of [
    ['.br', brotliCompressSync],
    ['.gz', gzipSync],
  ] as const)
    writeFileSync(script + suffix, pack(readFileSync(script)));
  copyFileSync(script, join(folder, 'alone.js'));
  const [ready, alone] = [fileSender(script), fileSender(join(folder, 'alone.js'))];
  rest = await openRestTransport(routes, {
    handlers: [
      createPages({ config: configOf(), version: '1' }),
      (request, response, next) =>
        request.path === '/ready.js' ? ready(request, response, next) : next(),
      (request, response, next) =>
        request.path === '/alone.js' ? alone(request, response, next) : next(),
    ],
  });
});
afterAll(async () => {
  await rest.close();
  rmSync(folder, { recursive: true, force: true });
});

interface RawAnswer {
  readonly head: string;
  readonly coding: string | undefined;
  readonly body: Buffer;
}

/** Sends a request over a plain socket and returns the raw bytes. */
async function ask(path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect(rest.port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    );
    socket
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject);
  });
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\r\n\r\n');
  const head = all.subarray(0, end).toString();
  return {
    head,
    coding: /^content-encoding: (.*)$/im.exec(head)?.[1],
    body: /chunked/i.test(head) ? unchunked(all.subarray(end + 4)) : all.subarray(end + 4),
  };
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const line = bytes.indexOf('\r\n', at);
    const length = parseInt(bytes.subarray(at, line).toString(), 16);
    parts.push(bytes.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
  return Buffer.concat(parts);
}

const unpacked = ({ coding, body }: RawAnswer): string =>
  (coding === 'br'
    ? brotliDecompressSync(body)
    : coding === 'gzip'
      ? gunzipSync(body)
      : body
  ).toString();
const varies = ({ head }: RawAnswer): string => /^vary: (.*)$/im.exec(head)?.[1] ?? '';

describe('a response', () => {
  it.each([['gzip'], ['br']])(
    'above 1 KB is compressed with %s, a smaller one is not',
    async (coding) => {
      for (const bytes of [200, 1_023, 1_024])
        expect([
          bytes,
          (await ask(`/api/bytes/${bytes}`, { 'Accept-Encoding': coding })).coding,
        ]).toEqual([bytes, undefined]);
      for (const bytes of [1_025, 70_000]) {
        const answer = await ask(`/api/bytes/${bytes}`, { 'Accept-Encoding': coding });
        expect([bytes, answer.coding, unpacked(answer)]).toEqual([
          bytes,
          coding,
          JSON.stringify(ofBytes(bytes)),
        ]);
        expect(answer.body.length).toBeLessThan(bytes / 2);
      }
    },
  );

  it.each([
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['zstd', undefined],
    ['GZIP', 'gzip'],
    ['', undefined],
  ])('for Accept-Encoding %j uses %s and sets Vary', async (accepted, coding) => {
    for (const path of ['/api/bytes/5000', '/ready.js', '/alone.js']) {
      const answer = await ask(path, { 'Accept-Encoding': accepted });
      expect([path, answer.coding]).toEqual([path, coding]);
      expect(varies(answer)).toContain('Accept-Encoding');
    }
  });

  it('without Accept-Encoding is not compressed', async () => {
    for (const path of ['/api/bytes/5000', '/ready.js', '/alone.js'])
      expect([path, (await ask(path)).coding]).toEqual([path, undefined]);
  });

  it('is compressed for every text type but not for images and event streams', async () => {
    const headers = { 'Accept-Encoding': 'br' };
    for (const path of ['/', '/docs', '/assets/page.css', '/api/problem', '/api/list'])
      expect([path, (await ask(path, headers)).coding]).toEqual([path, 'br']);
    for (const path of ['/api/image', '/api/events'])
      expect([path, (await ask(path, headers)).coding]).toEqual([path, undefined]);
  });

  it('with an error status is compressed', async () => {
    const answer = await ask(`/api/${'x'.repeat(1_500)}`, { 'Accept-Encoding': 'gzip' });
    expect([answer.coding, JSON.parse(unpacked(answer)).message]).toEqual(['gzip', 'NOT_FOUND']);
  });

  it('keeps its strong ETag in every encoding and supports 304', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      expect((await ask('/api/record', { 'Accept-Encoding': coding })).head).toMatch(
        /^etag: "7"\r?$/im,
      );
      const again = await ask('/api/record', { 'Accept-Encoding': coding, 'If-None-Match': '"7"' });
      expect([again.head.split('\r\n')[0], again.body.length]).toEqual([
        'HTTP/1.1 304 Not Modified',
        0,
      ]);
    }
  });
});

describe('a streamed list', () => {
  it.each([['gzip'], ['br']])(
    'sends its first entries with %s before the next ones are available',
    async (coding) => {
      held.wait = new Promise((resolve) => {
        held.go = resolve;
      });
      const response = await fetch(`${rest.url}/api/list`, {
        headers: { 'Accept-Encoding': coding },
      });
      expect(response.headers.get('content-encoding')).toBe(coding);
      // `fetch` decompresses while it receives.
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      let seen = 0;
      while (seen < 65_536) seen += (await reader.read()).value?.length ?? 0;
      held.go();
      for (let part = await reader.read(); !part.done; part = await reader.read())
        seen += part.value.length;
      expect(seen).toBe(JSON.stringify(['first'.repeat(20_000), 'last']).length);
    },
  );

  it('is sent uncompressed with Content-Length when it is short', async () => {
    const answer = await ask('/api/short', { 'Accept-Encoding': 'br' });
    expect([
      answer.coding,
      answer.body.toString(),
      /^content-length: 9\r?$/im.test(answer.head),
    ]).toEqual([undefined, '["short"]', true]);
  });
});

describe('a precompressed file', () => {
  it('is sent as stored with the content type of the original', async () => {
    const script = readFileSync(join(folder, 'a.js'), 'utf8');
    for (const [accepted, coding, suffix] of [
      ['gzip, deflate, br', 'br', '.br'],
      ['gzip', 'gzip', '.gz'],
      ['identity', undefined, ''],
    ] as const) {
      const answer = await ask('/ready.js', { 'Accept-Encoding': accepted });
      expect([
        answer.coding,
        answer.body.equals(readFileSync(join(folder, `a.js${suffix}`))),
        unpacked(answer) === script,
      ]).toEqual([coding, true, true]);
      expect(answer.head).toMatch(/^content-type: text\/javascript/im);
      expect(answer.head).toMatch(/^cache-control: public, max-age=3600/im);
    }
  });

  it('has one ETag per encoding and supports 304', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(
        async (coding) =>
          /^etag: (.*)$/im.exec(
            (await ask('/ready.js', { 'Accept-Encoding': coding })).head,
          )?.[1] ?? '',
      ),
    );
    expect(new Set(tags).size).toBe(3);
    expect(
      (await ask('/ready.js', { 'Accept-Encoding': 'br', 'If-None-Match': tags[0] ?? '' })).head,
    ).toMatch(/^HTTP\/1.1 304/);
    expect(
      (await ask('/ready.js', { 'Accept-Encoding': 'gzip', 'If-None-Match': tags[0] ?? '' })).head,
    ).toMatch(/^HTTP\/1.1 200/);
  });
});

longIt('GraphQL responses above 1 KB are compressed', async () => {
  const service = await startService();
  try {
    const fields = {
      query: `{ ${Array.from({ length: 20 }, (_, at) => `a${at}: me { id databaseId email }`).join(' ')} }`,
    };
    const send = (coding: string): Promise<Response> =>
      fetch(`${service.url}/graphql`, {
        method: 'POST',
        body: JSON.stringify(fields),
        headers: {
          'Content-Type': 'application/json',
          Authorization: service.adminToken,
          'Accept-Encoding': coding,
        },
      });
    for (const coding of ['gzip', 'br']) {
      const answer = await send(coding);
      expect([
        answer.headers.get('content-encoding'),
        Object.keys(((await answer.json()) as { data: object }).data).length,
      ]).toEqual([coding, 20]);
    }
  } finally {
    await service.close();
  }
});
