import { invokerXml } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';

const service = testService();
let reader: string;
let editor: string;
beforeAll(async () => {
  reader = (await service.userWith(['INVOKER:READ', 'CONNECTOR:READ'])).token;
  editor = (await service.userWith(['INVOKER:READ', 'INVOKER:UPDATE', 'CONNECTOR:READ'])).token;
});

const body = (text: string, below = text): string => `<body type="object" format="json" data="raw">
  <field name="user" type="string">me</field><field name="password" type="string">${text}</field>
  <field name="credentials" type="array"><field name="of" type="string">${below}</field></field>
  <field name="list" type="array"><field name="name" type="string">token</field><field name="value" type="string">${text}</field></field>
  <field name="tokens" type="array">${below}, ${below}</field></body>`;
const operation = {
  name: 'Read',
  type: 'test',
  method: 'POST',
  endpoint: '{url}/a?page=2&api_key=literal',
  header: {
    Accept: 'text/plain',
    'X-Mode': 'batch',
    Authorization: 'Bearer literal',
    'X-Token': '{token}',
  },
  body: body('literal'),
  fail: body('{token}'),
};
const fields = [
  { name: 'url', value: 'https://me:literal@host.test' },
  { name: 'token', visibility: 'protected', value: 'literal' },
  { name: 'region', value: 'eu' },
  { name: 'basic', visibility: 'private', value: 'literal' },
  { name: 'session', visibility: 'private', value: '{token}' },
] as const;

async function added(): Promise<{ name: string; xml: string }> {
  const name = unique('With secrets ');
  const xml = invokerXml(name, fields, [operation]).replace(
    '<operations>',
    '<!-- literal --><operations>',
  );
  const { status, text } = await service.api('POST', '/api/invoker', { body: { xml } });
  if (status !== 201) throw new Error(text);
  return { name, xml };
}
const at = (name: string, more = ''): string => `/api/invoker/${encodeURIComponent(name)}${more}`;

it('an invoker is shown with masked secrets to users who may not change it', async () => {
  const { name } = await added();
  const { body: shown, headers } = await service.api('GET', at(name), { token: reader });
  expect(headers.get('etag')).toBe('"1"');
  expect(shown.requiredData).toEqual({ url: 'https://me:***@host.test', token: '', region: 'eu' });
  const [{ request, response }] = shown.operations;
  expect(request).toMatchObject({
    endpoint: '{url}/a?page=2&api_key=***',
    method: 'POST',
    header: { Accept: 'text/plain', 'X-Mode': 'batch', Authorization: '***', 'X-Token': '{token}' },
  });
  expect(request.body).toEqual({
    type: 'object',
    format: 'json',
    data: 'raw',
    fields: {
      user: 'me',
      password: '***',
      credentials: [{ of: '***' }],
      list: [{ name: 'token', value: '***' }],
      tokens: ['***'],
    },
  });
  expect(response.fail.body.fields).toMatchObject({
    password: '{token}',
    list: [{ name: 'token', value: '{token}' }],
  });
  const stored = await service.body('GET', at(name), { token: editor });
  expect([
    stored.requiredData.token,
    stored.operations[0].request.header.Authorization,
    stored.operations[0].request.body.fields.tokens,
  ]).toEqual(['literal', 'Bearer literal', ['literal', 'literal']]);
});

it('an invoker has masked secrets in every place that shows it', async () => {
  const { name } = await added();
  const { body: connector } = await service.api('POST', '/api/connector', {
    body: {
      title: unique('Connector '),
      invoker: { name },
      requestData: { url: 'http://127.0.0.1:9', token: 'x' },
    },
  });
  const query = `{ invoker(name: "${name}") { requiredData { name value } operations { request { endpoint header { name value } body { fields } } fail { body { fields } } } } connector(id: ${connector.connectorId}) { invoker { operations { request { header { value } } } } } }`;
  const places = async (token: string): Promise<string[]> =>
    [
      await service.body('GET', at(name), { token }),
      (await service.api('GET', '/api/invoker/all', { token })).body.find(
        (one: any) => one.name === name,
      ),
      (await service.api('GET', at(name, '/xml'), { token })).text,
      await service.body('GET', `/api/connector/${connector.connectorId}`, { token }),
      (await service.api('GET', '/api/connector/all', { token })).body.find(
        (one: any) => one.connectorId === connector.connectorId,
      ),
      await service.data(query, {}, token),
    ].map((shown) => JSON.stringify(shown));
  for (const shown of await places(reader))
    expect([shown.includes('***'), shown.includes('literal')]).toEqual([true, false]);
  for (const shown of await places(editor))
    expect([shown.includes('***'), shown.includes('literal')]).toEqual([false, true]);
});

it('the XML export is unchanged for editors and a valid masked invoker for readers', async () => {
  const { name, xml } = await added();
  expect((await service.api('GET', at(name, '/xml'), { token: editor })).text).toBe(xml);
  const { text, headers } = await service.api('GET', at(name, '/xml'), { token: reader });
  for (const [token, expected] of [
    [editor, xml],
    [reader, text],
  ]) {
    const query = 'query($name: String) { invoker(name: $name) { xml } }';
    expect((await service.data(query, { name }, token)).invoker.xml).toBe(expected);
  }
  expect([headers.get('etag'), headers.get('content-type')]).toEqual([
    '"1"',
    'application/xml; charset=utf-8',
  ]);
  const copy = unique('Copy ');
  expect(
    await service.status('POST', '/api/invoker', { body: { xml: text.replace(name, copy) } }),
  ).toBe(201);
  const [shown, copied] = [
    await service.body('GET', at(name), { token: reader }),
    await service.body('GET', at(copy)),
  ];
  expect({ ...copied, name }).toEqual(shown);
});

it('the audit event of a deleted invoker contains no secrets', async () => {
  const { name } = await added();
  expect(await service.status('DELETE', at(name))).toBe(204);
  const auditEvents = await service.field(
    '{ auditEvents(first: 1, filter: { action: { eq: INVOKER_DELETE } }) { nodes { before } } }',
  );
  const [{ before }] = auditEvents.nodes;
  expect(before.document).toMatchObject({
    name,
    operations: [
      {
        name: 'Read',
        request: {
          header: expect.arrayContaining([
            { name: 'Authorization', type: 'string', value: '***' },
          ]) as unknown,
        },
      },
    ],
  });
  expect(JSON.stringify(before)).not.toContain('literal');
});
