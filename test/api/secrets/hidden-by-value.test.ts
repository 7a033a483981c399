import { createLogger } from '../../../src/platform/log/logger';
import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended, runEvents } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

/* A value that is masked in one place by its name is masked in all other places that show the same workflow, run or log line. */

const TOKEN = 'tok3n/of "a" header';
const PASSWORD = 'pa55w0rd-of-a-field';
const LATER = 'second-token-of-the-header';
const VALUES = [TOKEN, PASSWORD, LATER].flatMap((value) => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('base64'),
]);
const shownIn = (text: string): string[] =>
  VALUES.filter(
    (value) => text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1)),
  );

const service = testService();
const remote = testRemote(({ path, headers, body }) => ({
  body: { echoed: [path, headers, body] },
}));
let reader: string;
beforeAll(async () => {
  reader = (await service.userWith(['CONNECTION:READ'])).token;
});

const document = (token = TOKEN): any => {
  const copied = {
    note: `was ${token}`,
    deep: [{ list: [token, PASSWORD] }],
    text: JSON.stringify({ a: token }),
    encoded: Buffer.from(token).toString('base64'),
    kept: 'still here',
  };
  const endpoint = `${remote.url}/x/${encodeURIComponent(token)}?q=${encodeURIComponent(PASSWORD)}`;
  return workflow(
    [
      method('0', endpoint, {
        name: `asks with ${token}`,
        request: {
          endpoint,
          method: 'POST',
          header: { Authorization: `Bearer ${token}`, Accept: `text/${PASSWORD}` },
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: { password: PASSWORD, ...copied },
          },
        },
      }),
    ],
    [{ id: 'o1', index: '1', type: 'if', expression: `"${PASSWORD}" = "x"` }],
    { ui: { nodes: [{ label: copied.note }] } },
  );
};
const read = (id: number, token?: string): Promise<any> =>
  service.body('GET', `/api/connection/${id}`, { token });

describe('a header token and a field password', () => {
  it('are masked in all texts of a workflow for readers, in exports, diffs and the audit', async () => {
    const id = await saved(service, document());
    const stored = await read(id);
    const second = { ...document(LATER), title: stored.title };
    expect(
      await service.status('PUT', `/api/connection/${id}`, {
        body: { ...second, connectionId: id },
      }),
    ).toBe(200);
    const { versions } = await service.field(
      'query($id: ID!) { workflow(id: $id) { versions(first: 5) { nodes { snapshotId } } } }',
      { id },
    );
    const [to, from] = versions.nodes.map(({ snapshotId }: any) => snapshotId as string);
    const { file } = await service.mutate(
      'workflowExport',
      { workflowId: id },
      'file { content leftOut }',
    );
    const outputs: Record<string, string> = {
      REST: JSON.stringify(await read(id, reader)),
      GraphQL: JSON.stringify(
        await service.data(
          'query($id: ID!) { workflow(id: $id) { ui steps { ... on MethodStep { name request { endpoint header body { fields } } } ... on OperatorStep { expression } } } }',
          { id },
          reader,
        ),
      ),
      diff: (await service.api('GET', `/api/connection/${id}/diff?from=${from}&to=${to}`)).text,
      export: JSON.stringify(file.content),
      audit: JSON.stringify(
        await storeConnection()
          .collection('audit_events')
          .find({ 'target.type': 'Workflow', 'target.id': String(id) })
          .toArray(),
      ),
    };
    for (const [place, text] of Object.entries(outputs))
      expect([place, shownIn(text)]).toEqual([place, []]);
    for (const place of ['REST', 'GraphQL', 'export'])
      expect([place, outputs[place]?.includes('still here')]).toEqual([place, true]);
    expect(file.leftOut).toEqual(
      expect.arrayContaining([
        'fromConnector.methods.0.request.body.fields.note',
        'fromConnector.methods.0.name',
        'ui.nodes.0.label',
      ]),
    );
  });

  it('are kept when a masked document is saved, and required where a masked text was changed', async () => {
    const id = await saved(service, document());
    const [before, seen] = [await read(id), await read(id, reader)];
    expect(seen.fromConnector.methods[0]).toMatchObject({
      id: 'm0',
      index: '0',
      name: 'asks with ***',
      request: {
        body: { fields: { note: 'was ***', deep: [{ list: ['***', '***'] }], kept: 'still here' } },
      },
    });
    const answer = await service.api('PUT', `/api/connection/${id}`, {
      body: { ...seen, description: 'written back' },
    });
    expect([answer.status, (await read(id)).fromConnector, (await read(id)).ui]).toEqual([
      200,
      before.fromConnector,
      before.ui,
    ]);
    seen.fromConnector.methods[0].name = 'asks later with ***';
    const refused = await service.api('PUT', `/api/connection/${id}`, { body: seen });
    expect(refused.body).toMatchObject({ status: 400, message: 'WORKFLOW_INVALID' });
    expect(refused.body.error).toContain('fromConnector.methods.0.name');
  });

  it('do not mask short values and addresses', async () => {
    const id = await saved(
      service,
      workflow([
        method('0', 'https://api.shop.test/orders', {
          name: 'open orders of api.shop.test',
          request: {
            endpoint: 'https://api.shop.test/orders',
            method: 'GET',
            header: { Origin: 'https://api.shop.test', 'X-Kind': 'orders', password: 'open' },
            body: null,
          },
        }),
      ]),
    );
    const [{ name, request }] = (await read(id, reader)).fromConnector.methods;
    expect([name, request.endpoint, request.header]).toEqual([
      'open orders of api.shop.test',
      'https://api.shop.test/orders',
      { Origin: '***', 'X-Kind': '***', password: '***' },
    ]);
  });
});

it.each([
  ['key=k-4711-ab', {}, 'k-4711-ab'],
  ['', { 'X-Key': 'k-4712-ab' }, 'k-4712-ab'],
  ['', { 'X-Vault': 'vault-of-ada' }, 'vault-of-ada'],
  ['', { 'X-CSRF': 'csrf-of-ada' }, 'csrf-of-ada'],
  ['_csrf=csrf-of-bob', {}, 'csrf-of-bob'],
])(
  'a run masks the secret sent as ?%s and %j, also in the response',
  async (query, header, value) => {
    const endpoint = `${remote.url}/?${query}`;
    const id = await saved(
      service,
      workflow([
        method('0', endpoint, { request: { endpoint, method: 'GET', header, body: null } }),
      ]),
    );
    const events = JSON.stringify(await runEvents(service, await started(service, id, true)));
    expect([events.includes('echoed'), events.includes(value)]).toEqual([true, false]);
  },
);

it('a run masks the code of an OAuth token request but not a country code', async () => {
  const fields = { grant_type: 'authorization_code', code: 'code-of-the-authorization' };
  const bodyOf = (more: object): object => ({
    request: {
      endpoint: `${remote.url}/`,
      method: 'POST',
      header: {},
      body: { type: 'object', format: 'json', data: 'raw', fields: more },
    },
  });
  const id = await saved(
    service,
    workflow([
      method('0', `${remote.url}/`, bodyOf(fields)),
      method('1', `${remote.url}/`, bodyOf({ code: 'code-of-a-country' })),
    ]),
  );
  const runId = await started(service, id, true);
  expect((await ended(service, runId)).state).toBe('SUCCEEDED');
  const events = JSON.stringify(await runEvents(service, runId));
  expect([
    events.includes('code-of-the-authorization'),
    events.includes('code-of-a-country'),
  ]).toEqual([false, true]);
  expect(
    (await read(id, reader)).fromConnector.methods.map(
      (step: any) => step.request.body.fields.code,
    ),
  ).toEqual(['***', 'code-of-a-country']);
});

it('a log line masks named secrets in free text and stays one object', () => {
  const lines: string[] = [];
  const log = createLogger({ log: { level: 'debug' } }, { write: (line) => lines.push(line) });
  const texts = [
    'login failed for password=hunter2-a; user=ada',
    'sent X-Api-Key: hunter2-b to the system',
    'could not read {"client_secret": "hunter2-c", "port": 5432}',
    'asked http://x.test/?key=hunter2-d&page=2',
    'connecting to postgres://ada:hunter2/e@db.test:5432/main',
    'Cookie: a=hunter2-f; b=hunter2-g',
  ];
  for (const text of texts)
    log.warn({ text, err: new Error(text), hasPassword: true, password: null }, text);
  log.warn('password=%s of %d', 'hunter2-h', 2);
  expect(lines.join('\n')).not.toContain('hunter2');
  const parsed = lines.map((line): any => JSON.parse(line));
  expect(parsed[0]).toMatchObject({
    msg: 'login failed for password=***; user=ada',
    text: 'login failed for password=***; user=ada',
    err: { message: 'login failed for password=***; user=ada' },
    hasPassword: true,
    password: null,
  });
  expect(parsed.slice(3, 5).map(({ msg }) => msg)).toEqual([
    'asked http://x.test/?key=***&page=2',
    'connecting to postgres://***@db.test:5432/main',
  ]);
});
