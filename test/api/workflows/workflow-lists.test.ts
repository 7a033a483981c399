import { testService, unique } from '../../support/service/harness';
import { startRemote } from '../../engine/support/remote';
import { remoteSystem } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeCalls, storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService();

const TEST_MARK = '!*test_connection_';

describe('workflow lists without bodies', () => {
  let [ids, stem]: [number[], string] = [[], ''];
  beforeAll(async () => {
    stem = unique('Listed ');
    const calling = (connectorId: number, invoker: unknown) =>
      method('0', 'http://a.test', { connector: { connectorId, title: 'x', invoker } });
    ids = [];
    ids.push(
      await saved(
        service,
        workflow([calling(0, { name: `${stem}otrs` })], [], {
          title: `${stem} b`,
          description: 'What for',
          icon: 'http://icons.test/1.png',
        }),
      ),
    );
    ids.push(
      await saved(
        service,
        workflow(
          [calling(0, `${stem}otrs`), { ...calling(0, { name: 'other' }), id: 'm1', index: '1' }],
          [],
          { title: `${stem} a` },
        ),
      ),
    );
    ids.push(
      await saved(
        service,
        workflow([calling(0, { name: `${stem}otrs` })], [], {
          title: `${TEST_MARK}1700000000000_${stem}`,
        }),
      ),
    );
    ids.push(await saved(service, workflow([], [], { title: `${stem} none` })));
  });

  const onlyOwn = (list: any[]): any[] => list.filter(({ id }) => ids.includes(id));
  const idsOf = (list: any[]): number[] => list.map(({ id }) => id);

  it('show the stored fields, and test workflows on request', async () => {
    const all = onlyOwn(await service.body('GET', '/api/connection/all/meta'));
    expect(idsOf(all)).toEqual([ids[0], ids[1], ids[3]]);
    expect(all[0]).toEqual({
      id: ids[0],
      connectionId: ids[0],
      title: `${stem} b`,
      description: 'What for',
      icon: 'http://icons.test/1.png',
      fromConnector: { connectorId: -1, title: 'DEFAULT' },
      toConnector: null,
      connectors: [],
      invokers: [`${stem}otrs`],
      test: false,
      version: 1,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(Object.keys(all[1])).not.toEqual(expect.arrayContaining(['description']));
    expect(
      idsOf(onlyOwn(await service.body('GET', '/api/connection/all/meta?includeTest=false'))),
    ).toEqual([ids[0], ids[1], ids[3]]);
    expect(
      idsOf(onlyOwn(await service.body('GET', '/api/connection/all/meta?includeTest=true'))),
    ).toEqual(ids);
  });

  it('filter by invoker', async () => {
    const path = `/api/connection/dependency/${encodeURIComponent(`${stem}otrs`)}`;
    expect(idsOf(await service.body('GET', path))).toEqual([ids[0], ids[1]]);
    expect(idsOf(await service.body('GET', `${path}?includeTest=true`))).toEqual(ids.slice(0, 3));
    expect(await service.body('GET', '/api/connection/dependency/nobody%2Fknows')).toEqual([]);
  });

  it('return the requested ids in that order, from an object or a bare list', async () => {
    const identifiers = [ids[3], 999_999, ids[2], ids[0], ids[3]];
    for (const body of [{ identifiers }, identifiers, identifiers.map(String)]) {
      expect(idsOf(await service.body('POST', '/api/connection/all/by-ids', { body }))).toEqual([
        ids[3],
        ids[0],
      ]);
      expect(
        idsOf(await service.body('POST', '/api/connection/all/by-ids?includeTest=true', { body })),
      ).toEqual([ids[3], ids[2], ids[0]]);
    }
    expect(await service.body('POST', '/api/connection/all/by-ids', { body: [] })).toEqual([]);
    for (const body of [{}, null, { identifiers: 7 }, ['x'], 'x', Array(1_001).fill(1)])
      expect([
        body,
        await service.status('POST', '/api/connection/all/by-ids', {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      ]).toEqual([body, 400]);
  });

  it.each(['all', 'all/meta', 'dependency/rest', 'POST all/by-ids'])(
    'reject an includeTest that is no boolean: %s',
    async (path) => {
      for (const flag of ['yes', '1', '', 'TRUE']) {
        const answer = path.startsWith('POST')
          ? await service.api('POST', `/api/connection/${path.slice(5)}?includeTest=${flag}`, {
              body: [],
            })
          : await service.api('GET', `/api/connection/${path}?includeTest=${flag}`);
        expect([flag, answer.status, answer.body.message]).toEqual([flag, 400, 'BAD_REQUEST']);
      }
    },
  );

  longIt('of 1,000 workflows read no body, with store calls by batch only', async () => {
    const rows = storeConnection().collection<any>('workflows');
    const one = await rows.findOne({ _id: ids[0] });
    await rows.insertMany(
      Array.from({ length: 1_000 }, (_, nth) => ({
        ...one,
        _id: 100_000 + nth,
        title: `Copy ${stem} ${nth}`,
        titleKey: `copy ${stem} ${nth}`,
        connectorIds: [(nth % 7) + 1],
        content: { ...one.content, id: 'nowhere' },
      })),
    );
    const listed = new Set<string>();
    for (const ask of [
      () => service.api('GET', '/api/connection/all/meta'),
      () => service.api('GET', `/api/connection/dependency/${encodeURIComponent(`${stem}otrs`)}`),
      () =>
        service.api('POST', '/api/connection/all/by-ids', {
          body: Array.from({ length: 1_000 }, (_, nth) => 100_000 + nth),
        }),
    ]) {
      let length = 0;
      const calls = await storeCalls(async () => {
        length = (await ask()).body.length;
      });
      expect(length).toBeGreaterThanOrEqual(1_000);
      expect(
        calls.filter(
          (call) => call.startsWith('workflow_contents') || call.startsWith('workflow_versions'),
        ),
      ).toEqual([]);
      expect(calls.length).toBeLessThan(25);
      for (const call of calls) listed.add(call);
    }
    expect([...listed]).toContain('workflows.find');
    await rows.deleteMany({ _id: { $gte: 100_000 } });
  });
});

describe('the workflow graph', () => {
  it('finds workflows by their references, and adds and removes a category', async () => {
    const stem = unique('found');
    const category = (await service.api('POST', '/api/category', { body: { name: stem } })).body.id;
    const step = method(
      '0',
      `http://a.test/?x={%secret.${stem.replaceAll(/[^A-Za-z0-9]/g, '')}%}`,
      { connector: { connectorId: 0, invoker: { name: stem } } },
    );
    const id = await saved(service, workflow([step], [], { categoryId: category }));
    await saved(service, workflow([]));
    const findIds = async (filter: string): Promise<number[]> =>
      (
        await service.field(
          `{ workflows(first: 50, filter: { ${filter} }) { nodes { databaseId } } }`,
        )
      ).nodes.map((one: any) => one.databaseId);
    expect(
      await Promise.all(
        [
          `invoker: { eq: "${stem}" }`,
          `secret: { eq: "${stem.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()}" }`,
          `category: { eq: "${category}" }`,
          'connector: { eq: "77" }',
        ].map(findIds),
      ),
    ).toEqual([[id], [id], [id], []]);
    await storeConnection()
      .collection<any>('workflows')
      .updateOne({ _id: id }, { $set: { connectorIds: [3, 77] } });
    expect(await findIds('connector: { eq: "77" }')).toEqual([id]);
    const save = (categoryId: unknown) =>
      service.mutate(
        'workflowUpdate',
        { id, categoryId },
        'workflow { version } userErrors { code path }',
      );
    expect(await save(null)).toEqual({ workflow: { version: 2 }, userErrors: [] });
    expect(await findIds(`category: { eq: "${category}" }`)).toEqual([]);
    expect((await save(category)).workflow).toEqual({ version: 3 });
    expect(await findIds(`category: { eq: "${category}" }`)).toEqual([id]);
    expect(await save(999_999)).toEqual({
      workflow: null,
      userErrors: [{ code: 'CATEGORY_NOT_FOUND', path: ['categoryId'] }],
    });
    expect(await save('nonsense')).toEqual({
      workflow: null,
      userErrors: [{ code: 'ID_INVALID', path: ['categoryId'] }],
    });
  });
});

describe('the title check', () => {
  it.each([
    'with/slash',
    'with 100 % percent%2F',
    'with 🙂👩‍💻 emoji',
    'with "quotes" & ampersand + plus',
  ])('finds a title %s, by query and by path', async (more) => {
    const title = `${unique('Title ')}${more}`;
    const encoded = encodeURIComponent(title);
    const check = async (): Promise<string[]> => [
      (await service.api('GET', `/api/connection/check?name=${encoded}`)).body.message,
      (await service.api('GET', `/api/connection/check/${encoded}`)).body.message,
    ];
    expect(await check()).toEqual(['NOT_EXISTS', 'NOT_EXISTS']);
    await saved(service, workflow([], [], { title }));
    expect(await check()).toEqual(['EXISTS', 'EXISTS']);
  });
});

describe('an empty workflow', () => {
  it('is created by GET /connection/id, and not by HEAD', async () => {
    const before = await storeConnection().collection('workflows').countDocuments();
    await service.api('HEAD', '/api/connection/id');
    expect(await storeConnection().collection('workflows').countDocuments()).toBe(before);
    const answers = await Promise.all(
      [1, 2, 3].map(() => service.api('GET', '/api/connection/id')),
    );
    for (const { status, body, headers } of answers) {
      expect([status, Object.keys(body as object), headers.get('location')]).toEqual([
        201,
        ['id'],
        `${service.url}/api/connection/${body.id}`,
      ]);
      expect(await service.body('GET', `/api/connection/${body.id}`)).toMatchObject({
        title: expect.stringMatching(/^Untitled /),
        fromConnector: { methods: [], operators: [] },
      });
    }
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3);
  });
});

describe('bulk deletion of workflows', () => {
  it('deletes all or none', async () => {
    const [one, two] = [await saved(service, workflow([])), await saved(service, workflow([]))];
    const remove = (identifiers: unknown) =>
      service.api('PUT', '/api/connection/list/delete', { body: { identifiers } });
    expect((await remove([one, 999_999])).body.message).toBe('CONNECTION_NOT_FOUND');
    expect(await service.status('GET', `/api/connection/${one}`)).toBe(200);
    expect((await remove([one, String(two)])).status).toBe(204);
    for (const id of [one, two])
      expect(await service.status('GET', `/api/connection/${id}`)).toBe(404);
  });

  it('removes leftovers of tests and never a running one', async () => {
    let answer = (): void => undefined;
    const remote = await remoteSystem(
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ body: {} });
        }),
    );
    try {
      await service.api('DELETE', '/api/connection/test');
      const title = (name: string) => `${TEST_MARK}1700000000000_${unique(name)}`;
      const left = [
        await saved(service, workflow([], [], { title: title('left') })),
        await saved(service, workflow([], [], { title: title('left') })),
      ];
      const running = await saved(
        service,
        workflow([method('0', remote.url)], [], { title: title('running') }),
      );
      const other = await saved(service, workflow([]));
      const run = await started(service, running);
      await remote.next();
      expect(await service.body('DELETE', '/api/connection/test')).toEqual({
        removed: 2,
        skippedRunning: 1,
        connectionIds: left,
      });
      expect(
        await Promise.all(
          [...left, running, other].map((id) => service.status('GET', `/api/connection/${id}`)),
        ),
      ).toEqual([404, 404, 200, 200]);
      answer();
      await ended(service, run);
      expect(await service.body('DELETE', '/api/connection/test')).toEqual({
        removed: 1,
        skippedRunning: 0,
        connectionIds: [running],
      });
      expect(await service.body('DELETE', '/api/connection/test')).toEqual({
        removed: 0,
        skippedRunning: 0,
        connectionIds: [],
      });
      const auditEvents = await service.field(
        'query($id: String!) { auditEvents(filter: { targetType: { eq: WORKFLOW }, targetId: { eq: $id } }) { nodes { action } } }',
        { id: String(left[0]) },
      );
      expect(auditEvents.nodes.map(({ action }: any) => action)).toEqual([
        'WORKFLOW_DELETE',
        'WORKFLOW_CREATE',
      ]);
    } finally {
      await remote.close();
    }
  });
});

describe('the webhook parameters of a workflow', () => {
  it('are found everywhere, in order, once each', async () => {
    const step = method('0', 'http://${host}:${port:integer}/${path.to[0]}', {
      request: {
        endpoint: 'http://${host}:${port:integer}/',
        header: { 'X-A': '${a:string} and ${b}' },
        body: {
          fields: { list: ['${c:array}', { '${key}': '${ host }' }], broken: '${} ${ ${:x} {${d}' },
        },
      },
    });
    const id = await saved(
      service,
      workflow([step], [{ id: 'o', index: '1', type: 'if', expression: '${a:string} = "${e}"' }]),
    );
    const variables = [
      ['host', 'string'],
      ['port', 'integer'],
      ['a', 'string'],
      ['b', 'string'],
      ['c', 'array'],
      ['key', 'string'],
      ['d', 'string'],
      ['e', 'string'],
    ].map(([name, type]) => ({ name, type }));
    expect(await service.body('GET', `/api/connection/${id}/webhook/vars`)).toEqual(variables);
    const { workflow: read } = await service.data(
      'query($id: ID!) { workflow(id: $id) { webhookVariables { name type } } }',
      { id: String(id) },
    );
    expect(read.webhookVariables).toEqual(variables);
    expect(
      await service.body(
        'GET',
        `/api/connection/${await saved(service, workflow([]))}/webhook/vars`,
      ),
    ).toEqual([]);
  });
});

describe('a call to a remote system', () => {
  const call = (body: object) => service.api('POST', '/api/connection/remoteapi', { body });

  it('is sent as given, and status and body are returned as data', async () => {
    const answers: Record<string, [status: number, headers: Record<string, string>, body: string]> =
      {
        '/json': [
          201,
          { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-frame-options': 'ALLOW' },
          '{ "id":1 }',
        ],
        '/page': [200, { 'content-type': 'text/html' }, '<script>alert(1)</script>'],
        '/gone': [404, {}, 'a secret of theirs'],
        '/login': [401, {}, ''],
        '/empty': [204, {}, ''],
      };
    const remote = await startRemote(({ url }, response) => {
      const [status, headers, body] = answers[url] ?? [500, {}, ''];
      response.writeHead(status, headers).end(body);
    });
    try {
      const json = await call({
        url: `${remote.url}/json`,
        method: 'post',
        header: { 'X-Y': 'z', Host: 'elsewhere.test', 'Content-Length': '3' },
        body: { a: [1] },
      });
      expect([
        json.status,
        json.text,
        json.headers.get('set-cookie'),
        json.headers.get('content-type'),
      ]).toEqual([201, '{ "id":1 }', null, 'application/json; charset=utf-8']);
      expect(remote.received[0]).toMatchObject({
        method: 'POST',
        url: '/json',
        body: '{"a":[1]}',
        headers: {
          'x-y': 'z',
          host: new URL(remote.url).host,
          'content-type': 'application/json',
          'content-length': '9',
        },
      });
      const page = await call({ url: `${remote.url}/page` });
      expect([
        page.status,
        page.text,
        page.headers.get('content-type'),
        page.headers.get('x-content-type-options'),
      ]).toEqual([200, '<script>alert(1)</script>', 'text/plain; charset=utf-8', 'nosniff']);
      expect((await call({ url: `${remote.url}/empty`, method: 'DELETE' })).status).toBe(204);
      for (const [path, status] of [
        ['/gone', 404],
        ['/login', 401],
      ] as const) {
        const failed = await call({ url: `${remote.url}${path}` });
        expect([failed.status, failed.body.message, failed.body.error]).toEqual([
          500,
          'COMMUNICATION_FAILED',
          `The remote system answered with the status ${status}.`,
        ]);
      }
    } finally {
      await remote.close();
    }
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:9/',
    'ftp://a.test/',
    'nonsense',
    'http://[::ffff:169.254.169.254]/',
  ])('is rejected or fails with a reason: %s', async (url) => {
    const { status, body } = await call({
      url,
      method: 'GET',
      header: {},
      body: null,
      sslOn: true,
    });
    expect([status, body.message]).toEqual([500, 'COMMUNICATION_FAILED']);
  });

  it('is malformed without a URL or with an unknown method', async () => {
    for (const body of [
      {},
      { url: '' },
      { url: 'http://a.test', method: 'FLY' },
      { url: 'http://a.test', header: { a: { b: 1 } } },
      { url: 'http://a.test', sslOn: 'yes' },
    ])
      expect((await call(body)).status).toBe(400);
  });
});

describe('the capacity of workflows', () => {
  it('covers 500 steps in one save, loaded through GraphQL in at most 12 store calls', async () => {
    const methods = Array.from({ length: 400 }, (_, nth) => ({
      ...method(`${nth}`, 'http://a.test/{%secret.token%}', {
        color: `#${(0x100000 + nth).toString(16).toUpperCase()}`,
        connector: { connectorId: 0, title: `Connector ${nth % 50}` },
      }),
    }));
    const operators = Array.from({ length: 100 }, (_, nth) => ({
      id: `o${nth}`,
      index: `${400 + nth}`,
      type: 'if',
      expression: '1 = 1',
    }));
    const id = await saved(service, workflow(methods, operators));
    let loaded: any;
    const calls = await storeCalls(async () => {
      loaded = await service.data(
        'query($id: ID!) { workflow(id: $id) { title steps { __typename ... on MethodStep { stepId index connector { connectorId title } } ... on OperatorStep { stepId index } } fieldBindings { bindingId } } }',
        { id },
      );
    });
    expect(loaded.workflow.steps).toHaveLength(500);
    expect(loaded.workflow.steps.map(({ index }: any) => Number(index))).toEqual(
      Array.from({ length: 500 }, (_, nth) => nth),
    );
    expect(calls.length).toBeLessThanOrEqual(12);
  });
});
