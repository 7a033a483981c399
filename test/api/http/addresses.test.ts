import { once } from 'node:events';
import { request } from 'node:http';
import { startService, testService } from '../../support/service/harness';

describe('the service', () => {
  const service = testService();

  it.each(['/graphql', '/graphql/', '/api/graphql'])('serves GraphQL at %s', async (path) => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });
    expect(await answer.json()).toEqual({ data: { __typename: 'Query' } });
    const options = await fetch(service.url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([
      204,
      'GET, HEAD, OPTIONS, POST',
    ]);
  });
});

describe('a rejected upgrade behind a trusted proxy', () => {
  it('is logged with the client address', async () => {
    const service = await startService({
      env: { HYPHA_TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'info' },
    });
    try {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'x-forwarded-for': '203.0.113.9',
      };
      for (const [path, status] of [
        ['/elsewhere', 404],
        ['/ws', 400],
      ] as const) {
        const clientRequest = request(service.url + path, { headers }).end();
        const [answer] = (await once(clientRequest, 'response')) as [
          NodeJS.ReadableStream & { statusCode: number },
        ];
        answer.resume();
        expect(answer.statusCode).toBe(status);
        while (!service.logs.some((line) => line.path === path))
          await new Promise((resolve) => setImmediate(resolve));
        expect(service.logs.find((line) => line.path === path)).toMatchObject({
          status,
          address: '203.0.113.9',
        });
      }
    } finally {
      await service.close();
    }
  });
});
