import { startService } from '../support/harness';
import type { TestService } from '../support/harness';

describe('the addresses of a whole service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it.each(['/graphql', '/graphql/', '/api/graphql'])('GraphQL is at %s', async (path) => {
    const answer = await fetch(service.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ __typename }"}' });
    expect(await answer.json()).toEqual({ data: { __typename: 'Query' } });
    const options = await fetch(service.url + path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  });

  it('what is nowhere is a JSON 404, below /api too', async () => {
    for (const path of ['/nothing', '/api/nothing', '/api', '/api/graphql/x']) {
      const answer = await fetch(service.url + path);
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ message: 'NOT_FOUND', path })]);
    }
  });
});
