import { imported as importedInvoker, TICKETS } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { template42, template50 } from '../../support/documents/templates';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();
beforeAll(async () => {
  for (const name of ['otrs', 'i-doit'])
    await importedInvoker(
      service,
      {
        ...TICKETS,
        operations: ['TicketSearch', 'cmdb.object.create'].map((operation) => ({
          name: operation,
          endpoint: '{url}',
        })),
      },
      name,
    );
});

interface Connector {
  readonly id: number;
  readonly title: string;
  readonly invoker: string;
}

async function connectorOf(invoker: string): Promise<Connector> {
  const { status, body, text } = await service.api('POST', '/api/connector', {
    body: {
      title: unique(`${invoker} `),
      invoker: { name: invoker },
      requestData: { url: 'http://127.0.0.1:9', token: 'any' },
    },
  });
  if (status !== 201) throw new Error(text);
  return { id: body.connectorId as number, title: body.title as string, invoker };
}

const added = async (template: object): Promise<any> => {
  const { status, body, text } = await service.api('POST', '/api/template', { body: template });
  if (status !== 201) throw new Error(text);
  return body;
};
function between(from: string, to: string): any {
  const template = template42();
  template.connection.fromConnector.invoker.name = from;
  template.connection.toConnector.invoker.name = to;
  template.connection.toConnector.methods[0].request.body = {
    type: 'object',
    format: 'json',
    data: 'raw',
    fields: { state: '' },
  };
  return { ...template, name: unique('Between ') };
}
const shown = ({ id, title, invoker }: Connector): object => ({
  connectorId: id,
  title,
  invoker: { name: invoker },
});
const methodsOf = (template: any): any[] => template.connection.fromConnector.methods;

describe('the templates for two connectors', () => {
  const fitting = (from: number | string, to: number | string, token?: string): Promise<Answer> =>
    service.api('GET', `/api/template/all/${from}/${to}`, { token });
  const find = ({ body }: Answer, { templateId }: any): any =>
    body.find((one: any) => one.templateId === templateId);

  it('are those of their invokers in either order and case, with the connectors filled in', async () => {
    const [mixed, same] = [
      await added(between('OTRS', 'i-doit')),
      await added(between('otrs', 'otrs')),
    ];
    const [otrs, idoit] = [await connectorOf('otrs'), await connectorOf('i-doit')];
    for (const answer of [await fitting(otrs.id, idoit.id), await fitting(idoit.id, otrs.id)]) {
      expect([answer.status, find(answer, same)]).toEqual([200, undefined]);
      const template = find(answer, mixed);
      expect(template).toMatchObject({
        name: mixed.name,
        description: mixed.description,
        version: '5.0',
        link: mixed.link,
      });
      expect(methodsOf(template).map(({ connector }) => connector)).toEqual([
        shown(otrs),
        shown(idoit),
      ]);
      expect(methodsOf(template)[0].request.endpoint).toBe(
        `{url}/TicketSearch?other={#${idoit.id}.url}`,
      );
    }
    expect(await service.body('GET', `/api/template/${mixed.templateId}`)).toEqual(mixed);
  });

  it('of one invoker have the first connector in the first place, and may have one in both', async () => {
    const [mixed, same] = [
      await added(between('otrs', 'i-doit')),
      await added(between('otrs', 'otrs')),
    ];
    const [one, two] = [await connectorOf('otrs'), await connectorOf('otrs')];
    for (const [from, to] of [
      [one, two],
      [two, one],
      [one, one],
    ] as const) {
      const answer = await fitting(from.id, to.id);
      expect(methodsOf(find(answer, same)).map(({ connector }) => connector)).toEqual([
        shown(from),
        shown(to),
      ]);
      expect(find(answer, mixed)).toBeUndefined();
    }
  });

  it('are empty for more connectors, no connector or other invokers', async () => {
    const three = template50();
    three.connection.fromConnector.methods[2] = {
      ...three.connection.fromConnector.methods[2],
      methodType: 'CONNECTOR',
      connector: { connectorId: null, title: 'CMDB', invoker: { name: 'i-doit' } },
    };
    const others = [
      await added({ ...three, name: unique('Three ') }),
      await added({
        name: unique('None '),
        connection: workflow([method('0', 'http://127.0.0.1:9/')]),
      }),
      await added(between('otrs', 'Echo')),
      await added(between('REST', 'i-doit')),
    ];
    const [otrs, idoit] = [await connectorOf('otrs'), await connectorOf('i-doit')];
    const answer = await fitting(otrs.id, idoit.id);
    expect(others.map((one) => find(answer, one)?.name)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    const [hypha, rest] = [await importedInvoker(service), await importedInvoker(service)];
    const nothing = await fitting((await connectorOf(hypha)).id, (await connectorOf(rest)).id);
    expect([nothing.status, nothing.text]).toEqual([200, '[]']);
  });

  it('are rejected for a missing connector or an invalid id', async () => {
    const { id } = await connectorOf('otrs');
    const one = await fitting(id, 4711);
    expect([one.status, one.body.message, one.body.path, one.body.error]).toEqual([
      404,
      'CONNECTOR_NOT_FOUND',
      `/api/template/all/${id}/4711`,
      expect.stringContaining('4711'),
    ]);
    const both = await fitting(4711, 4712);
    expect([both.status, both.body.error]).toEqual([404, expect.stringContaining('4711')]);
    const none = await fitting(id, 'none');
    expect([none.status, none.body.message, none.body.error]).toEqual([
      400,
      'BAD_REQUEST',
      expect.stringContaining('toConnectorId'),
    ]);
  });

  it('have a Deprecation header and a Link to the replacement', async () => {
    const { id } = await connectorOf('otrs');
    const { headers } = await fitting(id, id);
    expect([headers.get('deprecation'), headers.get('link')]).toEqual([
      expect.stringMatching(/^@\d+$/),
      `<${service.url}/api/template/all>; rel="successor-version"`,
    ]);
    expect(
      await service.status('GET', `/api/template/all/${id}/${id}`, {
        headers: { 'X-Remove-Deprecated': '1' },
      }),
    ).toBe(404);
  });
});

describe('a workflow made of a template with connectors', () => {
  const instantiate = async (
    templateId: string,
    choices: readonly (readonly [slot: number, connector: Connector])[],
  ): Promise<any> => {
    const connectors = choices.map(([slot, { id }]) => ({ slot, connectorId: String(id) }));
    return await service.mutate(
      'templateInstantiate',
      { templateId, connectors },
      'workflow { databaseId title } userErrors { code path message }',
    );
  };
  const idOf = async (templateId: string): Promise<string> =>
    (
      await service.field(
        `{ templates(filter: { templateId: { eq: "${templateId}" } }) { nodes { id } } }`,
      )
    ).nodes[0].id;
  const read = (id: number): Promise<any> => service.body('GET', `/api/connection/${id}`);
  const GRAPH =
    'query ($id: ID!) { workflow(id: $id) { validation { code stepId message } steps { ... on MethodStep { name connector { connectorId connector { title invokerName } } } } } }';

  it('names the chosen connectors in steps and texts, and is complete', async () => {
    const { templateId } = await added(between('otrs', 'i-doit'));
    const [otrs, idoit] = [await connectorOf('otrs'), await connectorOf('i-doit')];
    const { workflow: made, userErrors } = await instantiate(await idOf(templateId), [
      [2, idoit],
      [1, otrs],
    ]);
    expect(userErrors).toEqual([]);
    const document = await read(made.databaseId as number);
    expect(document.fromConnector.methods.map(({ connector }: any) => connector)).toEqual([
      shown(otrs),
      shown(idoit),
    ]);
    expect(document.fromConnector.methods[0].request.endpoint).toBe(
      `{url}/TicketSearch?other={#${idoit.id}.url}`,
    );
    expect(JSON.stringify(document)).not.toContain('slot-');
    const seen = await service.field(GRAPH, { id: made.databaseId });
    expect(seen.validation).toEqual([]);
    expect(
      seen.steps
        .filter(({ name }: any) => name)
        .map(({ connector: { connectorId, connector } }: any) => [connectorId, connector]),
    ).toEqual([
      [otrs.id, { title: otrs.title, invokerName: 'otrs' }],
      [idoit.id, { title: idoit.title, invokerName: 'i-doit' }],
    ]);
    for (const { id } of [otrs, idoit])
      expect((await service.api('DELETE', `/api/connector/${id}`)).body.message).toBe(
        'CONNECTOR_IN_USE',
      );
  });

  it('accepts two connectors of one invoker, each in its place', async () => {
    const template = between('Echo', 'ECHO');
    for (const [side, name] of [
      ['fromConnector', 'Get'],
      ['toConnector', 'Post'],
    ] as const)
      template.connection[side].methods[0].name = name;
    const { templateId } = await added(template);
    const [one, two] = [await connectorOf('Echo'), await connectorOf('Echo')];
    const { workflow: made } = await instantiate(await idOf(templateId), [
      [1, two],
      [2, one],
    ]);
    const seen = await service.field(GRAPH, { id: made.databaseId });
    // The references were written for an operation that declares `state`.
    expect(new Set(seen.validation.map(({ code }: any) => code))).toEqual(
      new Set(['REFERENCE_FIELD_UNKNOWN']),
    );
    expect(
      seen.steps
        .filter(({ name }: any) => name)
        .map(({ name, connector }: any) => [name, connector.connector.title]),
    ).toEqual([
      ['Get', two.title],
      ['Post', one.title],
    ]);
    expect(
      (await read(made.databaseId as number)).fromConnector.methods[0].request.endpoint,
    ).toContain(`{#${one.id}.url}`);
  });

  it('is rejected for a connector of another invoker, reported at its choice', async () => {
    const { templateId } = await added(between('otrs', 'i-doit'));
    const [otrs, idoit] = [await connectorOf('otrs'), await connectorOf('i-doit')];
    const { workflow: made, userErrors } = await instantiate(await idOf(templateId), [
      [1, idoit],
      [2, otrs],
    ]);
    expect([made, userErrors.map(({ code, path }: any) => [code, path])]).toEqual([
      null,
      [0, 1].map((at) => ['TEMPLATE_CONNECTOR_MISFIT', ['connectors', String(at), 'connectorId']]),
    ]);
    expect(userErrors[0].message).toContain('otrs');
  });

  it('equals the workflow of the template except for its connectors', async () => {
    const [first, second, third, fourth] = [
      await connectorOf('otrs'),
      await connectorOf('i-doit'),
      await connectorOf('otrs'),
      await connectorOf('i-doit'),
    ];
    const step = (index: string, connector: Connector, name: string, other: Connector): object =>
      method(index, `{url}/a?other={#${other.id}.url}`, {
        methodType: 'CONNECTOR',
        name,
        connector: shown(connector),
        label: 'A label',
        vendor: { kept: [1, 'x'] },
        request: {
          endpoint: `{url}/a?other={#${other.id}.url}`,
          method: 'POST',
          header: { Accept: 'text/plain' },
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: { at: `{#${connector.id}.url}/x` },
          },
        },
      });
    const document = workflow(
      [
        step('0', first, 'TicketSearch', second),
        step('1', second, 'cmdb.object.create', first),
        step('2', first, 'TicketSearch', first),
        method('3', 'http://127.0.0.1:9/'),
      ],
      [{ id: 'o', index: '4', type: 'if', expression: '1 = 1', iterator: null }],
      { description: 'Round.', ui: { viewport: { x: 1 } } },
    );
    const id = await saved(service, document);
    const templateCreate = await service.mutate(
      'templateCreate',
      { workflowId: id },
      'template { id leftOut connectors { slot invoker title } document } userErrors { code }',
    );
    const { template } = templateCreate;
    expect([template.leftOut, template.connectors]).toEqual([
      [],
      [
        { slot: 1, invoker: 'otrs', title: first.title },
        { slot: 2, invoker: 'i-doit', title: second.title },
      ],
    ]);
    expect(JSON.stringify(template.document)).not.toContain(`{#${first.id}.`);
    const { workflow: made, userErrors } = await instantiate(template.id as string, [
      [1, third],
      [2, fourth],
    ]);
    expect(userErrors).toEqual([]);
    const [before, after] = [await read(id), await read(made.databaseId as number)];
    const moved = (value: unknown): unknown => {
      const swap = new Map([
        [first, third],
        [second, fourth],
      ]);
      let text = JSON.stringify(value);
      for (const [from, to] of swap)
        text = text
          .replaceAll(`{#${from.id}.`, `{#${to.id}.`)
          .replaceAll(JSON.stringify(shown(from)), JSON.stringify(shown(to)));
      return JSON.parse(text);
    };
    expect(before.fromConnector.methods[0].connector).toEqual(shown(first));
    expect({ ...after, connectionId: 0, nodeId: 0, title: '' }).toEqual({
      ...(moved(before) as object),
      connectionId: 0,
      nodeId: 0,
      title: '',
    });
    expect(after.title).toBe(`${before.title} (2)`);
  });
});
