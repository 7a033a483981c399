import { testService, unique } from '../../support/service/harness';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const STEPS = `steps { __typename stepId parentStepId index enabled
  ... on MethodStep { name label color methodType connector { connectorId title }
    request { endpoint httpMethod header body { type format data fields } }
    response timeout retries backoff dataAggregator required repeatable successStatus fileName }
  ... on OperatorStep { type expression iterator } }`;
const PAYLOAD = `workflow { id databaseId version ${STEPS} } userErrors { code path }`;

const create = (input: object): Promise<any> =>
  service.mutate('workflowCreate', { title: unique('Steps '), ...input }, PAYLOAD);
const update = (input: object): Promise<any> => service.mutate('workflowUpdate', input, PAYLOAD);
const document = (id: number): Promise<any> => service.body('GET', `/api/connection/${id}`);

/** The input of `steps` that was read. */
const treeOf = (steps: readonly any[], parent: string | null = null): object[] =>
  steps
    .filter(({ parentStepId }) => parentStepId === parent)
    .map(({ __typename, parentStepId: _parent, index: _index, ...content }) =>
      __typename === 'MethodStep'
        ? { method: content }
        : { operator: { ...content, steps: treeOf(steps, content.stepId as string) } },
    );

const stepsOf = async (id: number): Promise<any[]> =>
  (await service.field(`query($id: ID!) { workflow(id: $id) { ${STEPS} } }`, { id })).steps;

const LOOP = { type: 'LOOP', expression: 'For(3)' };
const IF = { type: 'IF', expression: '1 = 1' };

it('workflowCreate takes steps as a tree: their order gives the indexes, and methods get colours', async () => {
  const { workflow: made, userErrors } = await create({
    steps: [
      { method: { name: 'first', color: '#ABCDEF' } },
      {
        operator: {
          ...LOOP,
          steps: [
            { method: { name: 'second' } },
            { operator: { ...IF, steps: [{ method: { name: 'third', color: null } }] } },
          ],
        },
      },
      { method: { stepId: 'own', name: 'fourth' } },
    ],
  });
  expect(userErrors).toEqual([]);
  const { steps } = made;
  expect(steps.map(({ index, name, type }: any) => [index, name ?? type])).toEqual([
    ['0', 'first'],
    ['1', 'LOOP'],
    ['1_0', 'second'],
    ['1_1', 'IF'],
    ['1_1_0', 'third'],
    ['2', 'fourth'],
  ]);
  expect(steps.map(({ parentStepId }: any) => parentStepId as unknown)).toEqual([
    null,
    null,
    steps[1].stepId,
    steps[1].stepId,
    steps[3].stepId,
    null,
  ]);
  expect(steps[5].stepId).toBe('own');
  const own = expect.stringMatching(/^#[0-9A-F]{6}$/);
  const colors = [steps[0], steps[2], steps[4], steps[5]].map(({ color }) => color as unknown);
  expect(colors).toEqual(['#ABCDEF', own, null, own]);
  expect(new Set(colors).size).toBe(4);
});

describe('steps that are written as they were read', () => {
  const request = { endpoint: 'http://a.test', method: 'get', header: { A: '1' }, more: 1 };
  const DOCUMENTS: readonly (readonly [what: string, methods: object[], operators: object[]])[] = [
    [
      'nested steps whose lists are not in order',
      [
        method('2', 'http://c.test'),
        method('1_0_0', 'http://b.test'),
        method('0', 'http://a.test'),
      ],
      [
        { id: 'b', index: '1_0', type: 'if', expression: '1 = 1', condition: { any: 1 } },
        { id: 'a', index: '1', type: 'loop', expression: 'For(2)', iterator: 'i' },
      ],
    ],
    [
      'gaps in the indexes, and steps without index',
      [method('3', 'http://a.test'), { id: 'n' }, method('7_4_1', 'http://b.test')],
      [
        { id: 'o', index: '7', type: ' IF ', expression: 'x' },
        { id: 'p', type: 'switch', expression: 'x' },
        { id: 'q', index: 'x', type: 'if', expression: 'x' },
      ],
    ],
    [
      'fields that GraphQL does not show',
      [
        method('0', 'http://a.test', { jump: 5, timeout: 'none', retries: 1.5, required: null }),
        { id: 'b', index: '1', request: { ...request, body: { fields: null, extra: 1 } } },
        { id: 'c', index: '2', connector: { title: 'T', invoker: { name: 'I' } }, request: null },
        { id: 'd', index: '3', request: { endpoint: 'http://u:secret@a.test/?token=secret' } },
        { id: 'e', index: '4', request: { header: { Authorization: 'Bearer secret' } } },
        { id: 'f', index: '5', request: { ...request, method: 'FETCH' } },
      ],
      [],
    ],
    ['no steps', [], []],
  ];

  it.each(DOCUMENTS)('leave the document as it is: %s', async (_what, methods, operators) => {
    const id = await saved(service, workflow(methods, operators));
    const before = await document(id);
    const { workflow: after, userErrors } = await update({
      id,
      steps: treeOf(await stepsOf(id)),
    });
    expect([userErrors, after.version]).toEqual([[], 2]);
    expect({ ...(await document(id)), nodeId: '' }).toEqual({ ...before, nodeId: '' });
  });

  it('create an equal workflow', async () => {
    const id = await saved(service, workflow(DOCUMENTS[0][1], DOCUMENTS[0][2]));
    const steps = await stepsOf(id);
    expect((await create({ steps: treeOf(steps) })).workflow.steps).toEqual(steps);
  });
});

it('workflowUpdate moves, adds, changes and removes steps by stepId and keeps their other fields', async () => {
  const id = await saved(
    service,
    workflow(
      [
        method('0', 'http://a.test', { jump: 5 }),
        method('1_0', 'http://b.test'),
        method('2', 'http://c.test'),
      ],
      [{ id: 'o', index: '1', type: 'loop', expression: 'For(2)', extra: 1 }],
    ),
  );
  const before = await document(id);
  const { workflow: after, userErrors } = await update({
    id,
    steps: [
      {
        operator: {
          stepId: 'o',
          steps: [
            { method: { stepId: 'm0', request: { endpoint: 'http://new.test' } } },
            { operator: IF },
            { method: { stepId: 'm0', name: 'copy' } },
          ],
        },
      },
      { method: { stepId: 'm2' } },
    ],
  });
  expect(userErrors).toEqual([]);
  expect(after.steps.map(({ index, name, type }: any) => [index, name ?? type])).toEqual([
    ['0', 'LOOP'],
    ['0_0', 'call 0'],
    ['0_1', 'IF'],
    ['0_2', 'copy'],
    ['1', 'call 2'],
  ]);
  const { methods, operators } = (await document(id)).fromConnector;
  const [first, , third] = before.fromConnector.methods;
  expect(methods.slice(0, 2)).toEqual([
    { ...first, index: '0_0', request: { ...first.request, endpoint: 'http://new.test' } },
    { ...third, index: '1' },
  ]);
  expect(operators[0]).toEqual({ ...before.fromConnector.operators[0], index: '0' });
  expect(new Set([...methods, ...operators].map((step: any) => step.id as string)).size).toBe(5);
  expect((await update({ id, steps: [] })).workflow.steps).toEqual([]);
});

it('httpMethod of a request is the method of the document', async () => {
  const { workflow: made } = await create({
    steps: [{ method: { stepId: 'a', request: { httpMethod: 'POST' } } }],
  });
  const id = made.databaseId as number;
  const stored = async (): Promise<unknown[]> =>
    (await document(id)).fromConnector.methods.map(({ request }: any) => request.method as unknown);
  const edit = (name: string, request: object, more: object = {}): Promise<any> =>
    service.mutate(
      name,
      { workflowId: id, method: { request }, ...more },
      'userErrors { code path }',
    );
  expect(await stored()).toEqual(['POST']);
  await edit('stepUpdate', { httpMethod: 'PUT' }, { stepId: 'a' });
  await edit('stepAdd', { method: ' head ' });
  expect(await stored()).toEqual(['PUT', ' head ']);
  await update({ id, methods: [{ stepId: 'a', request: { httpMethod: 'DELETE' } }] });
  expect(await stored()).toEqual(['DELETE']);
  const both = { method: 'GET', httpMethod: 'GET' };
  const refusals = [
    [edit('stepUpdate', both, { stepId: 'a' }), 'method'],
    [edit('stepAdd', both), 'method'],
    [update({ id, methods: [{ request: both }] }), 'methods.0'],
    [update({ id, steps: [{ method: { request: both } }] }), 'steps.0.method'],
  ] as const;
  for (const [answer, place] of refusals)
    expect((await answer).userErrors).toEqual([
      { code: 'ONE_OF_REQUIRED', path: [...place.split('.'), 'request', 'httpMethod'] },
    ]);
});

describe('errors of steps', () => {
  const errorsOf = async (input: object): Promise<string[]> =>
    (await create(input)).userErrors.map(
      ({ code, path }: any) => `${path.join('.')} ${code as string}`,
    );

  it('have the path in the tree', async () => {
    const steps = [
      { method: { name: 'fine' } },
      {
        operator: {
          ...IF,
          steps: [{ operator: { type: 'IF' } }, { method: { connector: { connectorId: 987 } } }],
        },
      },
    ];
    expect(await errorsOf({ title: ' ', steps })).toEqual([
      'title TITLE_INVALID',
      'steps.1.operator.steps.0.operator.expression OPERATOR_EXPRESSION_IS_EMPTY',
      'steps.1.operator.steps.1.method.connector.connectorId CONNECTOR_NOT_FOUND',
    ]);
    const test = await service.mutate(
      'testRunStart',
      { workflow: { steps: [{ operator: { ...IF, steps: [{ operator: {} }] } }] } },
      'userErrors { path }',
    );
    expect(test.userErrors).toEqual([
      { path: ['workflow', ...'steps.0.operator.steps.0.operator.expression'.split('.')] },
    ]);
    const id = await saved(
      service,
      workflow([method('1', 'http://b.test'), method('0', 'http://a.test')]),
    );
    const wrong = { stepId: 'm0', request: { header: { A: '***' } } };
    expect(
      (await update({ id, steps: [{ method: wrong }, { method: { stepId: 'm1' } }] })).userErrors,
    ).toEqual([
      { code: 'SECRET_NOT_STORED', path: ['steps', '0', 'method', 'request', 'header', 'A'] },
    ]);
  });

  it('name a step that is both or neither, and lists that are given as well', async () => {
    expect(await errorsOf({ steps: [{ method: {} }, {}] })).toEqual([
      'steps.1.method ONE_OF_REQUIRED',
    ]);
    expect(await errorsOf({ steps: [{ method: {}, operator: IF }] })).toEqual([
      'steps.0.operator ONE_OF_REQUIRED',
    ]);
    for (const lists of [{ methods: [] }, { operators: [] }])
      expect(await errorsOf({ steps: [], ...lists })).toEqual(['steps ONE_OF_REQUIRED']);
  });

  it('refuse steps that are too many or nested too deeply', async () => {
    const SAVE = (steps: string): string =>
      `workflowCreate(input: { title: "large", steps: ${steps} }) { userErrors { code } }`;
    const codeOf = async (steps: object[]): Promise<unknown> => {
      const { errors } = await service.gql(`mutation($steps: [StepInput!]) { ${SAVE('$steps')} }`, {
        steps,
      });
      return errors?.[0].extensions.code;
    };
    const literalOf = (depth: number): string =>
      `[{ operator: { expression: "x", steps: ${depth === 0 ? '[]' : literalOf(depth - 1)} } }]`;
    const nested = (depth: number): object[] => [
      { operator: { ...IF, steps: depth === 0 ? [] : nested(depth - 1) } },
    ];
    expect(await codeOf(Array.from({ length: 10_001 }, () => ({ method: {} })))).toBe(
      'QUERY_TOO_COMPLEX',
    );
    expect(await codeOf(nested(100))).toBe('BAD_REQUEST');
    const { errors } = await service.gql(`mutation { ${SAVE(literalOf(100))} }`);
    expect(errors?.[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
    expect((await create({ steps: nested(18) })).userErrors).toEqual([]);
  });
});
