import { testService, unique } from '../../support/service/harness';
import { connectorsUpTo } from '../../support/documents/connector-invokers';
import { storeCalls } from '../../support/store/stored';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const IF = { id: 'if', index: '1', type: 'if', expression: '(1 = 1)', iterator: null };

describe('saving a workflow over REST', () => {
  it('keeps the layout and unknown fields at every level', async () => {
    const sent = workflow(
      [
        method('0', 'http://remote.test', {
          jump: { to: '3' },
          'dotted.key': { $set: 1, 'a.b': [null, 1.5, 'ü', '\u2028', '\ud83d'] },
          request: { extra: true, endpoint: 'x' },
        }),
      ],
      [{ ...IF, uiId: 7 }],
      {
        ui: { viewport: { x: 1, y: -2.5, zoom: 1e-7 }, workflowNodes: [{ 'k.e.y': '$v' }] },
        constructor: 'mine',
        name: 'n',
        fromX: [],
      },
    );
    sent.fromConnector.icon = 'cloud.png';
    const created = await service.api('POST', '/api/connection', { body: sent });
    expect(created.status).toBe(201);
    const { connectionId, nodeId, ...document } = created.body;
    expect(connectionId).toEqual(expect.any(Number));
    expect(nodeId).toMatch(/^[0-9a-f]{24}$/);
    expect(document).toEqual(sent);
    const read = await service.api('GET', `/api/connection/${connectionId}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(created.body);
  });

  it('fills in the fields of an empty workflow', async () => {
    const title = unique('Bare ');
    const { body } = await service.api('POST', '/api/connection', {
      body: { title: `  ${title} ` },
    });
    expect(body).toEqual({
      connectionId: expect.any(Number),
      nodeId: expect.any(String),
      title,
      fromConnector: { connectorId: -1, title: 'DEFAULT', methods: [], operators: [] },
      toConnector: null,
      fieldBinding: [],
    });
  });

  it('generates missing step ids and accepts nodeId as id', async () => {
    const { body } = await service.api('POST', '/api/connection', {
      body: workflow([{ index: '0', nodeId: 'old' }, { index: '1' }]),
    });
    expect(body.fromConnector.methods[0].id).toBe('old');
    expect(body.fromConnector.methods[1].id).toMatch(/^[0-9a-f]{24}$/);
  });

  it('replaces with PUT, prefers the id of the path and generates a nodeId for each save', async () => {
    const first = await service.body('POST', '/api/connection', {
      body: workflow([method('0', 'http://a.test')]),
    });
    const put = await service.api('PUT', `/api/connection/${first.connectionId}`, {
      body: { ...first, connectionId: 999_999, title: unique('Renamed ') },
    });
    expect(put.status).toBe(200);
    expect(put.body.connectionId).toBe(first.connectionId);
    expect(put.body.nodeId).not.toBe(first.nodeId);
    expect(await service.body('GET', `/api/connection/${first.connectionId}`)).toEqual(put.body);
  });

  it('reads and parses a document once for many requests and never changes it', async () => {
    const { connectionId, ...sent } = await service.body('POST', '/api/connection', {
      body: workflow([method('0', 'http://a.test', { note: [1, { two: 2 }] })]),
    });
    const calls = await storeCalls(async () => {
      for (let time = 0; time < 3; time += 1) {
        const { connectionId: _id, ...read } = await service.body(
          'GET',
          `/api/connection/${connectionId}`,
        );
        expect(read).toEqual(sent);
        await service.data(
          'query($id: ID!) { workflow(id: $id) { steps { __typename } } workflows(first: 20) { nodes { steps { __typename } } } }',
          { id: connectionId },
        );
      }
    });
    expect(calls.filter((call) => call.startsWith('workflow_contents'))).toEqual([]);
  });

  it('deletes once', async () => {
    const id = await saved(service, workflow([]));
    expect(await service.status('DELETE', `/api/connection/${id}`)).toBe(204);
    for (const [verb, body] of [
      ['DELETE', undefined],
      ['GET', undefined],
      ['PUT', workflow([])],
    ] as const) {
      await service.refuses(404, 'CONNECTION_NOT_FOUND', verb, `/api/connection/${id}`, { body });
    }
  });

  it('rejects an operator without expression and names it', async () => {
    const { status, body } = await service.api('POST', '/api/connection', {
      body: workflow([], [IF, { ...IF, index: '0_1', expression: ' ' }]),
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      status: 400,
      message: 'OPERATOR_EXPRESSION_IS_EMPTY',
      error: 'Operator (index=0_1, type=if) has null or empty expression',
    });
  });

  it.each([
    ['no title', { title: undefined }, 'TITLE_INVALID'],
    ['a blank title', { title: ' \t ' }, 'TITLE_INVALID'],
    ['a title of 129 characters', { title: 'x'.repeat(129) }, 'TITLE_INVALID'],
    ['a title with a line break inside', { title: 'a\nb' }, 'TITLE_INVALID'],
    ['a title that is no text', { title: { $ne: null } }, 'TITLE_INVALID'],
    [
      'an unknown methodType',
      { fromConnector: { methods: [{ methodType: 'SOAP' }] } },
      'WORKFLOW_INVALID',
    ],
    ['methods that are no list', { fromConnector: { methods: {} } }, 'WORKFLOW_INVALID'],
    ['a method that is no object', { fromConnector: { methods: [null] } }, 'WORKFLOW_INVALID'],
    [
      'an index that is no text',
      { fromConnector: { methods: [{ index: 1 }] } },
      'WORKFLOW_INVALID',
    ],
    ['a container that is no object', { fromConnector: [] }, 'WORKFLOW_INVALID'],
    ['bindings that are no list', { fieldBinding: 'x' }, 'WORKFLOW_INVALID'],
    ['a description of 513 characters', { description: 'x'.repeat(513) }, 'WORKFLOW_INVALID'],
    [
      'too many steps',
      { fromConnector: { methods: Array.from({ length: 10_001 }, () => ({})) } },
      'WORKFLOW_INVALID',
    ],
  ])('rejects %s', async (_what, change, code) => {
    await service.refuses(400, code, 'POST', '/api/connection', {
      body: { ...workflow([]), ...change },
    });
  });

  it.each([
    ['a list', []],
    ['text', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
  ])('rejects %s for a workflow', async (_what, body) => {
    await service.refuses(400, 'WORKFLOW_INVALID', 'POST', '/api/connection', { body });
  });

  it('accepts a title of 128 characters and unfinished steps', async () => {
    const title = unique('🙂');
    const body = workflow([{ index: null }, { index: 'not yet' }], [{ expression: '(' }], {
      title: title.padEnd(128, '-') + '🙂',
    });
    expect(await service.status('POST', '/api/connection', { body })).toBe(201);
  });
});

describe('a 4.x document', () => {
  beforeAll(() => connectorsUpTo(service, 4));

  const legacy = (operators: object[]) => ({
    title: unique('Old '),
    fromConnector: {
      connectorId: 3,
      title: 'Source',
      methods: [
        { nodeId: 'a', index: '0', color: '#FFCFB5' },
        { nodeId: 'b', index: '10' },
      ],
      operators,
    },
    toConnector: {
      connectorId: 4,
      title: 'Target',
      methods: [{ nodeId: 'c', index: '2_0' }],
      operators: [],
    },
    fieldBinding: [{ from: [], to: [] }],
  });

  it('is converted to one container: source first, each method with its connector', async () => {
    const { status, body } = await service.api('POST', '/api/connection', {
      body: legacy([{ index: '1', type: 'loop', expression: 'For(1)' }]),
    });
    expect(status).toBe(201);
    expect(body.toConnector).toBeNull();
    expect(body.fromConnector).toMatchObject({
      connectorId: -1,
      title: 'DEFAULT',
      operators: [{ index: '0_1' }],
    });
    expect(
      body.fromConnector.methods.map((step: any) => [
        step.id,
        step.index,
        step.connector.connectorId,
        step.methodType,
      ]),
    ).toEqual([
      ['a', '0_0', 3, null],
      ['b', '0_10', 3, null],
      ['c', '1_2_0', 4, null],
    ]);
    expect(body.fieldBinding).toEqual([
      { id: expect.stringMatching(/^[0-9a-f]{24}$/), from: [], to: [] },
    ]);
  });

  it('keeps the layouts of both containers without marks on the methods', async () => {
    const layout = (name: string) => ({
      id: 'x',
      arrows: [{ from: 1, to: 2 }],
      svgItems: [{ id: 1, name, x: 10, y: 20.5, items: ['a', 'b'] }],
    });
    const sent: any = legacy([]);
    sent.businessLayout = layout('whole');
    sent.fromConnector.businessLayout = layout('source');
    sent.toConnector.businessLayout = layout('target');
    const { body } = await service.api('POST', '/api/connection', { body: sent });
    const read = await service.body('GET', `/api/connection/${body.connectionId}`);
    expect([
      read.businessLayout,
      read.fromConnector.businessLayout,
      read.fromConnector.toBusinessLayout,
    ]).toEqual([layout('whole'), layout('source'), layout('target')]);
    expect(JSON.stringify(read.fromConnector.methods)).not.toContain('businessLayout');
  });

  it('is rejected while its operators have only a condition', async () => {
    const { status, body } = await service.api('POST', '/api/connection', {
      body: legacy([{ index: '1', type: 'if', condition: {} }]),
    });
    expect([status, body.message]).toEqual([400, 'OPERATOR_EXPRESSION_IS_EMPTY']);
    expect(body.error).toContain('index=0_1, type=if');
  });
});

describe('workflow titles', () => {
  it('are unique when trimmed, without regard to case', async () => {
    const title = unique('Straße Σίσυφος ');
    await saved(service, workflow([], [], { title }));
    for (const duplicate of [title, ` ${title.toUpperCase()}  `, title.normalize('NFD')]) {
      await service.refuses(409, 'TITLE_HAS_ALREADY_TAKEN', 'POST', '/api/connection', {
        body: workflow([], [], { title: duplicate }),
      });
    }
  });

  it('stay free after a rejected save and are free again after a deletion', async () => {
    const title = unique('Free ');
    await service.api('POST', '/api/connection', {
      body: workflow([], [{ type: 'if' }], { title }),
    });
    const id = await saved(service, workflow([], [], { title }));
    await service.api('DELETE', `/api/connection/${id}`);
    await saved(service, workflow([], [], { title }));
  });

  it('can be saved again by their workflow in another case', async () => {
    const document = workflow([]);
    const id = await saved(service, document);
    expect(
      await service.status('PUT', `/api/connection/${id}`, {
        body: { ...document, title: document.title.toUpperCase() },
      }),
    ).toBe(200);
  });

  it('are given to exactly one of 20 concurrent saves', async () => {
    const title = unique('Race ');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        service.api('POST', '/api/connection', {
          body: workflow([], [], { title: nth % 2 ? title : title.toUpperCase() }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array<number>(19).fill(409),
    ]);
    const workflows = await service.field(
      'query($t: String!) { workflows(filter: { title: { contains: $t } }) { totalCount } }',
      { t: title },
    );
    expect(workflows.totalCount).toBe(1);
  });

  it('are checked by query and by path', async () => {
    const title = unique("What's up / down? ");
    await saved(service, workflow([], [], { title }));
    const query = await service.api(
      'GET',
      `/api/connection/check?name=${encodeURIComponent(title.toUpperCase())}`,
    );
    expect(query.status).toBe(200);
    expect(query.body).toEqual({
      type: 'about:blank',
      title: 'OK',
      status: 200,
      detail: 'EXISTS',
      instance: '/api/connection/check',
      error: 'OK',
      message: 'EXISTS',
      path: '/api/connection/check',
    });
    expect(
      (await service.api('GET', `/api/connection/check/${encodeURIComponent(title)}`)).body.message,
    ).toBe('EXISTS');
    expect(
      (await service.api('GET', `/api/connection/check?name=${unique('nobody')}`)).body.message,
    ).toBe('NOT_EXISTS');
    expect(await service.status('GET', '/api/connection/check')).toBe(400);
  });
});

describe('workflow lists', () => {
  it.each(['1700000000000_', '', '17x_', '_'])(
    'exclude test workflows by default, in both APIs: !*test_connection_%s',
    async (time) => {
      const title = `!*test_connection_${time}${unique('x')}`;
      await saved(service, workflow([], [], { title }));
      const titles = async (query: string) =>
        (await service.api('GET', `/api/connection/all${query}`)).body.map(
          (one: any) => one.title,
        ) as string[];
      expect(await titles('')).not.toContain(title);
      expect(await titles('?includeTest=false')).not.toContain(title);
      expect(await titles('?includeTest=true')).toContain(title);
      const { without, including } = await service.data(
        `query($t: String!) { without: workflows(filter: { title: { eq: $t } }) { totalCount }
        including: workflows(includeTest: true, filter: { title: { eq: $t } }) { totalCount nodes { test } } }`,
        { t: title },
      );
      expect([without.totalCount, including.totalCount, including.nodes[0].test]).toEqual([
        0,
        1,
        true,
      ]);
    },
  );
});
