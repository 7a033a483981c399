import { connectorsUpTo } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import { everythingStoredOf, storeAsWritten } from '../../support/store/old-documents';
import { method, saved, workflow } from '../../support/documents/workflows';
import { longIt } from '../../support/long';
import { shareOf } from '../../support/rounds';

const service = testService();
beforeAll(async () => {
  await connectorsUpTo(service, 4);
});

const statement = (field: unknown, color = '', rightPropertyValue = '') => ({
  color,
  type: color === '' ? '' : 'response',
  field,
  rightPropertyValue,
});
const condition = (relationalOperator: string, left: object, right: object) => ({
  relationalOperator,
  leftStatement: left,
  rightStatement: right,
});

/** A 4.x document: without ids, types and expressions. */
const oldDocument = (title = unique('Old ')): any => ({
  title,
  description: 'as it was',
  icon: null,
  categoryId: null,
  later: { unknown: [1] },
  businessLayout: { id: 'whole' },
  fromConnector: {
    connectorId: 3,
    title: 'Source',
    icon: 's.png',
    sslCert: false,
    timeout: 0,
    invoker: { name: 'otrs', operations: [{ name: 'all' }] },
    businessLayout: { id: 'source', arrows: [{ from: 1, to: 2 }] },
    methods: [
      {
        name: 'TicketSearch',
        index: '0',
        color: '#FFCFB5',
        label: null,
        dataAggregator: null,
        request: {
          endpoint: 'http://127.0.0.1:9/search',
          method: 'GET',
          header: { Accept: 'text/plain' },
          body: null,
        },
        response: { name: 'response', success: null, fail: null },
      },
      {
        name: 'TicketGet',
        index: '1_0',
        color: '#C77E7E',
        request: {
          endpoint: 'http://127.0.0.1:9/{%#FFCFB5.(response).success.ids[i]%}',
          method: 'GET',
        },
        response: null,
        kept: { by: 'nobody' },
      },
    ],
    operators: [
      {
        index: '1',
        type: 'loop',
        iterator: 'i',
        condition: condition('', statement('success.ids', '#FFCFB5'), statement('')),
      },
    ],
  },
  toConnector: {
    connectorId: 4,
    title: 'Target',
    invoker: { name: 'i-doit' },
    businessLayout: { id: 'target' },
    methods: [
      {
        name: 'Create',
        index: '10_0',
        color: '#98BEC7',
        request: { endpoint: 'http://127.0.0.1:9/create', method: 'POST' },
        response: null,
      },
    ],
    operators: [
      {
        index: '10',
        type: 'if',
        condition: condition('>=', statement('success.count', '#FFCFB5'), statement(4)),
      },
    ],
  },
  fieldBinding: [
    {
      from: [{ color: '#C77E7E', type: 'response', field: 'success.title' }],
      to: [{ color: '#98BEC7', type: 'request', field: 'Title' }],
      enhancement: { name: 'x', expertCode: 'RESULT_VAR = VAR_0;' },
    },
  ],
});

const STEPS =
  'query($id: ID!) { workflow(id: $id) { steps { __typename ... on MethodStep { stepId index name methodType connector { connectorId title } } ... on OperatorStep { stepId index type expression } } fieldBindings { bindingId } } }';

describe('a stored 4.x document', () => {
  it('is converted at every read over REST and GraphQL without being rewritten', async () => {
    const id = await saved(service, workflow([]));
    const old = oldDocument();
    await storeAsWritten(id, old);
    const before = await everythingStoredOf(id);
    const reads = [
      await service.api('GET', `/api/connection/${id}`),
      await service.api('GET', `/api/connection/${id}`),
    ].map(({ body }) => body);
    const listed = (await service.api('GET', '/api/connection/all')).body.find(
      (one: any) => one.connectionId === id,
    );
    expect(reads[1]).toEqual(reads[0]);
    expect(listed).toEqual(reads[0]);
    const [{ fromConnector, toConnector, fieldBinding, later, businessLayout }] = reads;
    expect([toConnector, fieldBinding, later, businessLayout]).toEqual([
      null,
      old.fieldBinding,
      old.later,
      old.businessLayout,
    ]);
    expect(fromConnector.operators.map((step: any) => [step.index, step.expression])).toEqual([
      ['0_1', 'For({%#FFCFB5.(response).success.ids%})'],
      ['1_10', '({%#FFCFB5.(response).success.count%} >= "4")'],
    ]);
    const shown = await service.field(STEPS, { id });
    expect(shown.steps.map(({ index }: any) => index)).toEqual([
      '0_0',
      '0_1',
      '0_1_0',
      '1_10',
      '1_10_0',
    ]);
    expect(shown.steps.map(({ stepId }: any) => stepId).sort()).toEqual(
      [...fromConnector.methods, ...fromConnector.operators].map((step: any) => step.id).sort(),
    );
    expect(await everythingStoredOf(id)).toBe(before);
  });

  it('can be saved as it is read, and its steps keep their ids', async () => {
    const id = await saved(service, workflow([]));
    const old = oldDocument();
    await storeAsWritten(id, old);
    const read = await service.body('GET', `/api/connection/${id}`);
    const workflowUpdate = await service.mutate(
      'workflowUpdate',
      { id, description: 'changed', title: old.title },
      'workflow { version } userErrors { code message path }',
    );
    expect(workflowUpdate).toEqual({ workflow: { version: 2 }, userErrors: [] });
    const after = await service.body('GET', `/api/connection/${id}`);
    expect(after.fromConnector).toEqual(read.fromConnector);
    expect(after.fieldBinding).toEqual([
      { ...read.fieldBinding[0], id: expect.stringMatching(/^[0-9a-f]{24}$/) },
    ]);
  });
});

describe('an impossible connector id', () => {
  const calling = (index: string, connectorId: unknown): object =>
    method(index, '{url}/me', { methodType: 'CONNECTOR', connector: { connectorId } });
  const IMPOSSIBLE: unknown[] = [2_147_483_648, 1.5, -5, 'abc', '05', [1]];
  const shownIn = async (id: number): Promise<unknown[]> => {
    const { steps } = await service.field(
      'query($id: ID!) { workflow(id: $id) { steps { ... on MethodStep { connector { connectorId connector { databaseId } } } } } }',
      { id },
    );
    return steps.map(({ connector }: any) => connector as unknown);
  };

  it.each(IMPOSSIBLE)('is rejected in every kind of save: %j', async (connectorId) => {
    const id = await saved(service, workflow([calling('0', null)]));
    const before = (await service.api('GET', `/api/connection/${id}`)).text;
    const document = workflow([method('0', 'http://a.test'), calling('1', connectorId)]);
    for (const answer of [
      await service.api('POST', '/api/connection', { body: document }),
      await service.api('PUT', `/api/connection/${id}`, { body: document }),
    ]) {
      expect([answer.status, answer.body.message, answer.body.error]).toEqual([
        400,
        'CONNECTOR_NOT_FOUND',
        expect.stringContaining(
          'fromConnector.methods.1.connector.connectorId: There is no connector',
        ),
      ]);
    }
    await service.refuses(400, 'CONNECTOR_NOT_FOUND', 'PATCH', `/api/connection/${id}/method/m0`, {
      body: [{ op: 'replace', path: '/connector/connectorId', value: connectorId }],
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect((await service.api('GET', `/api/connection/${id}`)).text).toBe(before);
  });

  it('is rejected by GraphQL saves and step updates', async () => {
    const id = await saved(service, workflow([calling('0', null)]));
    for (const connectorId of [-5, -2_147_483_648]) {
      const data = await service.data(
        `mutation($id: ID!, $connector: StepConnectorInput!) {
        save: workflowUpdate(input: { id: $id, methods: [{ stepId: "m0", index: "0", connector: $connector }] }) { userErrors { code path } }
        edit: stepUpdate(input: { workflowId: $id, stepId: "m0", method: { connector: $connector } }) { userErrors { code path } }
      }`,
        { id, connector: { connectorId } },
      );
      expect([data.save.userErrors, data.edit.userErrors]).toEqual([
        [
          {
            code: 'CONNECTOR_NOT_FOUND',
            path: ['methods', '0', 'connector', 'connectorId'],
          },
        ],
        [{ code: 'CONNECTOR_NOT_FOUND', path: ['method', 'connector', 'connectorId'] }],
      ]);
    }
  });

  it('that is already stored stays readable and does not block other changes', async () => {
    const id = await saved(service, workflow([]));
    const methods = IMPOSSIBLE.map((connectorId, at) => calling(String(at), connectorId));
    await storeAsWritten(id, workflow(methods));
    const { body } = await service.api('GET', `/api/connection/${id}`);
    expect(
      body.fromConnector.methods.map(({ connector }: any) => connector.connectorId as unknown),
    ).toEqual(IMPOSSIBLE);
    expect(await shownIn(id)).toEqual(
      IMPOSSIBLE.map(() => ({ connectorId: null, connector: null })),
    );
    expect(
      await service.outcome('PUT', `/api/connection/${id}`, {
        body: { ...body, description: 'changed' },
      }),
    ).toEqual([200, undefined]);
    expect(
      (
        await service.api('PUT', `/api/connection/${id}`, {
          body: {
            ...body,
            fromConnector: {
              ...body.fromConnector,
              methods: [...body.fromConnector.methods, calling('10', 'other')],
            },
          },
        })
      ).body.message,
    ).toBe('CONNECTOR_NOT_FOUND');
  });

  describe('in a container', () => {
    const typeless = (index: string): object => ({
      id: `m${index}`,
      index,
      name: `call ${index}`,
      color: `#10000${index}`,
      request: { endpoint: '{url}/me', method: 'GET', header: {}, body: null },
    });
    const holding = (connectorId: unknown, at: string): object => ({
      connectorId,
      title: 'Tickets',
      invoker: { name: 'Echo' },
      methods: [typeless(at)],
      operators: [],
    });
    /** The 5.0 shape, each side of the 4.x shape, and both sides. */
    const shapes: readonly [string, (connectorId: unknown) => object, string][] = [
      [
        'the only one',
        (id) => ({ fromConnector: holding(id, '0'), toConnector: null }),
        'fromConnector.connectorId',
      ],
      [
        'the from side',
        (id) => ({ fromConnector: holding(id, '0'), toConnector: holding(0, '1') }),
        'fromConnector.methods.0.connector.connectorId',
      ],
      [
        'the to side',
        (id) => ({ fromConnector: holding(null, '0'), toConnector: holding(id, '1') }),
        'fromConnector.methods.1.connector.connectorId',
      ],
      [
        'a to side alone',
        (id) => ({ fromConnector: null, toConnector: holding(id, '0') }),
        'fromConnector.methods.0.connector.connectorId',
      ],
    ];
    const cases = shapes.flatMap(([what, make, place], nth) =>
      shareOf(IMPOSSIBLE, nth, 3).map((connectorId) => [what, connectorId, make, place] as const),
    );

    it.each(cases)(
      'is rejected in every kind of save: %s, %j',
      async (_what, connectorId, make, place) => {
        const id = await saved(service, workflow([]));
        const before = (await service.api('GET', `/api/connection/${id}`)).text;
        const rejection = [
          400,
          'CONNECTOR_NOT_FOUND',
          expect.stringContaining(`${place}: There is no connector`),
        ];
        const document = { ...workflow([]), ...make(connectorId) };
        for (const answer of [
          await service.api('POST', '/api/connection', { body: document }),
          await service.api('PUT', `/api/connection/${id}`, { body: document }),
          await service.api('PATCH', `/api/connection/${id}`, {
            body: Object.entries(make(connectorId)).map(([name, value]) => ({
              op: 'add',
              path: `/${name}`,
              value,
            })),
            headers: { 'content-type': 'application/json-patch+json' },
          }),
        ])
          expect([answer.status, answer.body.message, answer.body.error]).toEqual(rejection);
        expect((await service.api('GET', `/api/connection/${id}`)).text).toBe(before);
      },
    );

    longIt.each(shapes)(
      'that is already stored does not block other changes: %s',
      async (_what, make) => {
        const id = await saved(service, workflow([]));
        await storeAsWritten(id, { ...workflow([]), ...make(IMPOSSIBLE[0]) });
        const { body } = await service.api('GET', `/api/connection/${id}`);
        const workflowUpdate = await service.mutate(
          'workflowUpdate',
          { id, description: 'changed' },
          'workflow { version } userErrors { code path }',
        );
        expect(workflowUpdate).toEqual({ workflow: { version: 2 }, userErrors: [] });
        for (const [verb, sent] of [
          ['PUT', { ...body, description: 'again' }],
          ['PATCH', [{ op: 'replace', path: '/description', value: 'patched' }]],
        ] as const) {
          expect(
            await service.outcome(verb, `/api/connection/${id}`, {
              body: sent,
              headers: verb === 'PATCH' ? { 'content-type': 'application/json-patch+json' } : {},
            }),
          ).toEqual([200, undefined]);
        }
        expect((await service.api('GET', `/api/connection/${id}`)).body.fromConnector).toEqual(
          body.fromConnector,
        );
      },
    );

    it.each(shapes)('may be an empty value: %s', async (_what, make) => {
      for (const none of [null, '', 0, -1, '0', '-1'])
        expect(
          await service.status('POST', '/api/connection', {
            body: { ...workflow([]), ...make(none) },
          }),
        ).toBe(201);
    });
  });

  it('does not include empty values and ids written as text', async () => {
    const {
      body: { connectorId },
    } = await service.api('POST', '/api/connector', {
      body: { title: 'As text', invoker: { name: 'Echo' }, requestData: { token: 'x' } },
    });
    const id = await saved(
      service,
      workflow(
        [undefined, null, '', 0, -1, '0', '-1', connectorId, String(connectorId)].map((value, at) =>
          calling(String(at), value),
        ),
      ),
    );
    const linked = { connectorId, connector: { databaseId: connectorId } };
    expect(await shownIn(id)).toEqual([
      ...[null, null, null, 0, -1, null, null].map((none) => ({
        connectorId: none,
        connector: null,
      })),
      linked,
      linked,
    ]);
  });
});

describe('the ids of steps and bindings', () => {
  const idsOf = ({ fromConnector, fieldBinding }: any) =>
    [fromConnector.methods, fromConnector.operators, fieldBinding].map((parts: any[]) =>
      parts.map((part) => part.id),
    );
  const put = (id: number, body: object): Promise<any> =>
    service.body('PUT', `/api/connection/${id}`, { body });

  it('are kept when a 4.x client without ids saves a changed document', async () => {
    const old = oldDocument();
    const first = await service.body('POST', '/api/connection', { body: old });
    expect(
      idsOf(first)
        .flat()
        .every((id: unknown) => typeof id === 'string' && id !== ''),
    ).toBe(true);
    expect(idsOf(await put(first.connectionId, old))).toEqual(idsOf(first));
    const changed = structuredClone(old);
    changed.fromConnector.methods.reverse();
    changed.fromConnector.methods[0].index = '5';
    changed.fromConnector.methods[0].name = 'Another';
    changed.toConnector.operators[0].condition.relationalOperator = '<';
    changed.fieldBinding[0].enhancement.expertCode = 'RESULT_VAR = 1;';
    changed.toConnector.methods.push({
      name: 'New',
      index: '11',
      color: '#ABCDEF',
      request: null,
      response: null,
    });
    const second = await put(first.connectionId, changed);
    const [[search, get, create], operators, bindings] = idsOf(first);
    expect(idsOf(second)).toEqual([
      [get, search, create, expect.stringMatching(/^[0-9a-f]{24}$/)],
      operators,
      bindings,
    ]);
    expect(new Set(idsOf(second).flat()).size).toBe(7);
  });

  it('are kept over REST and GraphQL under either name', async () => {
    const bindings = [
      { id: 'b1', from: [], to: [] },
      { nodeId: 'b2', from: [], to: [] },
      { from: [], to: [{ color: '#FFCFB5', type: 'request', field: 'x' }] },
    ];
    const id = await saved(
      service,
      workflow([method('0', 'http://a.test'), { nodeId: 'n1', index: '1' }, { index: '2' }], [], {
        fieldBinding: bindings,
      }),
    );
    const read = await service.body('GET', `/api/connection/${id}`);
    expect(read.fieldBinding.slice(0, 2)).toEqual(bindings.slice(0, 2));
    expect(read.fromConnector.methods.map((step: any) => step.id)).toEqual([
      'm0',
      'n1',
      expect.any(String),
    ]);
    const shown = await service.field(STEPS, { id });
    expect(shown.fieldBindings.map(({ bindingId }: any) => bindingId)).toEqual([
      'b1',
      'b2',
      read.fieldBinding[2].id,
    ]);
    const change = {
      methods: shown.steps.map(({ stepId, index }: any) => ({ stepId, index })),
      fieldBindings: shown.fieldBindings,
    };
    await service.mutate('workflowUpdate', { id, ...change }, 'userErrors { code }');
    const after = await service.body('GET', `/api/connection/${id}`);
    expect(idsOf(after)[0]).toEqual(idsOf(read)[0]);
    expect(after.fieldBinding.map((binding: any) => binding.id)).toEqual([
      'b1',
      'b2',
      read.fieldBinding[2].id,
    ]);
  });

  it('are made unique: a repeated id is replaced by the same new one at every save', async () => {
    const twice = workflow(
      [
        method('0', 'http://a.test'),
        { ...method('0', 'http://a.test'), index: '1' },
        { id: 'm0', index: '3' },
      ],
      [{ id: 'm0', index: '2', type: 'if', expression: '1 = 1' }],
      {
        fieldBinding: [
          { id: 'b', from: [], to: [] },
          { id: 'b', from: [], to: [] },
        ],
      },
    );
    const first = await service.body('POST', '/api/connection', { body: twice });
    const ids = idsOf(first);
    expect([
      ids[0][0],
      ids[2][0],
      new Set(ids.slice(0, 2).flat()).size,
      new Set(ids[2]).size,
    ]).toEqual(['m0', 'b', 4, 2]);
    expect(idsOf(await put(first.connectionId, twice))).toEqual(ids);
  });
});
