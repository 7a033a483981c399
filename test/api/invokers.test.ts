import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { importedInvoker, invokerXml } from '../support/invokers';

describe('invokers', () => {
  let service: TestService;
  beforeAll(async () => { service = await startService(); });
  afterAll(() => service.close());

  it('are there after the first start', async () => {
    const { body } = await service.api('GET', '/api/invoker/all');
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Echo', 'Hypha', 'REST']);
  });

  it('are read as the released line shows them', async () => {
    const name = await importedInvoker(service);
    const { status, body, headers } = await service.api('GET', `/api/invoker/${name}`);
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(body).toEqual({
      name, description: 'What it is', icon: 'demo.png', authType: 'apikey', requiredData: { url: '', token: '' },
      operations: [{
        name: 'GetMe', type: 'test',
        request: { id: null, endpoint: '{url}/me', method: 'GET', header: { Authorization: 'Bearer {token}' }, body: { type: 'object', format: 'json', data: 'raw', fields: { q: 'x' } } },
        response: {
          id: null, name: null,
          success: { id: null, status: '200', header: { 'Content-Type': 'application/json' }, body: { type: 'object', format: 'json', data: 'raw', fields: { id: '', tickets: [{ title: '', tags: ['a', 'b'] }] } } },
          fail: { id: null, status: '401', header: null, body: { type: 'object', format: 'json', data: 'raw', fields: { error: '' } } },
        },
      }],
    });
  });

  it('come back as the XML that was imported', async () => {
    const name = await importedInvoker(service);
    const { status, text, headers } = await service.api('GET', `/api/invoker/${name}/xml`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(text).toBe(invokerXml(name));
  });

  it('are shown in the graph with everything they say', async () => {
    const name = await importedInvoker(service);
    const { invoker } = await service.data(`query($name: String) { invoker(name: $name) {
      id databaseId name origin fileName version operationCount requiredData { name type visibility value } pagination { name }
      operations { name type pagination { name } request { method endpoint header { name value } body { type format data fields } } success { status header { name value } body { fields } } fail { status body { fields } } }
      viewerCan { update delete }
    } }`, { name });
    expect(invoker).toMatchObject({
      name, origin: 'IMPORTED', fileName: `${name}.xml`, version: 1, operationCount: 1, pagination: [], viewerCan: { update: true, delete: true },
      requiredData: [{ name: 'url', type: 'string', visibility: 'PUBLIC', value: '' }, { name: 'token', visibility: 'PROTECTED' }, { name: 'basic', visibility: 'PRIVATE', value: 'Basic {user:token}' }],
      operations: [{ name: 'GetMe', type: 'test', pagination: [], request: { method: 'GET', header: [{ name: 'Authorization', value: 'Bearer {token}' }], body: { fields: { q: 'x' } } }, fail: { status: '401', body: { fields: { error: '' } } } }],
    });
    const { invoker: byId, node } = await service.data('query($id: ID!) { invoker(id: $id) { name } node(id: $id) { ... on Invoker { name } } }', { id: invoker.id });
    expect([byId, node]).toEqual([{ name }, { name }]);
  });
});
