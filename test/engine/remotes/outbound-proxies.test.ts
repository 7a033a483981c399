import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAddressPolicy, OutboundError } from '../../../src/platform/outbound';
import { checkAddresses, proxyFor } from '../../../src/platform/outbound/proxies';
import { openOutbound } from '../support/run';

const never = new AbortController().signal;
let proxy: Server;
let proxyUrl: string;
let seen: {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly sent: string | undefined;
}[];

beforeAll(async () => {
  proxy = createServer((request, response) => {
    seen.push({
      line: `${request.method} ${request.url}`,
      authorization: request.headers['proxy-authorization'],
      sent: request.headers.authorization,
    });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"from":"proxy"}');
  });
  proxy.on('connect', (request, socket) => {
    seen.push({
      line: `CONNECT ${request.url}`,
      authorization: request.headers['proxy-authorization'],
      sent: undefined,
    });
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxyUrl = `http://user:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
});
afterAll(
  () =>
    new Promise((resolve) => {
      proxy.closeAllConnections();
      proxy.close(resolve);
    }),
);

const through = async (url: string, deny: string[] = []): Promise<string> => {
  const outbound = openOutbound({
    deny,
    proxies: { http: proxyUrl, https: proxyUrl, noProxy: [] },
  });
  try {
    return String(
      (
        await outbound.send(
          { method: 'GET', url, headers: { Authorization: 'Bearer t' }, timeoutMs: 60_000 },
          never,
        )
      ).body,
    );
  } catch (error) {
    return error instanceof OutboundError ? error.code : String(error);
  } finally {
    await outbound.close();
  }
};

it('an http URL is sent to the proxy unchanged, and an https URL through a tunnel without request data', async () => {
  expect(await through('http://192.0.2.1/a?b=1')).toBe('{"from":"proxy"}');
  expect(await through('https://192.0.2.1/secret')).toBe('OUTBOUND_CONNECTION_FAILED');
  const authorization = `Basic ${Buffer.from('user:pass').toString('base64')}`;
  expect(seen).toEqual([
    { line: 'GET http://192.0.2.1/a?b=1', authorization, sent: 'Bearer t' },
    { line: 'CONNECT 192.0.2.1:443', authorization, sent: undefined },
  ]);
});

it('a denied address is rejected before the proxy is called', async () => {
  expect(await through('http://192.0.2.1/', ['192.0.2.0/24'])).toBe('OUTBOUND_ADDRESS_REFUSED');
  expect(await through('http://169.254.169.254/latest')).toBe('OUTBOUND_ADDRESS_REFUSED');
  expect(await through('http://name-that-does-not-exist.invalid/')).toBe(
    'OUTBOUND_CONNECTION_FAILED',
  );
  expect(seen).toEqual([]);
  const resolve = (async () => [
    { address: '192.0.2.9', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ]) as never;
  const policy = (deny: string[]) => createAddressPolicy({ deny, allow: [] });
  await expect(
    checkAddresses('a.example', policy(['10.0.0.0/8']), 5_000, resolve),
  ).rejects.toMatchObject({
    code: 'OUTBOUND_ADDRESS_REFUSED',
  });
  await expect(checkAddresses('a.example', policy([]), 5_000, resolve)).resolves.toBeUndefined();
  const silent = (() => new Promise(() => undefined)) as never;
  await expect(checkAddresses('a.example', policy([]), 1, silent)).rejects.toMatchObject({
    code: 'OUTBOUND_TIMEOUT',
  });
});

it.each<[string, string[], boolean]>([
  ['http://a.example/', [], true],
  ['http://a.example/', ['a.example'], false],
  ['http://b.a.example/', ['a.example'], false],
  ['http://b.a.example/', ['.a.example'], false],
  ['http://ba.example/', ['a.example'], true],
  ['http://a.example/', ['*'], false],
  ['http://10.1.2.3/', ['10.0.0.0/8'], false],
  ['http://11.1.2.3/', ['10.0.0.0/8'], true],
  ['http://a.example:8080/', ['a.example:8080'], false],
  ['http://a.example/', ['a.example:8080'], true],
  ['http://a.example/', ['a.example:80'], false],
  ['http://[2001:db8::1]/', ['2001:db8::/32'], false],
  ['http://A.Example./', ['A.EXAMPLE'], false],
  ['http://127.0.0.1:9/', [], false],
  ['http://localhost/', [], false],
  ['http://[::1]/', [], false],
])('%s with the exceptions %j uses the proxy: %s', (url, noProxy, expected) => {
  expect(proxyFor(new URL(url), { http: 'http://proxy.example:3128', https: null, noProxy })).toBe(
    expected ? 'http://proxy.example:3128' : null,
  );
});
