import { once } from 'node:events';
import { createServer, Agent, get } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { readJson } from '../../src/platform/http/json-body';
import { readMultipart } from '../../src/platform/http/multipart-body';
import { clientAddress, trustedProxies } from '../../src/platform/http/trusted-proxies';
import {
  createArrivalReader,
  createOriginReader,
  newRequestId,
} from '../../src/platform/http/origin';
import { createHttpServer } from '../../src/platform/http/server';
import { Reply, route } from '../../src/platform/http/route';
import { configOf, openRestDoor } from '../support/rest-door';

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
  it('finishes the request it is in, closes that connection, and accepts nothing new', async () => {
    let answer: () => void = () => undefined;
    const http = createHttpServer((_request, response) => {
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

  it('answers the request that was on its way when it began to stop', async () => {
    const http = createHttpServer((_request, response) => response.end('in time'));
    const { port } = await http.listen('127.0.0.1', 0);
    const client = connect(port, '127.0.0.1');
    await once(http.server, 'connection');
    const stopped = http.stop();
    client.write(GET);
    expect(await received(client)).toMatch(/Connection: close[\s\S]*in time$/);
    await stopped;
  });

  it('closes idle connections without waiting for its time limit, also when a new one has sent nothing yet', async () => {
    const http = createHttpServer((_request, response) => response.end('in time'));
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

  it('closes idle connections without waiting for its time limit, also those that never sent a request', async () => {
    const http = createHttpServer((_request, response) => response.end());
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

  it('closes a connection whose answer had begun when it ends', async () => {
    let finish: () => void = () => undefined;
    const http = createHttpServer((_request, response) => {
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

  it('cuts what is still open after the deadline, and may be told to stop twice', async () => {
    const http = createHttpServer(() => undefined);
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

  it('says why it cannot listen', async () => {
    const first = createHttpServer(() => undefined);
    const { port } = await first.listen('127.0.0.1', 0);
    await expect(createHttpServer(() => undefined).listen('127.0.0.1', port)).rejects.toMatchObject(
      { code: 'EADDRINUSE' },
    );
    await first.stop();
  });

  it('gives slow senders up', () => {
    const { server } = createHttpServer(() => undefined);
    expect(server.headersTimeout).toBe(15_000);
    expect(server.requestTimeout).toBe(120_000);
  });
});

describe('a client that leaves in the middle of its body', () => {
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
  ])('ends the reading of %s, before it and in it', async (_name, type, read, start) => {
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
      const gone = once(request, 'close').catch(() => undefined);
      const reading = leaveFirst ? undefined : read(request);
      client.destroy();
      if (leaveFirst) await gone;
      await expect(reading ?? read(request)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    server.close();
  });
});

describe('the address of a client', () => {
  it('is the peer, unless a trusted proxy says otherwise', () => {
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

  it('and the base URL come from forwarded headers only behind a trusted proxy', async () => {
    const baseUrl = async (env: Record<string, string>, headers: Record<string, string>) => {
      const originOf = createOriginReader(configOf(env));
      const http = createHttpServer((request, response) =>
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

describe('a request that becomes a socket', () => {
  const arrivalOf = createArrivalReader(configOf({ HYPHA_TRUSTED_PROXIES: '192.0.2.1' }));
  const arrived = (headers: Record<string, string>, remoteAddress = '192.0.2.1') => {
    let asked = 0;
    const socket = {
      get remoteAddress() {
        asked += 1;
        return remoteAddress;
      },
    };
    return {
      arrival: arrivalOf({ headers: { host: 'hypha.example.com', ...headers }, socket } as never),
      asked: () => asked,
    };
  };

  it('asks the connection for its other end when somebody wants to know, and once', () => {
    const { arrival, asked } = arrived({ 'x-forwarded-for': '203.0.113.9' });
    expect([arrival.ownOrigin, asked()]).toEqual(['http://hypha.example.com', 0]);
    expect([
      arrival.origin.address,
      arrival.origin.network,
      arrival.origin.requestId,
      asked(),
    ]).toEqual(['203.0.113.9', '203.0.113.9', arrival.requestId, 1]);
  });

  it('is believed what a proxy says of it only where that is trusted', () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example.com' };
    expect(arrived(forwarded).arrival.ownOrigin).toBe('https://public.example.com');
    expect(arrived(forwarded, '198.51.100.7').arrival.ownOrigin).toBe('http://hypha.example.com');
  });
});

it('gives requests random UUIDs of version 4, each another one', () => {
  const ids = Array.from({ length: 5_000 }, newRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // Every other digit is each of the sixteen somewhere.
  const digits = ids.map((id) => id.replaceAll('-', ''));
  for (const place of Array.from({ length: 32 }, (_, nth) => nth))
    if (place !== 12 && place !== 16) expect(new Set(digits.map((id) => id[place])).size).toBe(16);
});

describe('a list that is written while it is read', () => {
  const listOf = (entries: () => AsyncGenerator<unknown>) =>
    route({
      method: 'get',
      path: '/list',
      needs: 'public',
      tag: 't',
      summary: 's',
      success: 200,
      handle: async () => ({ entries: entries() }),
    });

  it('comes whole, for HEAD without its entries', async () => {
    const door = await openRestDoor([
      listOf(async function* () {
        for (let id = 0; id < 50_000; id += 1) yield { id };
      }),
    ]);
    const answer = await door.call('GET', '/api/list');
    expect([
      answer.headers.get('content-type'),
      answer.json.entries.length,
      answer.json.entries.at(-1),
    ]).toEqual(['application/json; charset=utf-8', 50_000, { id: 49_999 }]);
    const head = await door.call('HEAD', '/api/list');
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'application/json; charset=utf-8',
    ]);
    await door.close();
  });

  it('is an error like any other when it fails before the first piece, and a cut connection later', async () => {
    const failing = (after: number) =>
      async function* () {
        for (let id = 0; id < after; id += 1) yield { id, text: 'x'.repeat(1_000) };
        throw new Error('the store is away');
      };
    for (const after of [0, 10]) {
      const early = await openRestDoor([listOf(failing(after))]);
      expect(await early.call('GET', '/api/list')).toMatchObject({
        status: 500,
        json: { message: 'INTERNAL_SERVER_ERROR' },
      });
      await early.close();
    }
    const late = await openRestDoor([listOf(failing(5_000))]);
    await expect(late.call('GET', '/api/list')).rejects.toThrow();
    await late.close();
    expect(late.lines.filter((line) => line.level === 'error')).toMatchObject([
      { msg: 'fault', err: { message: 'the store is away' } },
    ]);
  });

  it('is read no faster than the client takes it, and no further when he leaves', async () => {
    let made = 0;
    let ended: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const door = await openRestDoor([
      listOf(async function* () {
        try {
          for (; ; made += 1) yield 'x'.repeat(10_000);
        } finally {
          ended();
        }
      }),
    ]);
    const client = connect(door.port, '127.0.0.1');
    client.write('GET /api/list HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
    client.pause();
    let before = -1;
    // Until the buffers between the two are full: then nothing is made any more.
    while (before !== made) {
      before = made;
      // Whatever could still be written has been when so many others were answered on the same loop.
      for (let others = 0; others < 50; others += 1) await door.call('GET', '/api/nothing');
    }
    expect(made).toBeLessThan(10_000);
    client.destroy();
    await over;
    await door.close();
  });
});

describe('an answer that breaks off', () => {
  it('cuts the connection and is logged once', async () => {
    const broken = () =>
      Readable.from(
        (function* () {
          yield 'start';
          throw new Error('the disk is away');
        })(),
      );
    const door = await openRestDoor([
      route({
        method: 'get',
        path: '/broken',
        needs: 'public',
        tag: 't',
        summary: 's',
        success: 200,
        handle: async () => new Reply(broken(), { 'Content-Type': 'text/plain' }),
      }),
    ]);
    await expect(door.call('GET', '/api/broken')).rejects.toThrow();
    await door.close();
    expect(door.lines.filter((line) => line.level === 'error')).toMatchObject([
      { msg: 'fault', err: { message: 'the disk is away' } },
    ]);
  });
});
