import { once } from 'node:events';
import { createServer, Agent, get } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { readJson } from '../../../src/platform/http/body/json-body';
import { readMultipart } from '../../../src/platform/http/body/multipart-body';
import { clientAddress, trustedProxies } from '../../../src/platform/trusted-proxies';
import {
  createArrivalReader,
  createOriginReader,
  newRequestId,
} from '../../../src/platform/http/origin';
import { HttpServer } from '../../../src/platform/http/server';
import { Reply, routesTagged } from '../../../src/platform/http/route';
import { configOf, openRestTransport } from '../../support/calls/rest-transport';

const route = routesTagged('t');

const HOUR_MS = 3_600_000;

const GET = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';

async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(socket, 'close');
  return text;
}

describe('a stopping server', () => {
  it('finishes the current request, closes that connection and accepts no new ones', async () => {
    let answer: () => void = () => undefined;
    const http = new HttpServer((_request, response) => {
      answer = () => response.end('done');
    });
    const { port } = await http.listen('127.0.0.1', 0);
    const client = connect(port, '127.0.0.1');
    client.write(GET);
    await once(http.server, 'request');
    const stopped = http.stop();
    const refused = connect(port, '127.0.0.1');
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const text = received(client);
    answer();
    expect(await text).toMatch(/^HTTP\/1\.1 200[\s\S]*Connection: close[\s\S]*done$/);
    await stopped;
  });

  it('answers a request that arrives while it stops', async () => {
    const http = new HttpServer((_request, response) => response.end('in time'));
    const { port } = await http.listen('127.0.0.1', 0);
    const client = connect(port, '127.0.0.1');
    await once(http.server, 'connection');
    const stopped = http.stop();
    client.write(GET);
    expect(await received(client)).toMatch(/Connection: close[\s\S]*in time$/);
    await stopped;
  });

  it('closes idle connections at once and answers the first request of a new one', async () => {
    const http = new HttpServer((_request, response) => response.end('in time'));
    const { port } = await http.listen('127.0.0.1', 0);
    const idle = connect(port, '127.0.0.1');
    idle.write(GET);
    await once(idle, 'data');
    const late = connect(port, '127.0.0.1');
    await once(http.server, 'connection');
    const closed = once(idle, 'close');
    const stopped = http.stop(HOUR_MS);
    late.write(GET);
    expect(await received(late)).toMatch(/in time$/);
    await Promise.all([closed, stopped]);
  });

  it('closes connections at once that never sent a request', async () => {
    const http = new HttpServer((_request, response) => response.end());
    const { port } = await http.listen('127.0.0.1', 0);
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve) => {
      get({ port, host: '127.0.0.1', agent }, (response) => response.resume().on('end', resolve));
    });
    const silent = connect(port, '127.0.0.1');
    await once(http.server, 'connection');
    const closed = once(silent, 'close');
    await http.stop(HOUR_MS);
    await closed;
    agent.destroy();
  });

  it('closes a connection after its started response ends', async () => {
    let finish: () => void = () => undefined;
    const http = new HttpServer((_request, response) => {
      response.write('begun ');
      finish = () => response.end('ended');
    });
    const { port } = await http.listen('127.0.0.1', 0);
    const client = connect(port, '127.0.0.1');
    const text = received(client);
    client.write(GET);
    await once(client, 'data');
    const stopped = http.stop(10_000);
    finish();
    await stopped;
    expect(await text).toMatch(/begun[\s\S]*ended/);
  });

  it('closes open connections after the deadline, and may be stopped twice', async () => {
    const http = new HttpServer(() => undefined);
    const { port } = await http.listen('127.0.0.1', 0);
    const client = connect(port, '127.0.0.1');
    client.write(GET);
    client.on('error', () => undefined);
    await once(http.server, 'request');
    const closed = once(client, 'close');
    await Promise.all([http.stop(20), http.stop(20)]);
    await closed;
    await http.stop();
  });

  it('rejects with the reason when it cannot listen', async () => {
    const first = new HttpServer(() => undefined);
    const { port } = await first.listen('127.0.0.1', 0);
    await expect(new HttpServer(() => undefined).listen('127.0.0.1', port)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await first.stop();
  });

  it('has timeouts for slow senders', () => {
    const { server } = new HttpServer(() => undefined);
    expect(server.headersTimeout).toBe(15_000);
    expect(server.requestTimeout).toBe(120_000);
  });
});

describe('a client that disconnects during its body', () => {
  it.each([
    [
      'JSON',
      'application/json',
      (request: Parameters<typeof readJson>[0]) => readJson(request, 1000),
      '{"a":',
    ],
    [
      'a form',
      'multipart/form-data; boundary=b',
      (request: Parameters<typeof readJson>[0]) => readMultipart(request, 'file', 1000),
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
  ])('ends the reading of %s before and after it starts', async (_name, type, read, start) => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const leaveFirst of [true, false]) {
      const client = connect(port, '127.0.0.1');
      client.write(
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 900\r\n\r\n${start}`,
      );
      const [request] = await once(server, 'request');
      const close = once(request, 'close').catch(() => undefined);
      const reading = leaveFirst ? undefined : read(request);
      client.destroy();
      if (leaveFirst) await close;
      await expect(reading ?? read(request)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    server.close();
  });
});

describe('the client address', () => {
  it('is the peer address unless a trusted proxy forwards another one', () => {
    const trusted = trustedProxies(['loopback', '10.0.0.0/8', '192.0.2.1']);
    expect(clientAddress('203.0.113.9', '1.1.1.1', trusted)).toBe('203.0.113.9');
    expect(clientAddress('127.0.0.1', undefined, trusted)).toBe('127.0.0.1');
    expect(clientAddress('::ffff:127.0.0.1', '9.9.9.9, 203.0.113.9, 10.1.2.3', trusted)).toBe(
      '203.0.113.9',
    );
    expect(clientAddress('::1', 'nonsense, 203.0.113.9', trusted)).toBe('203.0.113.9');
    expect(clientAddress('192.0.2.1', '10.0.0.5', trusted)).toBe('10.0.0.5');
    expect(clientAddress('127.0.0.1', '9.9.9.9, unknown, 203.0.113.9:4711', trusted)).toBe(
      '9.9.9.9',
    );
    expect(clientAddress('127.0.0.1', '2001:DB8:0::1', trusted)).toBe('2001:db8::1');
    for (const wrong of ['proxy.example.com', '10.0.0.0/33', '10.0.0.0/x', '0.0.0.0/0', ''])
      expect(() => trustedProxies([wrong])).toThrow(/address/);
  });

  it('and the base URL use forwarded headers only behind a trusted proxy', async () => {
    const baseUrl = async (env: Record<string, string>, headers: Record<string, string>) => {
      const originOf = createOriginReader(configOf(env));
      const http = new HttpServer((request, response) =>
        response.end(JSON.stringify(originOf(request))),
      );
      const { port } = await http.listen('127.0.0.1', 0);
      const answer = (await (await fetch(`http://127.0.0.1:${port}/`, { headers })).json()) as {
        baseUrl: string;
        address: string;
      };
      await http.stop();
      return [answer.baseUrl.replace(String(port), 'PORT'), answer.address];
    };
    const forwarded = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'hypha.example.com',
    };
    expect(await baseUrl({}, forwarded)).toEqual(['http://127.0.0.1:PORT', '127.0.0.1']);
    expect(await baseUrl({ HYPHA_TRUSTED_PROXIES: 'loopback' }, forwarded)).toEqual([
      'https://hypha.example.com',
      '203.0.113.9',
    ]);
    expect(
      await baseUrl(
        { HYPHA_TRUSTED_PROXIES: 'loopback' },
        { ...forwarded, 'X-Forwarded-Host': 'a"><script>' },
      ),
    ).toEqual(['https://127.0.0.1:PORT', '203.0.113.9']);
    expect(await baseUrl({ HYPHA_PUBLIC_URL: 'https://public.example.com' }, forwarded)).toEqual([
      'https://public.example.com',
      '127.0.0.1',
    ]);
  });
});

describe('a WebSocket upgrade request', () => {
  const arrivalOf = createArrivalReader(configOf({ HYPHA_TRUSTED_PROXIES: '192.0.2.1' }));
  const arrived = (headers: Record<string, string>, remoteAddress = '192.0.2.1') => {
    let reads = 0;
    const socket = {
      get remoteAddress() {
        reads += 1;
        return remoteAddress;
      },
    };
    return {
      arrival: arrivalOf({ headers: { host: 'hypha.example.com', ...headers }, socket } as never),
      reads: () => reads,
    };
  };

  it('reads the remote address lazily and only once', () => {
    const { arrival, reads } = arrived({ 'x-forwarded-for': '203.0.113.9' });
    expect([arrival.ownOrigin, reads()]).toEqual(['http://hypha.example.com', 0]);
    expect([
      arrival.origin.address,
      arrival.origin.network,
      arrival.origin.requestId,
      reads(),
    ]).toEqual(['203.0.113.9', '203.0.113.9', arrival.requestId, 1]);
  });

  it('uses forwarded headers only from a trusted proxy', () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example.com' };
    expect(arrived(forwarded).arrival.ownOrigin).toBe('https://public.example.com');
    expect(arrived(forwarded, '198.51.100.7').arrival.ownOrigin).toBe('http://hypha.example.com');
  });
});

it('request ids are unique, random UUIDs of version 4', () => {
  const ids = Array.from({ length: 5_000 }, newRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // Every other position takes all sixteen digits.
  const digits = ids.map((id) => id.replaceAll('-', ''));
  for (const place of Array.from({ length: 32 }, (_, nth) => nth))
    if (place !== 12 && place !== 16) expect(new Set(digits.map((id) => id[place])).size).toBe(16);
});

describe('a streamed list', () => {
  const listOf = (entries: () => AsyncGenerator<unknown>) =>
    route('GET /list', {
      needs: 'public',
      summary: 's',
      handle: async () => ({ entries: entries() }),
    });

  it('is complete for GET and empty for HEAD', async () => {
    const rest = await openRestTransport([
      listOf(async function* () {
        for (let id = 0; id < 50_000; id += 1) yield { id };
      }),
    ]);
    const answer = await rest.call('GET', '/api/list');
    expect([
      answer.headers.get('content-type'),
      answer.json.entries.length,
      answer.json.entries.at(-1),
    ]).toEqual(['application/json; charset=utf-8', 50_000, { id: 49_999 }]);
    const head = await rest.call('HEAD', '/api/list');
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ]);
    await rest.close();
  });

  it('becomes an error response when it fails before the first chunk, and a closed connection later', async () => {
    const failing = (after: number) =>
      async function* () {
        for (let id = 0; id < after; id += 1) yield { id, text: 'x'.repeat(1_000) };
        throw new Error('the store is away');
      };
    for (const after of [0, 10]) {
      const early = await openRestTransport([listOf(failing(after))]);
      expect(await early.call('GET', '/api/list')).toMatchObject({
        status: 500,
        json: { message: 'INTERNAL_SERVER_ERROR' },
      });
      await early.close();
    }
    const late = await openRestTransport([listOf(failing(5_000))]);
    await expect(late.call('GET', '/api/list')).rejects.toThrow();
    await late.close();
    expect(late.lines.filter((line) => line.level === 'error')).toMatchObject([
      { msg: 'fault', err: { message: 'the store is away' } },
    ]);
  });

  it('applies backpressure and stops when the client disconnects', async () => {
    let made = 0;
    let ended: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const rest = await openRestTransport([
      listOf(async function* () {
        try {
          for (; ; made += 1) yield 'x'.repeat(10_000);
        } finally {
          ended();
        }
      }),
    ]);
    const client = connect(rest.port, '127.0.0.1');
    client.write('GET /api/list HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
    client.pause();
    let before = -1;
    // Wait until the buffers are full and no more entries are produced.
    while (before !== made) {
      before = made;
      // These requests let the event loop complete pending writes.
      for (let others = 0; others < 50; others += 1) await rest.call('GET', '/api/nothing');
    }
    expect(made).toBeLessThan(10_000);
    client.destroy();
    await over;
    await rest.close();
  });
});

describe('a response that fails midway', () => {
  it('closes the connection and is logged once', async () => {
    const broken = () =>
      Readable.from(
        (function* () {
          yield 'start';
          throw new Error('the disk is away');
        })(),
      );
    const rest = await openRestTransport([
      route('GET /broken', {
        needs: 'public',
        summary: 's',
        handle: async () => new Reply(broken(), { 'Content-Type': 'text/plain' }),
      }),
    ]);
    await expect(rest.call('GET', '/api/broken')).rejects.toThrow();
    await rest.close();
    expect(rest.lines.filter((line) => line.level === 'error')).toMatchObject([
      { msg: 'fault', err: { message: 'the disk is away' } },
    ]);
  });
});
