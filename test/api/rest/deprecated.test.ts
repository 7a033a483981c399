import { readFileSync } from 'node:fs';
import { testService } from '../../support/service/harness';

const WITHOUT_DEPRECATED = { headers: { 'X-Remove-Deprecated': '1' } };

type Json = Record<string, any>;

const service = testService({
  env: {
    HYPHA_PUBLIC_URL: 'https://hypha.example.com/flow',
    HYPHA_CORS_ORIGINS: 'https://app.example.com',
  },
});
let fullDocument: Json;
let rest: Json;
beforeAll(async () => {
  fullDocument = await service.body('GET', '/api/openapi.json');
  rest = await service.body('GET', '/api/openapi.json?removeDeprecated=true');
});

const operationsOf = ({ paths }: Json): { name: string; operation: Json }[] =>
  Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
const namesOf = (document: Json): string[] => operationsOf(document).map(({ name }) => name);
const deprecatedIn = (document: Json) =>
  operationsOf(document).filter(({ operation }) => operation.deprecated);

describe('the OpenAPI document', () => {
  it('names an existing replacement for each deprecated operation', () => {
    const shape = (name: string): string => name.replace(/\?.*/, '').replace(/\{\w+\}/g, '{}');
    const lasting = new Set(namesOf(rest).map(shape));
    expect(deprecatedIn(fullDocument).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'GET /api/connection/check/{name}',
        'POST /api/storage/connector',
        'GET /api/template/all/{fromConnectorId}/{toConnectorId}',
        'GET /v3/api-docs',
        'GET /api/v3/api-docs',
      ]),
    );
    for (const { name, operation } of deprecatedIn(fullDocument)) {
      expect([name, lasting.has(shape(operation['x-replaced-by']))]).toEqual([name, true]);
      expect(operation.description).toContain(operation['x-replaced-by']);
    }
  });

  it('with removeDeprecated contains only the other operations', () => {
    expect(deprecatedIn(rest)).toEqual([]);
    expect(namesOf(rest)).toEqual(
      operationsOf(fullDocument)
        .filter(({ operation }) => !operation.deprecated)
        .map(({ name }) => name),
    );
    expect(rest.info).toEqual(fullDocument.info);
  });

  it('supports the header X-Remove-Deprecated and rejects other parameter values', async () => {
    expect(await service.body('GET', '/openapi.json', WITHOUT_DEPRECATED)).toEqual(rest);
    expect(await service.body('GET', '/openapi.json?removeDeprecated=false')).toEqual(fullDocument);
    expect(await service.api('GET', '/openapi.json?removeDeprecated=yes')).toMatchObject({
      status: 400,
      body: { message: 'BAD_REQUEST' },
    });
  });

  it('agrees with docs/api-changes.md', () => {
    const [, table = ''] = readFileSync('docs/api-changes.md', 'utf8').split('## ');
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    for (const { name, operation } of deprecatedIn(fullDocument)) {
      const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``));
      expect([name, row]).toEqual([
        name,
        expect.stringContaining(
          String(operation['x-replaced-by']).replace(/\{\w+\}\/icon$/, '{id}/icon'),
        ),
      ]);
    }
  });
});

describe('a deprecated REST operation', () => {
  const successor =
    '<https://hypha.example.com/flow/api/connection/check?name=50%25%20off%2F%C3%A4>; rel="successor-version"';

  it('works and announces its date and successor in headers', async () => {
    const { status, headers } = await service.api(
      'GET',
      '/api/connection/check/50%25%20off%2F%C3%A4',
    );
    expect([status, headers.get('deprecation'), headers.get('link')]).toEqual([
      200,
      expect.stringMatching(/^@\d{10}$/),
      successor,
    ]);
    expect(Number(headers.get('deprecation')?.slice(1)) * 1_000).toBeLessThan(Date.now());
    const head = await service.api('HEAD', '/api/connection/check/50%25%20off%2F%C3%A4');
    expect([head.status, head.headers.get('link')]).toEqual([200, successor]);
  });

  it('sends the headers to unauthorised clients and other origins', async () => {
    const { status, headers } = await service.api('GET', '/api/connection/check/x', {
      token: null,
      headers: { Origin: 'https://app.example.com' },
    });
    expect([status, headers.get('deprecation')]).toEqual([401, expect.stringMatching(/^@/)]);
    expect(headers.get('access-control-expose-headers')).toMatch(/Deprecation, Link/);
  });

  it('is marked in the request log', async () => {
    await service.api('GET', '/api/connection/check/in-the-log');
    expect(
      service.logs.find(({ path }) => path === '/api/connection/check/in-the-log'),
    ).toMatchObject({ deprecated: true });
  });

  it('returns 404 to a client that sends X-Remove-Deprecated', async () => {
    expect(await service.api('GET', '/api/connection/check/x', WITHOUT_DEPRECATED)).toMatchObject({
      status: 404,
      body: { message: 'NOT_FOUND' },
    });
    expect(
      await service.status('GET', '/v3/api-docs', { headers: { 'X-Remove-Deprecated': 'true' } }),
    ).toBe(404);
    for (const no of ['0', 'false'])
      expect(
        await service.status('GET', '/api/connection/check/x', {
          headers: { 'X-Remove-Deprecated': no },
        }),
      ).toBe(200);
  });

  it('does not affect other operations', async () => {
    const { status, headers } = await service.api(
      'GET',
      '/api/connection/check?name=x',
      WITHOUT_DEPRECATED,
    );
    expect([status, headers.get('deprecation'), headers.get('link')]).toEqual([200, null, null]);
    expect(
      await service.api('GET', '/api/connection/all', {
        headers: { 'X-Remove-Deprecated': 'perhaps' },
      }),
    ).toMatchObject({ status: 400, body: { message: 'BAD_REQUEST' } });
  });
});

describe('a removed operation', () => {
  it.each([
    ['POST', '/assistant/db/migrate'],
    ['GET', '/connection/execution/7'],
    ['GET', '/execution/log/7/flowchart/3'],
    ['GET', '/execution/log/7/meta/list'],
  ])('%s %s returns 404 and is not documented', async (method, path) => {
    for (const token of [service.adminToken, null])
      expect(await service.api(method, `/api${path}`, { token })).toMatchObject({
        status: 404,
        body: { message: 'NOT_FOUND' },
      });
    expect(await service.status(method, path)).toBe(404);
    const shape = (name: string): string => name.replace(/\/(?:\{\w+\}|\d+)/g, '/{}');
    expect(namesOf(fullDocument).map(shape)).not.toContain(shape(`${method} /api${path}`));
  });
});
