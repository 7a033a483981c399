import { outcome, testService, unique } from '../support/service/harness';
import { imported, invokerXml, TICKETS } from '../support/documents/connector-invokers';
import { usingInvoker } from '../support/documents/invokers';
import { both, twoProcesses } from '../support/service/two-processes';
import { method, workflow } from '../support/documents/workflows';

describe('an invoker in use by a connector', () => {
  const service = testService();

  const connectorBody = (invoker: string): object => ({
    title: unique('Tickets '),
    invoker: { name: invoker },
    requestData: { url: 'http://127.0.0.1:1', token: 't' },
  });
  const newConnector = async (invoker: string): Promise<{ id: number; title: string }> => {
    const made = await service.api('POST', '/api/connector', { body: connectorBody(invoker) });
    if (made.status !== 201) throw new Error(made.text);
    return { id: made.body.connectorId as number, title: made.body.title as string };
  };
  const isThere = async (name: string): Promise<boolean> =>
    (await service.api('GET', `/api/invoker/exists/${encodeURIComponent(name)}`)).body
      .result as boolean;
  const idOf = async (name: string): Promise<string> =>
    (await service.data('query($name: String) { invoker(name: $name) { id } }', { name })).invoker
      .id as string;

  it('is not deleted over either API, and the error names its first connector and workflow', async () => {
    const name = await imported(service);
    const { title: first } = await newConnector(name);
    await newConnector(name);
    const using = await usingInvoker(service, name);
    expect(
      (await service.api('GET', `/api/invoker/${encodeURIComponent(name)}/dependency`)).body,
    ).toEqual({ result: true });
    for (const path of [
      `/api/invoker/${encodeURIComponent(name)}`,
      `/api/invoker/${encodeURIComponent(name)}?force=false`,
    ]) {
      const refused = await service.api('DELETE', path);
      expect(outcome(refused)).toEqual([409, 'INVOKER_IN_USE']);
      expect(refused.body.error).toContain(`connectors "${first}" and 1 more`);
      expect(refused.body.error).toContain(`workflows "${using}"`);
    }
    const { invokerDelete } = await service.data(
      'mutation($id: ID!) { invokerDelete(input: { id: $id }) { invoker { id } userErrors { code path message } } }',
      { id: await idOf(name) },
    );
    expect(invokerDelete).toEqual({
      invoker: null,
      userErrors: [
        {
          code: 'INVOKER_IN_USE',
          path: ['id'],
          message: expect.stringContaining(first),
        },
      ],
    });
    expect(await isThere(name)).toBe(true);
  });

  it('keeps the other invokers of a bulk deletion, and the error names each one in use', async () => {
    const [free, used, other] = [
      await imported(service),
      await imported(service),
      await imported(service),
    ];
    const titles = [(await newConnector(used)).title, (await newConnector(other)).title];
    const refused = await service.api('PUT', '/api/invoker/list/delete', {
      body: { identifiers: [free, used, other] },
    });
    expect(outcome(refused)).toEqual([409, 'INVOKER_IN_USE']);
    expect(refused.body.error).toContain(titles[0]);
    const ids = await Promise.all([free, used, other].map(idOf));
    const { invokersDelete } = await service.data(
      'mutation($ids: [ID!]!) { invokersDelete(input: { ids: $ids }) { ids userErrors { code path message } } }',
      { ids },
    );
    expect(invokersDelete).toEqual({
      ids: null,
      userErrors: titles.map((title, at) => ({
        code: 'INVOKER_IN_USE',
        path: ['ids', String(at + 1)],
        message: expect.stringContaining(title),
      })),
    });
    expect(await Promise.all([free, used, other].map(isThere))).toEqual([true, true, true]);
  });

  it('is deleted by force with its operations; its connectors can be moved to another invoker', async () => {
    const path = (of: string): string => `/api/invoker/${encodeURIComponent(of)}`;
    for (const remove of [
      (of: string) => service.api('DELETE', `${path(of)}?force=true`),
      (of: string) =>
        service.api('PUT', '/api/invoker/list/delete?force=true', { body: { identifiers: [of] } }),
    ]) {
      const used = await imported(service);
      await newConnector(used);
      expect((await remove(used)).status).toBe(204);
      expect(await isThere(used)).toBe(false);
    }
    const [name, other] = [await imported(service), await imported(service)];
    const { id, title } = await newConnector(name);
    expect((await service.api('DELETE', `${path(name)}/force`)).status).toBe(204);
    expect(await isThere(name)).toBe(false);
    const read = await service.api('GET', `/api/connector/${id}`);
    expect([read.status, read.body.title, read.body.invoker.name]).toEqual([200, title, name]);
    expect(
      (
        await service.data(
          'query($id: ID!) { connector(id: $id) { invokerName invoker { name } } }',
          { id },
        )
      ).connector,
    ).toEqual({ invokerName: name, invoker: null });
    expect(
      outcome(
        await service.api('PUT', `/api/connector/${id}`, { body: { requestData: { token: 'x' } } }),
      ),
    ).toEqual([404, 'INVOKER_NOT_FOUND']);
    expect(
      (await service.api('PUT', `/api/connector/${id}`, { body: { description: 'Still here' } }))
        .status,
    ).toBe(200);
    expect(
      (
        await service.api('PUT', `/api/connector/${id}`, {
          body: {
            invoker: { name: other },
            requestData: { url: 'http://127.0.0.1:1', token: 't' },
          },
        })
      ).status,
    ).toBe(200);
    expect(
      outcome(await service.api('DELETE', `/api/invoker/${encodeURIComponent(other)}`)),
    ).toEqual([409, 'INVOKER_IN_USE']);
  });

  it('is also found under another spelling, in restored connectors and in steps', async () => {
    const [first, second] = [unique('Größe '), unique('Größe ')];
    for (const name of [first, second]) await imported(service, TICKETS, name);
    const { id, title } = await newConnector(first);
    const named = await usingInvoker(service, second.toUpperCase());
    expect(
      (await service.api('DELETE', `/api/invoker/${encodeURIComponent(first)}/force`)).status,
    ).toBe(204);
    const again = first.replace('ß', 'SS').toUpperCase();
    await imported(service, TICKETS, again);
    for (const [name, user] of [
      [again, title],
      [first, title],
      [second, named],
    ] as const) {
      const refused = await service.api('DELETE', `/api/invoker/${encodeURIComponent(name)}`);
      expect([...outcome(refused), refused.body.error]).toEqual([
        409,
        'INVOKER_IN_USE',
        expect.stringContaining(user),
      ]);
      const listed = await service.api('PUT', '/api/invoker/list/delete', {
        body: { identifiers: [name] },
      });
      expect(outcome(listed)).toEqual([409, 'INVOKER_IN_USE']);
    }
    const links =
      'query($id: ID!, $name: String!) { connector(id: $id) { invokerName invoker { name connectors { nodes { databaseId } } } } connectors(filter: { invokerName: { eq: $name } }) { nodes { databaseId } } }';
    const { connector, connectors } = await service.data(links, { id, name: first.toLowerCase() });
    expect(connector).toEqual({
      invokerName: first,
      invoker: { name: again, connectors: { nodes: [{ databaseId: id }] } },
    });
    expect(connectors.nodes).toEqual([{ databaseId: id }]);
    // Credentials were stored for the fields of the restored invoker; another address needs them again.
    expect(
      (
        await service.api('PUT', `/api/connector/${id}`, {
          body: {
            invoker: { name: again },
            requestData: { url: 'http://127.0.0.1:2', token: 't' },
          },
        })
      ).status,
    ).toBe(200);
    const dependent = await service.api(
      'GET',
      `/api/connection/dependency/${encodeURIComponent(second.toLowerCase())}`,
    );
    expect(dependent.body.map((one: any) => [one.title, one.invokers])).toEqual([
      [named, [second.toUpperCase()]],
    ]);
    const { workflows } = await service.data(
      'query($name: String!) { workflows(filter: { invoker: { eq: $name } }) { nodes { title } } }',
      { name: second },
    );
    expect(workflows.nodes).toEqual([{ title: named }]);
  });

  it('can be deleted after its last use is deleted', async () => {
    const name = await imported(service);
    const { id } = await newConnector(name);
    expect((await service.api('DELETE', `/api/connector/${id}`)).status).toBe(204);
    expect(
      (await service.api('GET', `/api/invoker/${encodeURIComponent(name)}/dependency`)).body,
    ).toEqual({ result: false });
    expect((await service.api('DELETE', `/api/invoker/${encodeURIComponent(name)}`)).status).toBe(
      204,
    );
  });
});

describe('two processes', () => {
  let processes: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    processes = await twoProcesses();
  });
  afterAll(() => processes.close());

  const added = async (): Promise<string> => {
    const name = unique('Tickets ');
    await processes.left.services.invokerImport.importFile(
      processes.admin,
      { fileName: null, xml: invokerXml(name, TICKETS.fields, TICKETS.operations), path: ['xml'] },
      'refuse',
    );
    return name;
  };
  const connectorOf = (process: 'left' | 'right', invoker: string): Promise<{ _id: number }> =>
    processes[process].services.connectors.create(processes.admin, {
      title: unique('Tickets '),
      invoker,
      requestData: [
        { name: 'url', value: 'u' },
        { name: 'token', value: 't' },
      ],
    });

  it('never leave a new or moved connector without its invoker', async () => {
    const { left, right, admin } = processes;
    const other = await added();
    for (let round = 0; round < 8; round += 1) {
      const name = await added();
      const moved = round % 2 ? await connectorOf('left', other) : null;
      const use = moved
        ? right.services.connectors.update(
            admin,
            moved._id,
            {
              invoker: name,
              requestData: [
                { name: 'url', value: 'u' },
                { name: 'token', value: 't' },
              ],
            },
            { network: '127.0.0.1' },
          )
        : connectorOf('right', name);
      expect([
        ['done', 'INVOKER_NOT_FOUND'],
        ['INVOKER_IN_USE', 'done'],
      ]).toContainEqual(await both(left.services.invokers.remove(admin, name), use));
      expect((await left.services.connectorCatalog.ofInvokers([name])).length).toBe(
        (await right.services.invokerCatalog.exists(name)) ? 1 : 0,
      );
    }
  });

  it('never save a workflow that references a deleted connector', async () => {
    const { left, right, admin } = processes;
    const invoker = await added();
    for (let round = 0; round < 8; round += 1) {
      const { _id } = await connectorOf('left', invoker);
      const document = workflow([
        method('0', '{url}/me', {
          methodType: 'CONNECTOR',
          name: 'GetMe',
          connector: { connectorId: _id, title: 'Tickets' },
        }),
      ]);
      const results = await both(
        left.services.connectors.remove(admin, _id),
        right.services.workflows.save(admin, null, { document }),
      );
      expect([
        ['done', 'CONNECTOR_NOT_FOUND'],
        ['CONNECTOR_IN_USE', 'done'],
      ]).toContainEqual(results);
      expect((await left.services.workflowReferences.using({ connectorIds: [_id] })).length).toBe(
        (await right.services.connectorCatalog.byId(_id)) ? 1 : 0,
      );
    }
  });
});
