import { startService } from '../support/harness';
import type { TestService } from '../support/harness';

const BROWSER = { Accept: 'text/html' };

describe.each<[string, Record<string, string>, boolean]>([
  ['outside production', {}, true],
  ['in production', { NODE_ENV: 'production' }, false],
  ['in production, where they are switched on', { NODE_ENV: 'production', HYPHA_GRAPHQL_INTROSPECTION: 'true' }, true],
  ['where they are switched off', { HYPHA_GRAPHQL_INTROSPECTION: 'false' }, false],
])('%s, what describes the doors', (_where, env, isShown) => {
  let service: TestService;
  beforeAll(async () => { service = await startService({ env }); });
  afterAll(() => service.close());

  it.each(['/openapi.json', '/api/openapi.json', '/v3/api-docs', '/docs', '/api/docs', '/swagger-ui.html', '/swagger-ui/index.html'])(`${isShown ? 'is' : 'is not'} at %s`, async (path) => {
    // To him who may do everything, too.
    expect((await service.api('GET', path)).status).toBe(isShown ? 200 : 404);
  });

  it(`${isShown ? 'has' : 'has no'} GraphiQL`, async () => {
    const answer = await service.api('GET', '/graphql', { headers: BROWSER });
    expect(answer.text.includes('<title>Hypha GraphiQL</title>')).toBe(isShown);
  });

  it(`${isShown ? 'answers' : 'refuses'} introspection`, async () => {
    const { data, errors } = await service.gql('{ __schema { queryType { name } } }');
    expect(isShown ? data : errors?.[0]?.message).toEqual(isShown ? { __schema: { queryType: { name: 'Query' } } } : expect.stringMatching(/introspection/i));
  });

  it(`${isShown ? 'suggests' : 'does not suggest'} names of fields`, async () => {
    const { errors } = await service.gql('{ userz { totalCount } }');
    expect(/Did you mean/.test(errors?.[0]?.message ?? '')).toBe(isShown);
  });

  it('leaves the service itself as it is', async () => {
    expect((await service.api('GET', '/api/user/all')).status).toBe(200);
    expect((await service.gql('{ me { email } }')).errors).toBeUndefined();
    expect((await service.api('GET', '/healthz', { token: null })).status).toBe(200);
    const start = (await service.api('GET', '/', { headers: BROWSER })).text;
    for (const [, link] of start.matchAll(/href="(\/[^"]*)"/g)) expect([link, (await service.api('GET', link ?? '', { headers: BROWSER })).status]).toEqual([link, 200]);
  });
});
