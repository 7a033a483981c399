import { imported, newConnector } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import { usingInvoker } from '../../support/documents/invokers';
import { method, saved, workflow } from '../../support/documents/workflows';

const UNKNOWN_ID = 2_147_483_647;

const service = testService();
let invoker: string;
beforeAll(async () => {
  invoker = await imported(service);
});

/** The error over REST and the user errors over GraphQL. */
async function bothApis(
  path: string,
  identifiers: readonly (number | string)[],
  mutation: string,
  input: string,
  ids: readonly (number | string)[] = identifiers,
) {
  const { status, body } = await service.api('PUT', path, { body: { identifiers } });
  const data = await service.data(
    `mutation($input: ${input}!) { done: ${mutation}(input: $input) { ids userErrors { code path message } } }`,
    { input: { ids } },
  );
  expect(data.done.ids).toBeNull();
  return {
    rest: { status, code: body.message as string, error: body.error as string },
    graph: data.done.userErrors as { code: string; path: string[]; message: string }[],
  };
}

const use = async (connectorId: number, title: string): Promise<number> =>
  saved(
    service,
    workflow(
      [
        method('0', '{url}/me', {
          methodType: 'CONNECTOR',
          name: 'GetMe',
          connector: { connectorId, title: 'Tickets', invoker: { name: invoker } },
        }),
      ],
      [],
      { title },
    ),
  );
const newGroup = async (): Promise<number> => (await service.userWith([])).groupId;
const newTemplate = async (): Promise<string> => {
  const workflowId = await saved(service, workflow([]));
  return (
    await service.api('POST', `/api/template`, {
      body: {
        name: unique('Template '),
        connection: await service.body('GET', `/api/connection/${workflowId}`),
      },
    })
  ).body.templateId as string;
};

describe('a rejected list operation', () => {
  it('reports each connector in use with the title of its first workflow', async () => {
    const [first, free, second] = [
      await newConnector(service, invoker),
      await newConnector(service, invoker),
      await newConnector(service, invoker),
    ];
    const titles = [unique('Uses '), unique('Uses too '), unique('Uses the other ')];
    for (const [at, id] of [first, first, second].entries()) await use(id, titles[at] ?? '');
    const { rest, graph } = await bothApis(
      '/api/connector/list/delete',
      [first, free, UNKNOWN_ID, second],
      'connectorsDelete',
      'ConnectorIdsInput',
    );
    expect(graph.map(({ code, path }) => [code, path.join('.')])).toEqual([
      ['CONNECTOR_IN_USE', 'ids.0'],
      ['CONNECTOR_NOT_FOUND', 'ids.2'],
      ['CONNECTOR_IN_USE', 'ids.3'],
    ]);
    expect(rest).toEqual({
      status: 409,
      code: 'CONNECTOR_IN_USE',
      error: graph.map(({ message }) => message).join(' '),
    });
    for (const text of [`"${titles[0]}" and 1 more`, `"${titles[2]}".`])
      expect(rest.error).toContain(text);
    expect(await service.status('GET', `/api/connector/${free}`)).toBe(200);
    const backwards = (
      await bothApis(
        '/api/connector/list/delete',
        [UNKNOWN_ID, second, first],
        'connectorsDelete',
        'ConnectorIdsInput',
      )
    ).rest;
    expect([
      backwards.status,
      backwards.code,
      ...titles.map((title) => backwards.error.includes(title)),
    ]).toEqual([404, 'CONNECTOR_NOT_FOUND', true, false, true]);
  });

  it('reports invokers in use by connectors and workflows', async () => {
    const names = [await imported(service), await imported(service), await imported(service)];
    const titles = [
      await usingInvoker(service, names[0] ?? ''),
      await usingInvoker(service, names[2] ?? ''),
    ];
    const connector = unique('Connected ');
    await service.api('POST', '/api/connector', {
      body: {
        title: connector,
        invoker: { name: names[2] },
        requestData: { url: 'http://127.0.0.1:1', token: 't' },
      },
    });
    const ids = await Promise.all(
      names.map(
        async (name) =>
          (await service.field('query($name: String) { invoker(name: $name) { id } }', { name }))
            .id as string,
      ),
    );
    const { rest, graph } = await bothApis(
      '/api/invoker/list/delete',
      names,
      'invokersDelete',
      'InvokersDeleteInput',
      ids,
    );
    expect(graph.map(({ path }) => path.join('.'))).toEqual(['ids.0', 'ids.2']);
    expect(rest).toEqual({
      status: 409,
      code: 'INVOKER_IN_USE',
      error: graph.map(({ message }) => message).join(' '),
    });
    for (const title of [...titles, connector]) expect(rest.error).toContain(JSON.stringify(title));
  });

  it('reports groups with members, protected groups and missing groups', async () => {
    const [first, second] = [await newGroup(), await newGroup()];
    for (const [ids, status] of [
      [[first, 2, second, UNKNOWN_ID], 409],
      [[UNKNOWN_ID, UNKNOWN_ID - 1], 404],
    ] as const) {
      const { rest, graph } = await bothApis(
        '/api/role/list/delete',
        ids,
        'groupsDelete',
        'GroupIdsInput',
      );
      expect(graph.map(({ path }) => path.join('.'))).toEqual(ids.map((_, at) => `ids.${at}`));
      expect(rest).toEqual({
        status,
        code: graph[0]?.code,
        error: graph.map(({ message }) => message).join(' '),
      });
    }
  });

  it.each([
    ['/api/connection/list/delete', 'workflowsDelete', 'WorkflowIdsInput', 404],
    ['/api/category/list/delete', 'categoriesDelete', 'CategoryIdsInput', 404],
    ['/api/user/list/delete', 'usersDelete', 'UserIdsInput', 500],
  ])('reports all missing records: %s', async (path, mutation, input, status) => {
    const { rest, graph } = await bothApis(
      path,
      [UNKNOWN_ID, UNKNOWN_ID - 1, UNKNOWN_ID],
      mutation,
      input,
    );
    expect(graph).toHaveLength(2);
    expect(rest).toEqual({
      status,
      code: graph[0]?.code,
      error: graph.map(({ message }) => message).join(' '),
    });
    expect(rest.error).toMatch(new RegExp(`${UNKNOWN_ID}.*${UNKNOWN_ID - 1}`));
  });

  it('reports all missing templates', async () => {
    const existing = await newTemplate();
    const { status, body } = await service.api('PUT', '/api/template/list/delete', {
      body: { identifiers: ['a', existing, 'b'] },
    });
    expect([status, body.message, body.error]).toEqual([
      404,
      'TEMPLATE_NOT_FOUND',
      'There is no template a. There is no template b.',
    ]);
    expect(await service.status('GET', `/api/template/${existing}`)).toBe(200);
  });
});

it.each([
  ...['connection', 'role', 'template'].map((name) => ['PUT', `/api/${name}/list/delete`] as const),
  ['PUT', '/api/category/list/cascade-delete'],
  ['POST', '/api/connection/all/by-ids'],
] as const)('the list length is limited for %s %s', async (verb, path) => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      /invoker|template/.test(path) ? `nobody ${at}` : UNKNOWN_ID - at,
    );
  const answers = await Promise.all(
    [1_000, 1_001].map((count) => service.api(verb, path, { body: { identifiers: named(count) } })),
  );
  expect(answers.map(({ body }) => body.message as string)).toEqual([
    verb === 'POST' ? undefined : expect.stringMatching(/_NOT_(FOUND|EXIST)$/),
    'BAD_REQUEST',
  ]);
  expect(answers[1]?.body.error).toMatch(/1,?000/);
});

it('a single record reports only its first problem over REST', async () => {
  const { status, body } = await service.api('POST', '/api/connector', {
    body: { title: ' ', timeout: -1, invoker: { name: 'Nobody' } },
  });
  expect([status, body.message, body.error]).toEqual([
    400,
    'TITLE_INVALID',
    'A connector needs a title.',
  ]);
});
