import { testService } from '../../support/service/harness';

const BROWSER = { Accept: 'text/html' };

describe.each<[string, Record<string, string>, boolean, boolean]>([
  ['outside production', {}, true, true],
  ['in production', { NODE_ENV: 'production' }, true, false],
  [
    'in production with introspection',
    { NODE_ENV: 'production', HYPHA_GRAPHQL_INTROSPECTION: 'true' },
    true,
    true,
  ],
  [
    'in production without the documentation',
    { NODE_ENV: 'production', HYPHA_DOCS_ENABLED: 'false' },
    false,
    false,
  ],
])('a service %s', (_where, env, hasDocs, hasGraphql) => {
  const service = testService({ env });

  it.each(['/openapi.json', '/api/openapi.json', '/docs', '/api/docs', '/swagger-ui/index.html'])(
    `${hasDocs ? 'serves' : 'does not serve'} %s without a session`,
    async (path) => {
      expect(await service.status('GET', path, { token: null })).toBe(hasDocs ? 200 : 404);
    },
  );

  it(`${hasGraphql ? 'has' : 'has no'} GraphiQL`, async () => {
    const answer = await service.api('GET', '/graphql', { headers: BROWSER });
    expect(answer.text.includes('<title>Hypha GraphiQL</title>')).toBe(hasGraphql);
  });

  it(`${hasGraphql ? 'answers' : 'refuses'} introspection`, async () => {
    const { data, errors } = await service.gql('{ __schema { queryType { name } } }');
    expect(hasGraphql ? data : errors?.[0]?.message).toEqual(
      hasGraphql
        ? { __schema: { queryType: { name: 'Query' } } }
        : expect.stringMatching(/introspection/i),
    );
  });

  it(`${hasGraphql ? 'suggests' : 'does not suggest'} names of fields`, async () => {
    const { errors } = await service.gql('{ userz { totalCount } }');
    expect(/Did you mean/.test(errors?.[0]?.message ?? '')).toBe(hasGraphql);
  });

  it('answers other requests, and the links on its pages work', async () => {
    expect(await service.status('GET', '/api/user/all')).toBe(200);
    expect((await service.gql('{ me { email } }')).errors).toBeUndefined();
    expect(await service.status('GET', '/healthz', { token: null })).toBe(200);
    const pages = ['/', ...(hasDocs ? ['/docs'] : []), ...(hasGraphql ? ['/graphql'] : [])];
    const texts = await Promise.all(
      pages.map(async (page) => (await service.api('GET', page, { headers: BROWSER })).text),
    );
    for (const [, link] of texts.join('').matchAll(/href="(\/[^"]*)"/g))
      expect([link, await service.status('GET', link ?? '', { headers: BROWSER })]).toEqual([
        link,
        200,
      ]);
  });
});
