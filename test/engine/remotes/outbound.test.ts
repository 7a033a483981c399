import { getEventListeners } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import dns from 'node:dns';
import type { lookup as dnsLookup, LookupAddress } from 'node:dns';
import { gzipSync, brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { createAddressPolicy, OutboundError } from '../../../src/platform/outbound';
import type {
  OutboundConfig,
  OutboundRequest,
  OutboundResponse,
} from '../../../src/platform/outbound';
import { pinnedLookup } from '../../../src/platform/outbound/address-policy';
import { CallProgress } from '../../../src/platform/outbound/call-progress';
import { NameLookups } from '../../../src/platform/outbound/name-lookups';
import { nextHop } from '../../../src/platform/outbound/redirect';
import type { Hop } from '../../../src/platform/outbound/redirect';
import { createTargets, readTarget, Target } from '../../../src/platform/outbound/target';
import { isHarmlessHeader } from '../../../src/platform/secrets';
import { answerJson, startRemote } from '../support/remote';
import { openOutbound } from '../support/run';
import { rounds } from '../../support/rounds';
import { startUntrusted } from '../../support/peers/untrusted-server';
import { longIt } from '../../support/long';
import { openForTests } from '../../support/open-for-tests';

const never = new AbortController().signal;
const open = createAddressPolicy({ deny: [], allow: [] });

/** One call through a new outbound client. */
async function call(
  url: string,
  config: Partial<OutboundConfig> = {},
  request: Partial<OutboundRequest> = {},
  signal = never,
): Promise<OutboundResponse> {
  const outbound = openOutbound(config);
  try {
    return await outbound.send(
      { method: 'GET', url, headers: {}, timeoutMs: 60_000, ...request },
      signal,
    );
  } finally {
    await outbound.close();
  }
}

const codeOf = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundError ? error.code : String(error)),
  );

describe('the target of a call', () => {
  const piece = fc.constantFrom(
    ...['/', '.', '..', '%2e', '%', '?', '#', '@', ':', '\\', ' ', '\t', '|', '^', '{'],
    ...["'", '"', '<', '`', 'a', 'B', '7', '-', '_', '~', '!', '$', '&', '(', '*', '+'],
    ...[',', ';', '=', 'é', '\u{1f600}', '//'],
  );
  const place = fc.constantFrom(
    'http://a.example',
    'https://A.example:443',
    'http://127.0.0.1:8080',
    'http://0x7f.1',
    'http://[::1]:80',
    'http://u:p@a.example',
    'ftp://a.example',
    'http://a b',
    'http://a:b',
    'HTTP://a.example',
    'http://169.254.1.1',
    '',
  );

  it('matches that of the URL parser, also for a known place', () => {
    const resultOf = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        return (error as OutboundError).code;
      }
    };
    const targetOf = createTargets(open);
    fc.assert(
      fc.property(place, fc.array(piece, { maxLength: 12 }), (start, pieces) => {
        const text = `${start}/${pieces.join('')}`;
        const expected = resultOf(() => {
          const { origin, pathname, search } = readTarget(text, open);
          return [origin, pathname + search];
        });
        for (let time = 0; time < 2; time += 1)
          expect(
            resultOf(() => {
              const { origin, path } = targetOf(text);
              return [origin, path];
            }),
          ).toEqual(expected);
      }),
      { numRuns: rounds(5_000) },
    );
  });
});

describe('an untrusted certificate', () => {
  it('is rejected unless the call accepts it, decided per call', async () => {
    const untrusted = await startUntrusted((_request, response) => response.end('"hello"'));
    const outbound = openOutbound({});
    const send = async (verifyTls?: boolean): Promise<string> =>
      outbound
        .send(
          { method: 'GET', url: untrusted.url, headers: {}, timeoutMs: 60_000, verifyTls },
          never,
        )
        .then(
          ({ body }) => body.toString(),
          (error: unknown) => (error instanceof OutboundError ? error.code : String(error)),
        );
    // Sequential calls: a connection without validation must not be reused with validation.
    expect([
      await send(),
      await send(false),
      await send(true),
      await send(false),
      await send(),
    ]).toEqual([
      'OUTBOUND_TLS_FAILED',
      '"hello"',
      'OUTBOUND_TLS_FAILED',
      '"hello"',
      'OUTBOUND_TLS_FAILED',
    ]);
    await outbound.close();
    await untrusted.close();
  });
});

describe('the address policy', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '172.16.5.5',
    '::1',
    'fd12::1',
    '8.8.8.8',
    '2606:4700::1111',
    '::ffff:10.0.0.1',
  ])('allows %s', (address) => {
    expect(open.refusesAddress(address, 'host')).toBe(false);
  });

  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '100.100.100.200',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'ff02::1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    '::a9fe:a9fe%eth0',
    'no address',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '127.1',
    '010.0.0.1',
    '',
  ])('always denies %s', (address) => {
    expect(open.refusesAddress(address, 'host')).toBe(true);
    expect(
      createAddressPolicy({ deny: [], allow: ['host', '*'] }).refusesAddress(address, 'host'),
    ).toBe(true);
  });

  it('checks an embedded IPv4 address in an IPv6 address', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const hex = (high: number, low: number): string => (high * 256 + low).toString(16);
    const policy = createAddressPolicy({
      deny: ['10.0.0.0/8', '192.168.0.0/16', '8.8.8.8'],
      allow: [],
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(byte, byte, byte, byte),
          fc.tuple(
            fc.constantFrom(10, 192, 8, 169),
            fc.constantFrom(168, 8, 254),
            fc.constantFrom(8, 169),
            fc.constantFrom(8, 254),
          ),
        ),
        ([first, second, third, fourth]) => {
          const [plain, high, low] = [
            `${first}.${second}.${third}.${fourth}`,
            hex(first, second),
            hex(third, fourth),
          ];
          const refused = policy.refusesAddress(plain, 'host');
          for (const address of [
            `::ffff:${plain}`,
            `::ffff:${high}:${low}`,
            `::ffff:0:${high}:${low}`,
            `64:ff9b::${high}:${low}`,
            `64:ff9b::${plain}`,
            `2002:${high}:${low}::1`,
            `2002:${high}:${low}::1%eth0`,
          ]) {
            expect([address, policy.refusesAddress(address, 'host')]).toEqual([address, refused]);
          }
        },
      ),
    );
  });

  it('makes exceptions to always denied targets only by address', () => {
    const policy = createAddressPolicy({ deny: [], allow: ['169.254.10.0/24'] });
    expect(policy.refusesAddress('169.254.10.9', 'host')).toBe(false);
    expect(policy.refusesAddress('169.254.11.9', 'host')).toBe(true);
  });

  it('denies by host, domain, address and block, with exceptions', () => {
    const policy = createAddressPolicy({
      deny: ['Internal.example', '*.corp.example', '10.0.0.0/8', 'fd00::/8', '203.0.113.7'],
      allow: ['api.corp.example', '10.1.0.0/16'],
    });
    expect(policy.refusesAddress('10.2.0.1', 'x')).toBe(true);
    expect(policy.refusesAddress('10.1.0.1', 'x')).toBe(false);
    expect(policy.refusesAddress('::ffff:10.2.0.1', 'x')).toBe(true);
    expect(policy.refusesAddress('fd12::1', 'x')).toBe(true);
    expect(policy.refusesAddress('203.0.113.7', 'x')).toBe(true);
    expect(policy.refusesAddress('8.8.8.8', 'internal.EXAMPLE.')).toBe(true);
    expect(policy.refusesAddress('8.8.8.8', 'a.b.corp.example')).toBe(true);
    expect(policy.refusesAddress('10.2.0.1', 'api.corp.example')).toBe(false);
    expect(policy.refusesAddress('8.8.8.8', 'corp.example')).toBe(false);
  });

  it('denies everything outside the allow list with deny *', () => {
    const policy = createAddressPolicy({ deny: ['*'], allow: ['api.example', '10.0.0.0/8'] });
    expect([
      policy.refusesAddress('8.8.8.8', 'api.example'),
      policy.refusesAddress('10.0.0.1', 'other'),
      policy.refusesAddress('8.8.8.8', 'other'),
      policy.refusesAddress('8.8.8.8', '8.8.8.8'),
    ]).toEqual([false, false, true, true]);
    expect(
      createAddressPolicy({ deny: ['*'], allow: ['api.example'] }).refusesHost('other.example'),
    ).toBe(true);
  });

  it.each([
    '10/8',
    '0x7f.0.0.1',
    '010.0.0.1',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/33',
    '300.1.1.1',
    'http://x',
    'a b',
    '1.2.3',
    '::1/129',
    'x*.example',
  ])('rejects the rule %s', (rule) => {
    expect(() => createAddressPolicy({ deny: [rule], allow: [] })).toThrow(TypeError);
  });
});

describe('name resolution', () => {
  const resolving = (...answers: LookupAddress[][]) =>
    ((
      _name: string,
      _options: unknown,
      callback: (error: null, addresses: LookupAddress[]) => void,
    ) => callback(null, answers.shift() ?? [])) as unknown as typeof dnsLookup;
  const ask = (addresses: LookupAddress[], all: boolean) =>
    new Promise((resolve) => {
      pinnedLookup(open, resolving(addresses))('name.example', { all }, (error, address) =>
        resolve(error === null ? address : (error as unknown as OutboundError).code),
      );
    });

  it('returns only checked addresses to the socket', async () => {
    const addresses = [
      { address: '169.254.169.254', family: 4 },
      { address: '10.0.0.1', family: 4 },
      { address: 'fe80::1', family: 6 },
    ];
    expect(await ask(addresses, true)).toEqual([{ address: '10.0.0.1', family: 4 }]);
    expect(await ask(addresses, false)).toBe('10.0.0.1');
    expect(await ask([{ address: '169.254.169.254', family: 4 }], true)).toBe(
      'OUTBOUND_ADDRESS_REFUSED',
    );
    expect(await ask([], false)).toBe('OUTBOUND_ADDRESS_REFUSED');
  });

  it('does not count towards a call, however often the name is resolved', () => {
    jest.useFakeTimers();
    try {
      const lookups = new NameLookups();
      const endings: (() => void)[] = [];
      const lookup = lookups.measured((_name, _options, callback) => {
        endings.push(() => callback(null, '10.0.0.1', 4));
      });
      const resolve = (ms: number): void => {
        lookup('name.example', {}, () => undefined);
        jest.advanceTimersByTime(ms);
        endings.shift()?.();
      };
      resolve(70);
      const target = new Target('https://name.example:8443', '/', 'https://name.example:8443/');
      const progress = new CallProgress(target, never, lookups, 60_000, '60000 ms');
      progress.open(target);
      resolve(500);
      jest.advanceTimersByTime(5);
      resolve(20);
      expect(progress.spentMs).toBe(5);
      progress.opened();
      resolve(30);
      expect(progress.spentMs).toBe(35);
      progress.dispose();
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('an outbound call', () => {
  const other = openForTests(() =>
    startRemote((request, response) => answerJson(response, { at: request.url })),
  );
  const remote = openForTests(() =>
    startRemote((request, response) => {
      const path = request.url.split('?')[0];
      const redirect = /^\/redirect\/(\d+)$/.exec(path);
      if (redirect !== null) {
        response.writeHead(Number(redirect[1]), { location: '/landed#x' });
        response.end('moved');
        return;
      }
      const countdown = /^\/count\/(\d+)$/.exec(path);
      if (countdown !== null && countdown[1] !== '0') {
        response.writeHead(302, { location: `/count/${Number(countdown[1]) - 1}` });
        response.end();
        return;
      }
      switch (path) {
        case '/away':
          response.writeHead(Number(request.url.split('?')[1] ?? 307), {
            location: `${other.url}/away`,
          });
          response.end();
          return;
        case '/to-metadata':
          response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' });
          response.end();
          return;
        case '/to-file':
          response.writeHead(302, { location: 'file:///etc/passwd' });
          response.end();
          return;
        case '/gzip':
          response.writeHead(200, { 'content-encoding': 'gzip' });
          response.end(gzipSync('packed'));
          return;
        case '/br':
          response.writeHead(200, { 'content-encoding': 'br' });
          response.end(brotliCompressSync('packed'));
          return;
        case '/deflate':
          response.writeHead(200, { 'content-encoding': 'deflate' });
          response.end(deflateSync('packed'));
          return;
        case '/deflate-raw':
          response.writeHead(200, { 'content-encoding': 'deflate' });
          response.end(deflateRawSync('packed'));
          return;
        case '/bomb':
          response.writeHead(200, { 'content-encoding': 'gzip' });
          response.end(gzipSync(Buffer.alloc(5_000_000)));
          return;
        case '/not-gzip':
          response.writeHead(200, { 'content-encoding': 'gzip' });
          response.end('oh no');
          return;
        case '/hang':
          return;
        case '/slow-redirect':
          response.writeHead(302, { location: '/landed' });
          response.write('x');
          return;
        case '/large-redirect':
          response.writeHead(302, { location: '/landed' });
          response.end('x'.repeat(200_000));
          return;
        case '/slow-body':
          response.writeHead(200);
          response.write('x');
          return;
        default:
          answerJson(response, { at: request.url });
      }
    }),
  );
  beforeEach(() => {
    remote.received.length = 0;
    other.received.length = 0;
  });

  it('returns status, headers and body', async () => {
    const answer = await call(
      `${remote.url}/x?y=1`,
      {},
      { method: 'POST', body: 'text', headers: { 'X-One': '1' } },
    );
    expect({
      status: answer.status,
      type: answer.headers['content-type'],
      body: answer.body.toString(),
    }).toEqual({ status: 200, type: 'application/json', body: '{"at":"/x?y=1"}' });
    expect(remote.received[0]).toMatchObject({
      method: 'POST',
      body: 'text',
      headers: { 'x-one': '1' },
    });
  });

  it.each([
    'http://169.254.169.254/',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://169.254.169.254./',
    'http://[fe80::1]/',
    'http://0/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./x',
  ])('rejects %s before a socket opens', async (url) => {
    expect(await codeOf(call(url))).toBe('OUTBOUND_ADDRESS_REFUSED');
  });

  it('rejects a name that resolves to a denied address', async () => {
    expect(
      await codeOf(
        call(remote.url.replace('127.0.0.1', 'localhost'), { deny: ['127.0.0.0/8', '::1'] }),
      ),
    ).toBe('OUTBOUND_ADDRESS_REFUSED');
    expect(await codeOf(call(remote.url, { deny: ['127.0.0.1'] }))).toBe(
      'OUTBOUND_ADDRESS_REFUSED',
    );
    expect(remote.received).toHaveLength(0);
    expect(await codeOf(call(remote.url, { deny: ['*'], allow: ['127.0.0.0/8'] }))).toBe(
      'answered',
    );
  });

  it.each([
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'data:,x',
    '/relative',
    '',
    'http://',
    'http://a b/',
    'javascript:1',
  ])('rejects the URL %p', async (url) => {
    expect(await codeOf(call(url))).toBe('OUTBOUND_BAD_URL');
  });

  it('connects to the checked addresses of a name', async () => {
    expect(
      (await call(`${remote.url.replace('127.0.0.1', 'localhost')}/named`)).body.toString(),
    ).toBe('{"at":"/named"}');
  });

  it('sends URL credentials as a header', async () => {
    await call(`${remote.url.replace('//', '//us%40er:p%C3%A4ss@')}/x`);
    expect(remote.received[0].headers.authorization).toBe(
      `Basic ${Buffer.from('us@er:päss').toString('base64')}`,
    );
  });

  describe('with a redirect', () => {
    it.each([
      [301, 'POST', 'GET', ''],
      [302, 'POST', 'GET', ''],
      [303, 'POST', 'GET', ''],
      [303, 'PUT', 'GET', ''],
      [301, 'PUT', 'PUT', 'text'],
      [307, 'POST', 'POST', 'text'],
      [308, 'DELETE', 'DELETE', 'text'],
    ])('of status %d sends %s on as %s', async (status, method, next, body) => {
      const answer = await call(
        `${remote.url}/redirect/${status}`,
        {},
        {
          method,
          body: 'text',
          headers: { 'Content-Type': 'text/plain', Authorization: 'Basic abc' },
        },
      );
      expect(answer.body.toString()).toBe('{"at":"/landed"}');
      expect(remote.received[1]).toMatchObject({
        method: next,
        body,
        url: '/landed',
        headers: { authorization: 'Basic abc' },
      });
      expect(remote.received[1].headers['content-type']).toBe(
        body === '' ? undefined : 'text/plain',
      );
    });

    it('forwards only harmless headers to another origin', async () => {
      const name = fc
        .oneof(
          fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,15}$/),
          fc.constantFrom(
            'Authorization',
            'Cookie',
            'X-Api-Key',
            'X-Plain',
            'Referer',
            'Accept',
            'Content-Type',
            'User-Agent',
          ),
        )
        .filter(
          (text) =>
            !/^(?:host|connection|content-length|transfer-encoding|upgrade|expect|keep-alive|te|trailer)$/i.test(
              text,
            ),
        );
      const outbound = openOutbound();
      await fc.assert(
        fc.asyncProperty(fc.dictionary(name, fc.constantFrom('one', 'two')), async (headers) => {
          other.received.length = 0;
          await outbound.send(
            { method: 'GET', url: `${remote.url}/away`, headers, timeoutMs: 60_000 },
            never,
          );
          const arrived = other.received[0].headers;
          const sent = Object.fromEntries(
            Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]),
          );
          for (const [key, value] of Object.entries(sent))
            expect([key, arrived[key]]).toEqual([key, isHarmlessHeader(key) ? value : undefined]);
          expect(arrived.host).toBe(new URL(other.url).host);
        }),
        { numRuns: 30 },
      );
      await outbound.close();
    });

    it.each([
      [307, 'POST'],
      [308, 'PUT'],
      [301, 'PUT'],
      [302, 'DELETE'],
    ])('of status %d does not forward the body of %s to another origin', async (status, method) => {
      expect(await codeOf(call(`${remote.url}/away?${status}`, {}, { method, body: 'kept' }))).toBe(
        'OUTBOUND_REDIRECT_REFUSED',
      );
      expect(other.received).toHaveLength(0);
      expect(await codeOf(call(`${remote.url}/away?${status}`, {}, { method }))).toBe('answered');
      expect(other.received).toMatchObject([{ method, body: '' }]);
    });

    it('continues with GET when the body is not forwarded', async () => {
      await call(
        `${remote.url}/away?303`,
        {},
        { method: 'POST', body: 'left', headers: { 'Content-Type': 'text/x' } },
      );
      expect(other.received).toMatchObject([{ method: 'GET', body: '' }]);
      expect(other.received[0].headers).not.toHaveProperty('content-type');
    });

    it.each([
      ['http://a.example/x', 'https://a.example/y', true],
      ['http://a.example:80/x', 'https://A.example:443/y', true],
      ['https://a.example/x', 'http://a.example/y', false],
      ['http://a.example/x', 'https://a.example:8443/y', false],
      ['http://a.example:8080/x', 'https://a.example/y', false],
      ['http://a.example/x', 'https://b.example/y', false],
      ['http://a.example/x', 'http://a.example:81/y', false],
      ['https://a.example/x', '/y', true],
      ['https://a.example/x', '//b.example/y', false],
    ])('from %s to %s stays within the origin: %p', (from, to, isSameOrigin) => {
      const hop: Hop = {
        target: Target.of(new URL(from)),
        method: 'POST',
        headers: { 'x-api-key': 'k', accept: 'a' },
        body: 'b',
        userInfo: null,
      };
      const next = () => nextHop(hop, 307, to, open);
      if (isSameOrigin)
        expect(next()).toMatchObject({ body: 'b', headers: { 'x-api-key': 'k', accept: 'a' } });
      else expect(next).toThrow(expect.objectContaining({ code: 'OUTBOUND_REDIRECT_REFUSED' }));
    });

    it('follows only allowed targets', async () => {
      const urls: string[] = [];
      const allowRedirect = (to: URL): boolean => {
        urls.push(to.href);
        return to.host !== new URL(other.url).host;
      };
      expect(await codeOf(call(`${remote.url}/away?302`, {}, { allowRedirect }))).toBe(
        'OUTBOUND_REDIRECT_REFUSED',
      );
      expect(other.received).toHaveLength(0);
      expect(urls.map((href) => new URL(href).origin)).toEqual([other.url]);
      expect(await codeOf(call(`${remote.url}/count/3`, {}, { allowRedirect }))).toBe('answered');
      expect(urls).toHaveLength(4);
    });

    it('adds the headers that the caller has for the target', async () => {
      const requests: string[] = [];
      const headersTo = (to: URL, headers: Readonly<Record<string, string>>) => {
        requests.push(`${to.pathname} ${headers['x-api-key'] ?? ''}`);
        return { ...headers, 'x-to': to.pathname };
      };
      await call(`${remote.url}/away?302`, {}, { headers: { 'X-Api-Key': 'k' }, headersTo });
      expect(other.received).toMatchObject([{ headers: { 'x-to': requests[0]?.split(' ')[0] } }]);
      expect(requests).toEqual([expect.stringMatching(/ $/)]);
    });

    it('is checked again at each hop', async () => {
      expect(await codeOf(call(`${remote.url}/to-metadata`))).toBe('OUTBOUND_ADDRESS_REFUSED');
      expect(await codeOf(call(`${remote.url}/to-file`))).toBe('OUTBOUND_BAD_URL');
    });

    it('stops after the configured number of hops', async () => {
      expect(await codeOf(call(`${remote.url}/count/5`))).toBe('answered');
      expect(await codeOf(call(`${remote.url}/count/6`))).toBe('OUTBOUND_TOO_MANY_REDIRECTS');
      expect((await call(`${remote.url}/count/6`, { maxRedirects: 0 })).status).toBe(302);
    });

    it('ignores credentials in a location', () => {
      const hop: Hop = {
        target: Target.of(new URL('http://a.example/x')),
        method: 'GET',
        headers: {},
        body: undefined,
        userInfo: null,
      };
      expect(nextHop(hop, 302, 'http://u:p@a.example/y', open).target.url.href).toBe(
        'http://a.example/y',
      );
    });
  });

  it.each(['/gzip', '/br', '/deflate', '/deflate-raw'])('decodes %s', async (path) => {
    const answer = await call(remote.url + path);
    expect(answer.body.toString()).toBe('packed');
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  it('rejects an answer that is too large when decoded, or is invalid', async () => {
    expect(await codeOf(call(`${remote.url}/bomb`))).toBe('OUTBOUND_TOO_LARGE');
    expect(await codeOf(call(`${remote.url}/not-gzip`))).toBe('OUTBOUND_BAD_RESPONSE');
    expect(await codeOf(call(`${remote.url}/x`, { maxResponseBytes: 11 }))).toBe('answered');
    expect(await codeOf(call(`${remote.url}/xy`, { maxResponseBytes: 11 }))).toBe(
      'OUTBOUND_TOO_LARGE',
    );
  });

  it.each(['/hang', '/slow-body'])('to %s ends at the timeout', async (path) => {
    expect(await codeOf(call(remote.url + path, {}, { timeoutMs: 60 }))).toBe('OUTBOUND_TIMEOUT');
    expect(await codeOf(call(remote.url + path, { timeoutMs: 60 }, { timeoutMs: undefined }))).toBe(
      'OUTBOUND_TIMEOUT',
    );
  });

  longIt('does not count the time for the name of the host towards the timeout', async () => {
    const { port } = new URL(remote.url);
    const spy = jest.spyOn(dns, 'lookup').mockImplementation(((
      _name: string,
      _options: object,
      callback: (error: null, addresses: LookupAddress[]) => void,
    ) => {
      setTimeout(() => callback(null, [{ address: '127.0.0.1', family: 4 }]), 700);
    }) as never);
    let counted = 0;
    const onTime = (milliseconds: number): void => {
      counted += milliseconds;
    };
    try {
      const named = `http://slow.example:${port}`;
      const options = { timeoutMs: 300, onTime };
      expect(await codeOf(call(`${named}/x`, {}, options))).toBe('answered');
      expect(await codeOf(call(`${named}/hang`, {}, options))).toBe('OUTBOUND_TIMEOUT');
      expect(counted).toBeGreaterThan(0);
    } finally {
      spy.mockRestore();
    }
  });

  it('stops with the abort reason of its caller', async () => {
    const cancel = new AbortController();
    const arrived = remote.nextRequest();
    const calling = codeOf(call(`${remote.url}/hang`, {}, {}, cancel.signal));
    await arrived;
    cancel.abort(new Error('enough'));
    expect(await calling).toBe('Error: enough');
    expect(await codeOf(call(remote.url, {}, {}, cancel.signal))).toBe('Error: enough');
  });

  it('adds one abort listener per run, for any number of calls', async () => {
    const outbound = openOutbound();
    const { signal } = new AbortController();
    const calls = Array.from({ length: 300 }, (_, index) =>
      outbound
        .send(
          {
            method: 'GET',
            url: `${remote.url}/${['x', 'redirect/302', 'to-metadata', 'not-gzip'][index % 4]}`,
            headers: {},
            timeoutMs: 20_000,
          },
          signal,
        )
        .catch(() => undefined),
    );
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await Promise.all(calls);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await outbound.close();
  });

  it('leaves a redirect whose body never ends', async () => {
    expect((await call(`${remote.url}/slow-redirect`)).body.toString()).toBe('{"at":"/landed"}');
    expect((await call(`${remote.url}/large-redirect`)).body.toString()).toBe('{"at":"/landed"}');
  });

  it('is aborted without waiting for its connection', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const outbound = openOutbound();
    expect(
      await codeOf(
        outbound.send(
          { method: 'GET', url: `https://127.0.0.1:${port}/`, headers: {}, timeoutMs: 50 },
          never,
        ),
      ),
    ).toBe('OUTBOUND_TIMEOUT');
    for (const socket of sockets) socket.destroy();
    await outbound.close();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('rejects an invalid request', async () => {
    expect(await codeOf(call(remote.url, {}, { headers: { 'X-A': 'a\r\nB: c' } }))).toBe(
      'OUTBOUND_BAD_REQUEST',
    );
    expect(await codeOf(call(remote.url, {}, { method: 'GE T' }))).toBe('OUTBOUND_BAD_REQUEST');
    expect(remote.received).toHaveLength(0);
  });
});
