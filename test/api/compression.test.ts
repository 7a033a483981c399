import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { createPages, fileSender } from '../../src/pages/pages';
import { Reply, route } from '../../src/platform/http/route';
import { configOf, exchange, openRestDoor } from '../support/rest-door';
import type { RestDoor } from '../support/rest-door';
import { startService } from '../support/harness';
import { longIt } from '../support/long';

/** A JSON text of this many bytes. */
const ofBytes = (bytes: number): { text: string } => ({
  text: 'x'.repeat(bytes - '{"text":""}'.length),
});

/** A list whose second entry comes when the test lets it. */
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
  method: 'get',
  needs: 'public',
  tag: 'test',
  summary: 'A test.',
  success: 200,
} as const;
const routes = [
  route({
    ...common,
    path: '/bytes/:count',
    params: z.object({ count: z.string().transform(Number) }),
    handle: async ({ params }) => ofBytes(params.count),
  }),
  route({ ...common, path: '/list', handle: async () => slowList() }),
  route({ ...common, path: '/short', handle: async () => shortList() }),
  route({
    ...common,
    path: '/record',
    handle: async () => new Reply(ofBytes(5_000), { ETag: '"7"' }),
  }),
  route({
    ...common,
    path: '/image',
    produces: 'image/*',
    handle: async () => new Reply(Buffer.alloc(5_000), { 'Content-Type': 'image/png' }),
  }),
  route({
    ...common,
    path: '/events',
    produces: 'text/event-stream',
    handle: async () => 'data: x\n\n'.repeat(1_000),
  }),
  route({
    ...common,
    path: '/problem',
    produces: 'application/problem+json',
    handle: async () => ofBytes(5_000),
  }),
];

let door: RestDoor;
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
  door = await openRestDoor(routes, {
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
  await door.close();
  rmSync(folder, { recursive: true, force: true });
});

interface RawAnswer {
  readonly head: string;
  readonly coding: string | undefined;
  readonly body: Buffer;
}

/** Asks as no client of ours would, and gives the bytes as they came. */
async function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawAnswer> {
  const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect(door.port, '127.0.0.1', () =>
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
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

describe('an answer', () => {
  it.each([['gzip'], ['br']])('above 1 KB comes as %s, one of 1 KB as it is', async (coding) => {
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
  });

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
  ])(
    'for Accept-Encoding %j comes as %s, and says that it differs by that',
    async (accepted, coding) => {
      for (const path of ['/api/bytes/5000', '/ready.js', '/alone.js']) {
        const answer = await ask(path, { 'Accept-Encoding': accepted });
        expect([path, answer.coding]).toEqual([path, coding]);
        expect(varies(answer)).toContain('Accept-Encoding');
      }
    },
  );

  it('comes as it is to who does not say what he takes', async () => {
    for (const path of ['/api/bytes/5000', '/ready.js', '/alone.js'])
      expect([path, (await ask(path)).coding]).toEqual([path, undefined]);
  });

  it('of every kind of text is compressed, pictures and events are not', async () => {
    const taken = { 'Accept-Encoding': 'br' };
    for (const path of ['/', '/docs', '/assets/page.css', '/api/problem', '/api/list'])
      expect([path, (await ask(path, taken)).coding]).toEqual([path, 'br']);
    for (const path of ['/api/image', '/api/events'])
      expect([path, (await ask(path, taken)).coding]).toEqual([path, undefined]);
  });

  it('that fails is compressed like others', async () => {
    const answer = await ask(`/api/${'x'.repeat(1_500)}`, { 'Accept-Encoding': 'gzip' });
    expect([answer.coding, JSON.parse(unpacked(answer)).message]).toEqual(['gzip', 'NOT_FOUND']);
  });

  it('keeps its strong ETag in every coding, and is 304 by it', async () => {
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

  it('to HEAD has the same type and no body', async () => {
    const { head, body } = await ask('/api/bytes/5000', { 'Accept-Encoding': 'br' }, 'HEAD');
    expect([/^content-type: application\/json/im.test(head), body.length]).toEqual([true, 0]);
  });
});

describe('a list that is sent while it is read', () => {
  it.each([['gzip'], ['br']])(
    'shows its first entries as %s while the next ones are not there',
    async (coding) => {
      held.wait = new Promise((resolve) => {
        held.go = resolve;
      });
      const response = await fetch(`${door.url}/api/list`, {
        headers: { 'Accept-Encoding': coding },
      });
      expect(response.headers.get('content-encoding')).toBe(coding);
      // `fetch` unpacks what comes, as it comes.
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      let seen = 0;
      while (seen < 65_536) seen += (await reader.read()).value?.length ?? 0;
      held.go();
      for (let part = await reader.read(); !part.done; part = await reader.read())
        seen += part.value.length;
      expect(seen).toBe(JSON.stringify(['first'.repeat(20_000), 'last']).length);
    },
  );

  it('is not compressed when it is short, and says its length', async () => {
    const answer = await ask('/api/short', { 'Accept-Encoding': 'br' });
    expect([
      answer.coding,
      answer.body.toString(),
      /^content-length: 9\r?$/im.test(answer.head),
    ]).toEqual([undefined, '["short"]', true]);
  });
});

describe('a file that the build made ready', () => {
  it('is sent as it lies there, with the type of the file itself', async () => {
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

  it('has an ETag for each coding, and 304 by it', async () => {
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

longIt('GraphQL answers above 1 KB are compressed too', async () => {
  const service = await startService();
  try {
    const fields = {
      query: `{ ${Array.from({ length: 20 }, (_, at) => `a${at}: me { id databaseId email }`).join(' ')} }`,
    };
    const asked = (coding: string): Promise<Response> =>
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
      const answer = await asked(coding);
      expect([
        answer.headers.get('content-encoding'),
        Object.keys(((await answer.json()) as { data: object }).data).length,
      ]).toEqual([coding, 20]);
    }
    const received = await exchange(
      { port: Number(new URL(service.url).port) },
      'GET /openapi.json HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n',
    );
    expect(received).toMatch(/content-encoding: br/i);
  } finally {
    await service.close();
  }
});
