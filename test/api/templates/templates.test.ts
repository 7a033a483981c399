import { testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { storeCalls } from '../../support/store/stored';
import {
  EVERY_VERSION,
  template12,
  template32,
  template42,
  template50,
} from '../../support/documents/templates';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();

const upload = (content: unknown, name = 'template.json', token?: string): Promise<Answer> => {
  const form = new FormData();
  form.set(
    'file',
    new Blob([typeof content === 'string' ? content : JSON.stringify(content)]),
    name,
  );
  return service.api('POST', '/api/storage/template', { body: form, token });
};
const imported = async (template: any): Promise<any> => {
  const { status, body, text } = await upload(template);
  if (status !== 201) throw new Error(text);
  return await service.body('GET', `/api/template/${body.id}`);
};
const methodsOf = (template: any): any[] => template.connection.fromConnector.methods;
const operatorsOf = (template: any): any[] => template.connection.fromConnector.operators;

describe('a template file of a released line', () => {
  it.each(EVERY_VERSION.map((make) => [make().version as string, make]))(
    'of %s is imported unchanged and found under its id',
    async (_version, make) => {
      const template = make();
      const answer = await upload(template);
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          id: template.templateId,
          path: `${service.url}/api/template/file/${template.templateId}.json`,
        },
      ]);
      expect(
        (await service.api('GET', `/api/template/check/${template.templateId.toUpperCase()}`)).text,
      ).toBe('true');
      const { body } = await service.api('GET', `/api/template/${template.templateId}`);
      expect(body).toMatchObject({
        templateId: template.templateId,
        name: template.name,
        description: template.description,
        version: '5.0',
        link: `${service.url}/api/template/${template.templateId}`,
      });
      expect(body.connection).toMatchObject({
        title: template.connection.title,
        toConnector: null,
        fromConnector: { connectorId: -1, title: 'DEFAULT' },
      });
      const names = [template.connection.fromConnector, template.connection.toConnector].flatMap(
        (container) => (container?.methods ?? []).map((one: any) => one.name),
      );
      expect(methodsOf(body).map(({ name }) => name)).toEqual(names);
      // A downloaded template imports unchanged.
      const file = await service.api('GET', new URL(answer.body.path).pathname);
      expect(file.headers.get('content-disposition')).toBe(
        `attachment; filename="${template.templateId}.json"`,
      );
      expect(file.body).toEqual({
        templateId: template.templateId,
        name: template.name,
        description: template.description,
        license: 'MIT',
        version: '5.0',
        link: null,
        connection: body.connection,
      });
      const again = await upload(file.text);
      expect([again.status, again.headers.get('etag')]).toEqual([201, '"2"']);
      expect(await service.body('GET', `/api/template/${template.templateId}`)).toEqual(body);
    },
  );

  it('of 1.2 gets body formats and loop letters in operators, references and bindings', async () => {
    const template = await imported(template12());
    const [search, ticket, article, create] = methodsOf(template);
    expect(search.request.body).toEqual({
      type: 'object',
      format: 'json',
      data: 'raw',
      fields: { Queue: 'Raw', StateType: '' },
    });
    expect(search.response.success.body).toEqual({
      type: 'object',
      format: 'json',
      data: 'raw',
      fields: { tickets: [{ id: '', articles: [{ id: '' }] }] },
    });
    expect([search.response.fail.body, ticket.request.body]).toEqual([null, null]);
    expect(ticket.request.endpoint).toBe(
      '{url}/Ticket/{%#FFCFB5.(response).success.tickets[i].id%}',
    );
    expect(article.request.body.fields.id).toBe(
      '#FFCFB5.(response).success.tickets[i].articles[j].id',
    );
    // Outside of loops nothing gets a letter.
    expect(create.request.body.fields.title).toBe('#FFCFB5.(response).success.tickets[0].id');
    expect(
      operatorsOf(template).map(({ index, iterator, condition }) => [
        index,
        iterator,
        condition.leftStatement.field,
      ]),
    ).toEqual([
      ['0_1', 'i', 'success.tickets'],
      ['0_1_1', 'j', 'success.tickets[i].articles'],
    ]);
    expect(template.connection.fieldBinding[0].from[0].field).toBe(
      'success.tickets[i].articles[j].id',
    );
    expect(template.connection.fieldBinding[0].enhancement.expertVar).toContain(
      'tickets[i].articles[j].id',
    );
  });

  it('of 3.2 loses properties without a value in request bodies, and no value', async () => {
    const [{ request }] = methodsOf(await imported(template32()));
    expect(request.body.fields).toEqual({
      Ticket: { Title: 'A', Zero: 0, Off: false, Items: ['', {}] },
    });
  });

  it('of 4.2 is converted like workflows, with the invoker and no connector in each step', async () => {
    const template = await imported(template42());
    const [search, create] = methodsOf(template);
    expect([
      search.index,
      search.connector,
      search.methodType,
      search.request.body.fields.State,
    ]).toEqual([
      '0_0',
      { connectorId: null, title: 'Tickets of the company', invoker: { name: 'otrs' } },
      null,
      '',
    ]);
    expect([create.index, create.connector]).toEqual([
      '1_0',
      { connectorId: null, title: 'CMDB', invoker: { name: 'i-doit' } },
    ]);
    expect(search.request.header).toEqual({
      'Content-Type': 'application/json',
      'X-Vendor-Mode': 'batch',
    });
    expect(search.request.endpoint).toBe('{url}/TicketSearch?other={#slot-2.url}');
    expect(operatorsOf(template)[0]).toMatchObject({
      index: '0_1',
      expression: expect.stringContaining('#FFCFB5') as string,
    });
    expect(JSON.stringify(template)).not.toMatch(/"connectorId":\s*[1-9]|ConnectorId/);
    const templates = await service.field(
      `{ templates(filter: { templateId: { eq: "${template.templateId}" } }) { nodes { connectors { slot invoker title } license productVersion leftOut } } }`,
    );
    expect(templates.nodes).toEqual([
      {
        connectors: [
          { slot: 1, invoker: 'otrs', title: 'Tickets of the company' },
          { slot: 2, invoker: 'i-doit', title: 'CMDB' },
        ],
        license: 'MIT',
        productVersion: '5.0',
        leftOut: [],
      },
    ]);
  });

  it('of 5.0 stays unchanged, including layout and secret names', async () => {
    const template = template50();
    expect((await imported(template)).connection).toEqual(template.connection);
  });
});

describe('a file that is no template', () => {
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const named = (connection: unknown): object => ({ name: 'x', connection });
  it.each([
    ['no JSON', 'hello', 'TEMPLATE_INVALID'],
    ['nothing', '', 'TEMPLATE_INVALID'],
    ['a list', '[]', 'TEMPLATE_INVALID'],
    ['null', 'null', 'TEMPLATE_INVALID'],
    ['no workflow', { name: 'x' }, 'TEMPLATE_INVALID'],
    ['a workflow that is none', named('x'), 'TEMPLATE_INVALID'],
    ['a workflow without a shape', named({ fromConnector: [] }), 'TEMPLATE_INVALID'],
    [
      'steps that are none',
      named({ fromConnector: { methods: [1], operators: {} } }),
      'TEMPLATE_INVALID',
    ],
    [
      'steps of 1.2 that are none',
      {
        ...named({
          fromConnector: { methods: [1], operators: ['x'] },
          toConnector: { methods: { a: 1 } },
        }),
        version: '1.2',
      },
      'TEMPLATE_INVALID',
    ],
    ['a name that is none', { name: 5, connection: {} }, 'TEMPLATE_INVALID'],
    ['a long name', { name: 'x'.repeat(256), connection: {} }, 'TEMPLATE_INVALID'],
    ['half a character', { name: '\ud800', connection: {} }, 'TEMPLATE_INVALID'],
    [
      'a name of a prototype',
      '{"name":"x","connection":{"__proto__":{"polluted":true}}}',
      'TEMPLATE_INVALID',
    ],
    ['deep nesting', `{"name":"x","connection":${deep(200)}}`, 'TEMPLATE_INVALID'],
    ['an archive', Buffer.from('PK\u0003\u0004rest').toString('latin1'), 'TEMPLATE_INVALID'],
  ])('is rejected without a change: %s', async (_what, content, code) => {
    const before = (await service.api('GET', '/api/template/all')).text;
    const answer = await upload(content);
    expect([answer.status, answer.body.message, answer.body.error]).toEqual([
      400,
      code,
      expect.any(String),
    ]);
    expect((await service.api('GET', '/api/template/all')).text).toBe(before);
    expect(({} as any).polluted).toBeUndefined();
  });

  it('is reported with every error', async () => {
    const { body } = await upload({
      name: 'x',
      description: 5,
      connection: { fromConnector: { methods: [{ index: 5 }, 'x'] } },
    });
    expect(body.error).toContain('description');
    const other = await upload({
      name: 'x',
      connection: { fromConnector: { methods: [{ index: 5 }, 'x'] } },
    });
    expect(other.body.error).toMatch(
      /connection\.fromConnector\.methods\.0\.index.*connection\.fromConnector\.methods\.1/,
    );
  });

  it('may contain names that are dangerous elsewhere', async () => {
    const { connection } = await imported({
      name: 'Names',
      connection: JSON.parse(
        '{"constructor":{"prototype":1},"a.b":{"$set":1},"toString":"x","fromConnector":{"hasOwnProperty":1}}',
      ),
    });
    expect(connection).toMatchObject({
      constructor: { prototype: 1 },
      'a.b': { $set: 1 },
      toString: 'x',
      fromConnector: { hasOwnProperty: 1, methods: [] },
    });
  });
});

const PLANTED = [
  'plantedBearer',
  'plantedKey',
  'plantedUrl',
  'plantedBody',
  'plantedPair',
  'plantedAnswer',
  'plantedCredential',
];
const withSecrets = (): any =>
  workflow(
    [
      method('0', 'https://host.test/a?api_key=plantedUrl&page=2', {
        request: {
          endpoint: 'https://host.test/a?api_key=plantedUrl&page=2',
          method: 'POST',
          header: {
            Authorization: 'Bearer plantedBearer',
            'X-Api-Key': 'plantedKey',
            'Content-Type': 'application/json',
            'X-Ref': '{%secret.TOKEN%}',
          },
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: {
              password: 'plantedBody',
              name: 'kept',
              pairs: [{ name: 'token', value: 'plantedPair' }],
            },
          },
        },
        response: {
          success: { status: '200', header: { 'Set-Cookie': 'plantedAnswer' }, body: null },
        },
      }),
    ],
    [],
    {
      description: 'Has secrets.',
      ui: { note: 'kept' },
      requestData: { password: 'plantedCredential' },
    },
  );

describe('a template of a workflow', () => {
  it('contains no secret, marks its places and is made into a workflow again', async () => {
    const document = withSecrets();
    const id = await saved(service, document);
    const unsaved = await service.api('GET', `/api/template/connection/${id}`);
    expect(unsaved.body).toMatchObject({
      templateId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: document.title,
      description: 'Has secrets.',
      version: '5.0',
      link: null,
    });
    expect((await service.api('GET', `/api/template/check/${unsaved.body.templateId}`)).text).toBe(
      'false',
    );
    const templateCreate = await service.mutate(
      'templateCreate',
      { workflowId: id, name: unique('Made '), license: 'MIT' },
      'template { id databaseId templateId name description license leftOut connectors { slot } document version createdBy { userId } } userErrors { code path }',
    );
    const { template, userErrors } = templateCreate;
    expect([
      userErrors,
      template.description,
      template.license,
      template.version,
      template.connectors,
      template.createdBy,
    ]).toEqual([[], 'Has secrets.', 'MIT', 1, [], { userId: 1 }]);
    const file = await service.api('GET', `/api/template/file/${template.templateId}.json`);
    const audit = await service.data('{ auditEvents(first: 20) { nodes { before after } } }');
    for (const text of [unsaved.text, JSON.stringify(template), file.text, JSON.stringify(audit)])
      expect(PLANTED.filter((secret) => text.includes(secret))).toEqual([]);
    const [{ request }] = template.document.fromConnector.methods;
    expect(request).toEqual({
      endpoint: 'https://host.test/a?api_key=&page=2',
      method: 'POST',
      header: {
        Authorization: '',
        'X-Api-Key': '',
        'Content-Type': 'application/json',
        'X-Ref': '{%secret.TOKEN%}',
      },
      body: {
        type: 'object',
        format: 'json',
        data: 'raw',
        fields: { password: '', name: 'kept', pairs: [{ name: 'token', value: '' }] },
      },
    });
    expect(template.leftOut).toEqual(
      expect.arrayContaining([
        'fromConnector.methods.0.request.header.Authorization',
        'fromConnector.methods.0.request.endpoint',
      ]),
    );
    expect(template.leftOut).toHaveLength(7);
    const made = await service.mutate(
      'templateInstantiate',
      { templateId: template.id },
      'workflow { databaseId title } userErrors { code message path }',
    );
    expect(made).toEqual({
      workflow: { databaseId: expect.any(Number), title: template.name },
      userErrors: [],
    });
    const { body } = await service.api('GET', `/api/connection/${made.workflow.databaseId}`);
    expect(body.fromConnector.methods[0].request).toEqual(request);
    expect(body.ui).toEqual({ note: 'kept' });
  });

  it('is rejected for a missing or unreadable workflow and for invalid texts', async () => {
    const create = (input: object, token?: string): Promise<any> =>
      service.mutate('templateCreate', input, 'template { id } userErrors { code path }', token);
    expect(await create({ workflowId: '4711', name: 'x'.repeat(256) })).toEqual({
      template: null,
      userErrors: [
        { code: 'TEXT_TOO_LONG', path: ['name'] },
        { code: 'CONNECTION_NOT_FOUND', path: ['workflowId'] },
      ],
    });
    const { token } = await service.userWith(['SCHEDULE:CREATE', 'SCHEDULE:READ']);
    const id = await saved(service, workflow([]));
    expect(await create({ workflowId: String(id) }, token)).toEqual({
      template: null,
      userErrors: [{ code: 'CONNECTION_NOT_FOUND', path: ['workflowId'] }],
    });
    expect(await service.status('GET', `/api/template/connection/${id}`, { token })).toBe(404);
  });
});

describe('templates over REST', () => {
  const sent = (more: object = {}): any => ({
    name: unique('Sent '),
    description: null,
    version: '5.0',
    connection: workflow([method('0', 'http://127.0.0.1:9/')]),
    ...more,
  });

  it('are added under a new id, replaced and deleted, with an audit entry each', async () => {
    const body = sent({ templateId: '99999999-9999-4999-8999-999999999999' });
    const added = await service.api('POST', '/api/template', { body });
    expect([added.status, added.headers.get('etag'), added.headers.get('location')]).toEqual([
      201,
      '"1"',
      added.body.link,
    ]);
    expect(added.body.templateId).not.toBe(body.templateId);
    const { templateId } = added.body;
    const changed = await service.api('PUT', `/api/template/${templateId}`, {
      body: { ...added.body, name: 'Changed', description: 'New.' },
      headers: { 'If-Match': '"1"' },
    });
    expect([
      changed.status,
      changed.body.name,
      changed.body.description,
      changed.headers.get('etag'),
    ]).toEqual([200, 'Changed', 'New.', '"2"']);
    await service.refuses(400, 'BAD_REQUEST', 'PUT', `/api/template/${templateId}`, { body });
    expect(
      await service.status('DELETE', `/api/template/${templateId}`, {
        headers: { 'If-Match': '"1"' },
      }),
    ).toBe(412);
    expect(await service.status('DELETE', `/api/template/${templateId}`)).toBe(204);
    expect((await service.api('GET', `/api/template/${templateId}`)).body.message).toBe(
      'TEMPLATE_NOT_FOUND',
    );
    const auditEvents = await service.field(
      '{ auditEvents(first: 3, filter: { targetType: { eq: TEMPLATE } }) { nodes { action } } }',
    );
    expect(auditEvents.nodes.map(({ action }: any) => action)).toEqual([
      'TEMPLATE_DELETE',
      'TEMPLATE_UPDATE',
      'TEMPLATE_CREATE',
    ]);
  });

  it('are listed with their workflows, or as metadata without reading them', async () => {
    const {
      body: { templateId },
    } = await service.api('POST', '/api/template', { body: sent() });
    const [all, metadata] = await Promise.all(
      ['', '?metadataOnly=true'].map((query) => service.api('GET', `/api/template/all${query}`)),
    );
    const find = ({ body }: Answer): any => body.find((one: any) => one.templateId === templateId);
    expect(find(all).connection.fromConnector.methods).toHaveLength(1);
    const { connection: _connection, ...rest } = find(all);
    expect(find(metadata)).toEqual(rest);
    expect(await service.body('GET', `/api/template/${templateId}?metadataOnly=true`)).toEqual(
      rest,
    );
    expect(await service.status('GET', '/api/template/all?metadataOnly=yes')).toBe(400);
    const calls = await storeCalls(async () => {
      await service.api('GET', '/api/template/all?metadataOnly=true');
      await service.data(
        '{ templates(first: 50) { nodes { name connectors { invoker } } totalCount } }',
      );
    });
    expect([
      calls.filter((call) => call.startsWith('templates.')).length > 1,
      calls.filter((call) => call.startsWith('template_contents.')),
    ]).toEqual([true, []]);
  });

  it('are replaced and deleted in bulk, all or none, with every error reported', async () => {
    const [one, two] = [
      await service.body('POST', '/api/template', { body: sent() }),
      await service.body('POST', '/api/template', { body: sent() }),
    ];
    await service.refuses(400, 'TEMPLATE_INVALID', 'PUT', '/api/template/all', {
      body: [
        { ...one, name: 'No' },
        { ...two, name: 5 },
        { ...two, connection: null },
      ],
    });
    await service.refuses(404, 'TEMPLATE_NOT_FOUND', 'PUT', '/api/template/all', {
      body: [
        { ...one, name: 'No' },
        { ...two, templateId: '99999999-9999-4999-8999-999999999999' },
      ],
    });
    expect(await service.body('GET', `/api/template/${one.templateId}`)).toEqual(one);
    const done = await service.api('PUT', '/api/template/all', {
      body: [
        { ...two, name: 'B' },
        { ...one, name: 'A' },
      ],
    });
    expect([done.status, done.body.map(({ name }: any) => name)]).toEqual([200, ['B', 'A']]);
    await service.refuses(404, 'TEMPLATE_NOT_FOUND', 'PUT', '/api/template/list/delete', {
      body: { identifiers: [one.templateId, 'nobody'] },
    });
    expect(
      await service.status('PUT', '/api/template/list/delete', {
        body: { identifiers: [one.templateId, two.templateId] },
      }),
    ).toBe(204);
    expect((await service.api('GET', `/api/template/check/${one.templateId}`)).text).toBe('false');
  });

  it('are replaced by an upload only with the permission to change templates', async () => {
    const { token } = await service.userWith(['SCHEDULE:CREATE']);
    const template = { ...template50(), templateId: '51515151-5050-4050-8050-505050505050' };
    expect((await upload(template, 'a.json', token)).status).toBe(201);
    expect((await upload(template, 'a.json', token)).body.message).toBe('ACCESS_DENIED');
  });
});

describe('templateInstantiate', () => {
  const instantiate = (input: object, token?: string): Promise<any> =>
    service.mutate(
      'templateInstantiate',
      input,
      'workflow { databaseId title } userErrors { code path }',
      token,
    );
  const idOf = async (templateId: string): Promise<string> =>
    (
      await service.field(
        `{ templates(filter: { templateId: { eq: "${templateId}" } }) { nodes { id } } }`,
      )
    ).nodes[0].id;

  it('reports each missing and wrong connector with the other errors', async () => {
    const { templateId } = await imported(template42());
    const id = await idOf(templateId);
    expect((await instantiate({ templateId: id })).userErrors).toEqual([
      { code: 'TEMPLATE_CONNECTOR_MISSING', path: ['connectors'] },
      { code: 'TEMPLATE_CONNECTOR_MISSING', path: ['connectors'] },
    ]);
    const { userErrors } = await instantiate({
      templateId: id,
      title: '\u0007',
      connectors: [
        { slot: 3, connectorId: '4711' },
        { slot: 1, connectorId: '4711' },
        { slot: 1, connectorId: 'none!' },
      ],
    });
    expect(userErrors).toEqual(
      expect.arrayContaining([
        { code: 'ID_INVALID', path: ['connectors', '2', 'connectorId'] },
        { code: 'TEMPLATE_CONNECTOR_UNKNOWN', path: ['connectors', '0', 'slot'] },
        { code: 'CONNECTOR_NOT_FOUND', path: ['connectors', '0', 'connectorId'] },
        { code: 'CONNECTOR_NOT_FOUND', path: ['connectors', '1', 'connectorId'] },
        { code: 'TEMPLATE_CONNECTOR_UNKNOWN', path: ['connectors', '2', 'slot'] },
        { code: 'TEMPLATE_CONNECTOR_MISSING', path: ['connectors'] },
        { code: 'TITLE_INVALID', path: ['title'] },
      ]),
    );
  });

  it('uses the given title or the first free one', async () => {
    const { body } = await service.api('POST', '/api/template', {
      body: { name: unique('Free '), connection: workflow([method('0', 'http://127.0.0.1:9/')]) },
    });
    const id = await idOf(body.templateId);
    const titles = [];
    for (let nth = 0; nth < 3; nth += 1)
      titles.push((await instantiate({ templateId: id })).workflow.title);
    expect(titles).toEqual([body.name, `${body.name} (2)`, `${body.name} (3)`]);
    expect(
      (await instantiate({ templateId: id, title: titles[1].toUpperCase() })).userErrors,
    ).toEqual([{ code: 'TITLE_HAS_ALREADY_TAKEN', path: ['title'] }]);
    const ownTitle = unique('Given ');
    expect((await instantiate({ templateId: id, title: ownTitle })).workflow.title).toBe(ownTitle);
    const many = await Promise.all(
      Array.from({ length: 6 }, () => instantiate({ templateId: id })),
    );
    expect(new Set(many.map(({ workflow: made }) => made.title)).size).toBe(6);
  });

  it('requires both permissions, and does not find an unreadable template', async () => {
    const { body } = await service.api('POST', '/api/template', {
      body: { name: unique('Rights '), connection: workflow([]) },
    });
    const id = await idOf(body.templateId);
    const { token } = await service.userWith(['CONNECTION:CREATE']);
    expect((await instantiate({ templateId: id }, token)).userErrors).toEqual([
      { code: 'TEMPLATE_NOT_FOUND', path: ['templateId'] },
    ]);
  });
});
