import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testService, unique } from '../../support/service/harness';
import { importedInvoker, invokerXml, usingInvoker } from '../../support/documents/invokers';
import { dyingWithTheRun, ROOT, Running } from '../../support/process';

describe('invokers', () => {
  const service = testService();

  it('include the bundled ones after the first start', async () => {
    const { body } = await service.api('GET', '/api/invoker/all');
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Echo', 'Hypha', 'REST']);
  });

  it('are returned in the released format', async () => {
    const name = await importedInvoker(service);
    const { status, body, headers } = await service.api('GET', `/api/invoker/${name}`);
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(body).toEqual({
      name,
      description: 'What it is',
      icon: 'demo.png',
      authType: 'apikey',
      requiredData: { url: '', token: '' },
      operations: [
        {
          name: 'GetMe',
          type: 'test',
          request: {
            id: null,
            endpoint: '{url}/me',
            method: 'GET',
            header: { Authorization: 'Bearer {token}' },
            body: { type: 'object', format: 'json', data: 'raw', fields: { q: 'x' } },
          },
          response: {
            id: null,
            name: null,
            success: {
              id: null,
              status: '200',
              header: { 'Content-Type': 'application/json' },
              body: {
                type: 'object',
                format: 'json',
                data: 'raw',
                fields: { id: '', tickets: [{ title: '', tags: ['a', 'b'] }] },
              },
            },
            fail: {
              id: null,
              status: '401',
              header: null,
              body: { type: 'object', format: 'json', data: 'raw', fields: { error: '' } },
            },
          },
        },
      ],
    });
  });

  it('are exported as the imported XML', async () => {
    const name = await importedInvoker(service);
    const { status, text, headers } = await service.api('GET', `/api/invoker/${name}/xml`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(text).toBe(invokerXml(name));
  });

  it('are read and changed as XML by GraphQL, and keep their name while they are used', async () => {
    const name = await importedInvoker(service);
    const { invoker } = await service.data(
      'query($name: String) { invoker(name: $name) { id version xml } }',
      { name },
    );
    expect(invoker.xml).toBe(invokerXml(name));
    const update = (xml: string, expectedVersion: number) =>
      service.mutate(
        'invokerUpdate',
        { id: invoker.id, xml, expectedVersion },
        'invoker { name hint version } userErrors { code message path }',
      );
    const renamed = unique('Renamed ');
    const hinted = invoker.xml.replace('<hint/>', '<hint>Ask the help desk.</hint>');
    expect(await update(hinted.replace(name, renamed), invoker.version)).toEqual({
      invoker: { name: renamed, hint: 'Ask the help desk.', version: 2 },
      userErrors: [],
    });
    await usingInvoker(service, renamed);
    expect(await update(hinted, 2)).toMatchObject({
      userErrors: [{ code: 'INVOKER_IN_USE', path: ['xml'] }],
    });
    expect(await update(hinted.replace(name, renamed.toUpperCase()), 2)).toMatchObject({
      invoker: { name: renamed.toUpperCase(), version: 3 },
    });
    expect(await update(hinted.replace('<name>', '<name'), 3)).toMatchObject({
      userErrors: [{ code: 'INVOKER_INVALID', message: expect.stringContaining('Line 3, column') }],
    });
    const other = await importedInvoker(service);
    const { invoker: free } = await service.data(
      'query($name: String) { invoker(name: $name) { id } }',
      { name: other },
    );
    expect(
      await service.mutate(
        'invokerUpdate',
        { id: free.id, xml: invokerXml('echo') },
        'userErrors { code }',
      ),
    ).toEqual({ userErrors: [{ code: 'INVOKER_ALREADY_EXISTS' }] });
  });

  it('are returned by GraphQL with all fields', async () => {
    const name = await importedInvoker(service);
    const invoker = await service.field(
      `query($name: String) { invoker(name: $name) {
      id databaseId name origin fileName version operationCount requiredData { name type visibility value } pagination { name }
      operations { name type pagination { name } request { method endpoint header { name value } body { type format data fields } } success { status header { name value } body { fields } } fail { status body { fields } } }
      viewerCan { update delete }
    } }`,
      { name },
    );
    expect(invoker).toMatchObject({
      name,
      origin: 'IMPORTED',
      fileName: `${name}.xml`,
      version: 1,
      operationCount: 1,
      pagination: [],
      viewerCan: { update: true, delete: true },
      requiredData: [
        { name: 'url', type: 'string', visibility: 'PUBLIC', value: '' },
        { name: 'token', visibility: 'PROTECTED' },
        { name: 'basic', visibility: 'PRIVATE', value: 'Basic {user:token}' },
      ],
      operations: [
        {
          name: 'GetMe',
          type: 'test',
          pagination: [],
          request: {
            method: 'GET',
            header: [{ name: 'Authorization', value: 'Bearer {token}' }],
            body: { fields: { q: 'x' } },
          },
          fail: { status: '401', body: { fields: { error: '' } } },
        },
      ],
    });
    const { invoker: byId, node } = await service.data(
      'query($id: ID!) { invoker(id: $id) { name } node(id: $id) { ... on Invoker { name } } }',
      { id: invoker.id },
    );
    expect([byId, node]).toEqual([{ name }, { name }]);
  });

  it('work as documented in docs/invokers.md', async () => {
    const docs = readFileSync(join(__dirname, '../../../docs/invokers.md'), 'utf8');
    const shown = (language: string): string =>
      new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``).exec(docs)?.[1] ?? '';
    expect(await service.status('POST', '/api/invoker', { body: { xml: shown('xml') } })).toBe(201);
    const { invoker } = await service.data(shown('graphql'));
    expect(invoker).toMatchObject({
      requiredData: [
        { name: 'url', visibility: 'PUBLIC', value: 'https://shop.example.com/api' },
        { name: 'token', visibility: 'PROTECTED', value: '' },
      ],
      pagination: [
        { name: 'limit', value: '50' },
        { name: 'result', action: 'collect', ref: 'response.body.$.orders' },
        { name: 'offset' },
        { name: 'size' },
      ],
      operations: [
        { name: 'Check', type: 'test' },
        {
          name: 'Orders',
          type: 'page',
          success: {
            status: '200',
            body: { fields: { orders: [{ id: '', tags: [] }], total: '' } },
          },
        },
      ],
    });
  });

  it('are searched by parts of their names and sorted', async () => {
    for (const name of ['Zeta search', 'alpha SEARCH']) await importedInvoker(service, name);
    const invokers = await service.field(
      '{ invokers(first: 5, filter: { name: { contains: "search" } }, orderBy: { field: NAME, direction: DESC }) { totalCount nodes { name } } }',
    );
    expect(invokers).toEqual({
      totalCount: 2,
      nodes: [{ name: 'Zeta search' }, { name: 'alpha SEARCH' }],
    });
  });

  it('that are bundled describe the responses of the echo service', async () => {
    const echo = new Running(
      spawn(process.execPath, [join(ROOT, 'examples/echo.mjs'), '0'], {
        env: { ...process.env, ...dyingWithTheRun },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    try {
      const [, url] = await echo.says(/echo service on (\S+)/);
      const { body } = await service.api('GET', '/api/invoker/Echo');
      for (const { name, request, response } of body.operations) {
        const filled = (text: string, token: string): string =>
          text
            .replace('{url}', url ?? '')
            .replace('{token}', token)
            .replace('@{offset}', '5')
            .replace('@{limit}', '5');
        const call = (token: string) =>
          fetch(filled(request.endpoint, token), {
            method: request.method,
            headers: Object.fromEntries(
              Object.entries<string>(request.header).map(([header, value]) => [
                header,
                filled(value, token),
              ]),
            ),
            ...(request.method === 'GET' ? {} : { body: JSON.stringify(request.body.fields) }),
          });
        for (const [answer, described] of [
          [await call('right'), response.success],
          [await call('wrong'), response.fail],
        ] as const) {
          expect([
            name,
            String(answer.status),
            Object.keys((await answer.json()) as object).sort(),
          ]).toEqual([name, described.status, Object.keys(described.body.fields as object).sort()]);
        }
      }
    } finally {
      echo.child.kill();
      await echo.exit;
    }
  });
});
