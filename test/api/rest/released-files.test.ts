import { testService, unique } from '../../support/service/harness';
import { fileForm, uploadInvoker } from '../../support/documents/invokers';
import { jobResult } from '../../support/service/jobs';
import { testRemote } from '../../support/peers/remote-system';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';
import { zipOf } from '../../support/documents/zips';

const service = testService();
const remote = testRemote(() => ({ body: { title: 'a printer', state: 1 } }));

/** An invoker without an XML declaration, in the variants of released files. */
const oldInvoker = (name: string): string => `<invoker type="openapi">
<name>${name}</name><description/><hint/><authType>token</authType>
<category_tags><item>CRM</item></category_tags>
<requiredData>
<item name="url" type="string" visibility="public">https://{your host}/api/v2</item>
<item name="password" type="string" visibility="protected"/>
<item name="token" type="string" visibility="private">Bearer %{Login.body.$['@odata.token']}</item>
</requiredData>
<operations>
<operation name="Read" type="test" method="GET" protocol="https">
<request><method>GET</method><endpoint>{url}/items/{id}</endpoint><header><item name="X-Api-Key">12345-secret</item></header><body/></request>
<response>
<success status="200"><body type="object" format="object" data="*/*"><item>x</item><field name="id" type="integer" required="true"/></body></success>
<success status="201"/>
<fail status="200"><body type="object" format="json" data="raw"><field name="error" type="string"/></body></fail>
<fail status="400"><field name="lost" type="string"/></fail>
<fail status="400"><body type="object" format="json" data="raw"><field name="second" type="string"/></body></fail>
<fail status="404"/>
</response>
</operation>
<operation name="Read" type="">
<request><method>POST</method><endpoint>{url}</endpoint>
<body><field name="plain" type="">text</field><field name="odd" type="objects"/><field name="parts" type="string"><field name="a" type="number">1</field></field><field name="list" type=""><field name="b" type="plaintext">2</field></field></body>
</request>
</operation>
<operation name="List" type="page">
<pagination><limit action="write">5</limit><offset action="increment">0</offset><size action="read" ref="response.body.$.total"/><link ref="response.body.$.next"/><result action="collect" ref="response.body.$.items"/></pagination>
<request><method>PATCH</method><endpoint>{url}</endpoint><body type="" format="" data="application/json-patch+json"/></request>
<response/>
</operation>
</operations>
</invoker>
`;

describe('an invoker file of a released installation', () => {
  const WARNINGS = [
    /^Line 14, column \d+: <response> has a second <success>; the first counts\.$/,
    /^Line 17, column \d+: There is a <fail> with the status "400" already; this one was ignored\.$/,
    /^Line 21, column \d+: There is an operation "Read" already, on line 10; /,
    /^Line 23, column \d+: <body> has fields and no attributes; a JSON object was assumed\.$/,
    /^Line 23, column \d+: The field "plain" has no type; it was read as text\.$/,
    /^Line 23, column \d+: The field "odd" has the type "objects"; it was read as text\.$/,
    /^Line 23, column \d+: The field "parts" has the type "string" and fields in it; it was read as an object\.$/,
    /^Line 23, column \d+: The field "list" has no type and fields in it; it was read as an object\.$/,
  ].map((pattern) => expect.stringMatching(pattern));
  let name: string;
  beforeAll(() => {
    name = unique('Old');
  });

  it('imports with warnings over REST and GraphQL', async () => {
    const uploaded = await uploadInvoker(service, oldInvoker(name));
    expect([uploaded.status, uploaded.body.id]).toEqual([201, name]);
    expect(uploaded.body.warnings).toEqual(WARNINGS);
    const { body } = await service.api('GET', `/api/invoker/${name}`);
    expect(body.warnings).toEqual(uploaded.body.warnings);
    expect(body.operations.map((operation: any) => operation.name)).toEqual([
      'Read',
      'Read',
      'List',
    ]);
    expect(body.operations[0].request.body).toBeNull();
    expect([
      body.operations[0].response.success.status,
      body.operations[0].response.fail.status,
      body.operations[0].response.fails.map(({ status }: any) => status),
    ]).toEqual(['200', '200', ['200', '400', '404']]);
    expect(body.operations[1].request.body).toEqual({
      type: 'object',
      format: 'json',
      data: 'raw',
      fields: { plain: 'text', odd: '', parts: { a: '1' }, list: { b: '2' } },
    });
    expect(body.requiredData).toEqual({ url: 'https://{your host}/api/v2', password: '' });
    const invoker = await service.field(
      'query($name: String!) { invoker(name: $name) { warnings operationCount operations { name fails { status } pagination { name action ref } } first: operations(name: "Read") { request { method } } } }',
      { name },
    );
    expect([invoker.warnings, invoker.operationCount, invoker.first]).toEqual([
      uploaded.body.warnings,
      3,
      [{ request: { method: 'GET' } }],
    ]);
    expect(invoker.operations[2].pagination).toHaveLength(5);
    expect(invoker.operations[0].fails.map(({ status }: any) => status)).toEqual([
      '200',
      '400',
      '404',
    ]);
  });

  it('keeps its contents in exports, after new fields and after masking', async () => {
    const xmlOf = async (token = service.adminToken): Promise<string> =>
      (await service.api('GET', `/api/invoker/${name}/xml`, { token })).text;
    expect(await xmlOf()).toContain(oldInvoker(name));
    const parts = [
      '<category_tags>',
      'protocol="https"',
      '<item>x</item>',
      'required="true"',
      '<success status="201"/>',
      'name="lost"',
      'name="second"',
      'type="objects"',
      '{your host}',
    ];
    const reader = await service.userWith(['INVOKER:READ']);
    const masked = await xmlOf(reader.token);
    for (const text of parts) expect(masked).toContain(text);
    expect(masked).not.toContain('12345-secret');
    const added = await service.api('POST', `/api/invoker/${name}/xml`, {
      body: {
        method: 'Read',
        path: '(request)',
        fields: [{ name: 'more', type: 'string', value: 'x' }],
      },
    });
    expect([added.status, added.body.request.body]).toEqual([
      200,
      { type: 'object', format: 'json', data: 'raw', fields: { more: 'x' } },
    ]);
    const patched = await xmlOf();
    for (const text of [...parts, '12345-secret', 'name="more"', "['@odata.token']"])
      expect(patched).toContain(text);
  });

  it('is imported from an archive, and other files are reported', async () => {
    const ids = [unique('Old'), unique('Old')];
    const archive = await zipOf({
      'README.md': 'hello',
      'a.xml': oldInvoker(ids[0]),
      'b/b.xml': oldInvoker(ids[1]),
      'b/icon.png': 'png',
    });
    const later = await uploadInvoker(service, archive, 'a.zip', {
      headers: { Prefer: 'respond-async' },
    });
    const result = await jobResult(service, later.body.jobId);
    expect(result).toEqual([
      {
        id: ids[0],
        warnings: [
          ...WARNINGS,
          'README.md: Not imported, because it is not an XML file.',
          'b/icon.png: Not imported, because it is not an XML file.',
        ],
      },
      { id: ids[1], warnings: WARNINGS },
    ]);
    expect((await uploadInvoker(service, archive, 'a.zip')).body).toEqual(result);
  });
});

describe('a template without a version', () => {
  const oldest = (): any => ({
    templateId: 'old-1',
    name: unique('Oldest '),
    description: null,
    links: [],
    connection: {
      title: 'Oldest',
      description: null,
      links: [],
      nodeId: null,
      fromConnector: {
        nodeId: null,
        connectorId: 3,
        invoker: { name: 'otrs', links: [] },
        links: [],
        operators: [
          {
            nodeId: null,
            index: '1',
            type: 'loop',
            condition: {
              relationalOperator: '',
              leftStatement: {
                color: '#FFCFB5',
                type: 'response',
                field: 'success.tickets',
                rightPropertyValue: '',
              },
              rightStatement: null,
            },
          },
        ],
        methods: [
          {
            nodeId: null,
            name: 'Search',
            color: '#FFCFB5',
            index: '0',
            links: [],
            request: {
              endpoint: '{url}',
              method: 'POST',
              header: null,
              body: { Queue: 'Raw', Empty: '' },
            },
            response: {
              name: 'response',
              success: { status: '200', header: null, body: { tickets: [{ id: '' }] } },
              fail: { status: '400', header: null, body: null },
            },
          },
          {
            nodeId: null,
            name: 'Get',
            color: '#C77E7E',
            index: '1_0',
            links: [],
            request: {
              endpoint: '{url}',
              method: 'POST',
              header: null,
              body: { fields: { id: '#FFCFB5.(response).success.tickets[].id' } },
            },
            response: null,
          },
        ],
      },
      toConnector: {
        nodeId: null,
        connectorId: 8,
        invoker: { name: 'i-doit', links: [] },
        links: [],
        operators: [],
        methods: [
          {
            nodeId: null,
            name: 'Create',
            color: '#7EC77E',
            index: '0',
            request: { endpoint: '{url}', method: 'POST', header: null, body: [{ title: 'x' }] },
            response: null,
          },
        ],
      },
      fieldBinding: [],
    },
  });
  const wrapped = (type: string, fields: unknown): object => ({
    type,
    format: 'json',
    data: 'raw',
    fields,
  });
  const warned = [
    expect.stringMatching(/^version: The version is missing/),
    ...['fromConnector.methods.0', 'fromConnector.methods.1', 'toConnector.methods.0'].map(
      (place) =>
        `connection.${place}.request.body: Bare JSON was read as the fields of a JSON body.`,
    ),
  ];

  it('passes every conversion, with warnings', async () => {
    const uploaded = await service.api('POST', '/api/storage/template', {
      body: fileForm(JSON.stringify(oldest()), 'old.json', 'application/json'),
    });
    expect([uploaded.status, uploaded.body.warnings]).toEqual([201, warned]);
    const { body } = await service.api('GET', `/api/template/${uploaded.body.id}`);
    expect(body.warnings).toEqual(warned);
    const { methods, operators } = body.connection.fromConnector;
    expect(methods.map(({ request }: any) => request.body)).toEqual([
      wrapped('object', { Queue: 'Raw' }),
      wrapped('object', { fields: { id: '#FFCFB5.(response).success.tickets[i].id' } }),
      wrapped('array', [{ title: 'x' }]),
    ]);
    expect(methods[0].response.success.body).toEqual(wrapped('object', { tickets: [{ id: '' }] }));
    expect(operators[0]).toMatchObject({
      iterator: 'i',
      expression: 'For({%#FFCFB5.(response).success.tickets%})',
    });
    const templates = await service.field(
      '{ templates(first: 1, orderBy: { field: CREATED_AT, direction: DESC }) { nodes { warnings } } }',
    );
    expect(templates.nodes).toEqual([{ warnings: warned }]);
  });

  it.each<[string, (text: string) => Buffer]>([
    ['a signature', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['no signature', (text) => Buffer.from(text, 'utf16le')],
    ['a signature, big-endian', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('is read in UTF-16 with %s', async (_name, encode) => {
    const uploaded = await service.api('POST', '/api/storage/template', {
      body: fileForm(
        encode(JSON.stringify({ ...oldest(), templateId: undefined, name: 'Übersicht 東京' })),
        'old.json',
        'application/json',
      ),
    });
    expect([uploaded.status, uploaded.body.warnings]).toEqual([201, warned]);
    const { body } = await service.api('GET', `/api/template/${uploaded.body.id}`);
    expect(body.name).toBe('Übersicht 東京');
  });

  it('is imported from an archive, and other files are reported', async () => {
    const { body } = await service.api('POST', '/api/storage/template/zip', {
      body: fileForm(
        await zipOf({
          'a.json': JSON.stringify({ ...oldest(), version: '1.0.1' }),
          LICENSE: 'MIT',
        }),
        'a.zip',
        'application/zip',
      ),
    });
    expect(body[0].warnings).toEqual([
      expect.stringMatching(/^version: 1\.0\.1 is older/),
      ...warned.slice(1),
      'LICENSE: Not a .json file; it was not imported.',
    ]);
  });
});

describe('a request body that is bare JSON', () => {
  const bare = (): any =>
    workflow([
      method('0', remote.url, {
        request: {
          endpoint: remote.url,
          method: 'POST',
          header: {},
          body: { fields: { summary: 's' }, priority: 1 },
        },
      }),
    ]);
  const WRAPPED = {
    type: 'object',
    format: 'json',
    data: 'raw',
    fields: { fields: { summary: 's' }, priority: 1 },
  };

  it('is saved, shown, validated and sent as JSON', async () => {
    const id = await saved(service, bare());
    expect(
      (await service.api('GET', `/api/connection/${id}`)).body.fromConnector.methods[0].request
        .body,
    ).toEqual(WRAPPED);
    const shown = await service.field(
      'query($id: ID!) { workflow(id: $id) { steps { ... on MethodStep { request { body { type format fields } } } } } }',
      { id },
    );
    expect(shown.steps[0].request.body).toEqual({
      type: 'object',
      format: 'json',
      fields: WRAPPED.fields,
    });
    remote.forget();
    await ended(service, await started(service, id));
    expect(JSON.parse(remote.received[0].body)).toEqual(WRAPPED.fields);
    const wrong = bare();
    wrong.fromConnector.methods[0].request.body.summary = '#ABCDEF.(response).nothing.a';
    const { body } = await service.api('POST', '/api/connection/validate', { body: wrong });
    expect(body.errors).toEqual([
      expect.objectContaining({ field: 'request.body', code: 'REFERENCE_SYNTAX' }),
    ]);
  });

  it('is accepted by patches, which never create one from a body without its format', async () => {
    const id = await saved(service, workflow([]));
    const patch = (operations: object[]): Promise<any> =>
      service.api('PATCH', `/api/connection/${id}`, {
        body: JSON.stringify(operations),
        headers: { 'content-type': 'application/json-patch+json' },
      });
    const bodyNow = async (): Promise<unknown> =>
      (await service.api('GET', `/api/connection/${id}`)).body.fromConnector.methods[0].request
        .body;
    expect(
      (
        await patch([
          { op: 'add', path: '/fromConnector/methods/-', value: bare().fromConnector.methods[0] },
        ])
      ).status,
    ).toBe(200);
    expect(await bodyNow()).toEqual(WRAPPED);
    expect(
      (
        await patch([
          { op: 'replace', path: '/fromConnector/methods/0/request/body', value: { a: 1 } },
        ])
      ).status,
    ).toBe(200);
    expect(await bodyNow()).toEqual({ ...WRAPPED, fields: { a: 1 } });
    expect(
      (await patch([{ op: 'remove', path: '/fromConnector/methods/0/request/body/format' }]))
        .status,
    ).toBe(200);
    expect(await bodyNow()).toEqual({ type: 'object', data: 'raw', fields: { a: 1 } });
  });

  it('does not occur in the typed inputs of GraphQL', async () => {
    const workflowCreate = await service.mutate(
      'workflowCreate',
      {
        title: unique('Typed '),
        methods: [
          {
            index: '0',
            methodType: 'HTTP_REQUEST',
            request: { endpoint: remote.url, method: 'POST', body: { fields: { a: 1 } } },
          },
        ],
      },
      'workflow { steps { ... on MethodStep { request { body { format fields } } } } } userErrors { code }',
    );
    expect(workflowCreate.workflow.steps[0].request.body).toEqual({
      format: 'json',
      fields: { a: 1 },
    });
  });
});

it('a workflow from the 5.x editor runs with a script and with a copy', async () => {
  const [read, write] = [
    method('0', remote.url) as any,
    method('1', remote.url, {
      request: {
        endpoint: remote.url,
        method: 'POST',
        header: { 'X-State': '' },
        body: { type: 'object', format: 'json', data: 'raw', fields: { title: '', label: 'old' } },
      },
    }) as any,
  ];
  const ends = (field: string, target: string): object => ({
    from: [{ color: read.color, type: 'response', field }],
    to: [{ color: write.color, type: 'request', field: target }],
  });
  const fieldBinding = [
    {
      ...ends('body.title', 'body.title'),
      enhancement: {
        name: 'upper',
        language: 'js',
        simpleCode: null,
        expertVar: `//var RESULT_VAR = ${write.color}.(request).body.title;\n//var VAR_0 = ${read.color}.(response).body.title;`,
        expertCode: 'RESULT_VAR = VAR_0.toUpperCase();',
      },
    },
    {
      ...ends('body.$.title', 'body.label'),
      enhancement: { language: 'js', expertVar: '', expertCode: 'RESULT_VAR = VAR_0;' },
    },
    {
      ...ends('status', 'header.X-State'),
      enhancement: { language: 'js', expertVar: '', expertCode: 'RESULT_VAR = VAR_0;' },
    },
  ];
  const document = workflow([read, write], [], { fieldBinding });
  expect(
    (await service.api('POST', '/api/connection/validate', { body: document })).body.errors ?? [],
  ).toEqual([]);
  const id = await saved(service, document);
  remote.forget();
  await ended(service, await started(service, id));
  expect(remote.received.map(({ body }) => body)).toEqual([
    '',
    JSON.stringify({ title: 'A PRINTER', label: 'a printer' }),
  ]);
  expect(remote.received[1].headers['x-state']).toBe('200');
});
