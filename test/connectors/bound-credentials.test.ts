import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerJson, startRemote } from '../engine/support/remote';
import {
  imported,
  invokerXml,
  newConnector,
  TICKETS,
} from '../support/documents/connector-invokers';
import type { FieldXml, OperationXml } from '../support/documents/connector-invokers';
import { outcome, testService, unique } from '../support/service/harness';
import type { Answer, CallOptions } from '../support/service/harness';
import { uploadInvoker } from '../support/documents/invokers';
import { ended } from '../support/service/watch';
import { saved, started, workflow } from '../support/documents/workflows';
import { zipOf } from '../support/documents/zips';
import { openForTests } from '../support/open-for-tests';

const MASTER = 'the master password';
const TOKEN = 'the-token-of-the-company';
const withPassword = { headers: { 'x-master-password': MASTER } };

const folder = mkdtempSync(join(tmpdir(), 'hypha-invokers-'));
/** May change invokers and read connectors, and does not know the master password. */
let attacker: string;
/** May change connectors, and does not know the master password. */
let editor: string;

const service = testService({
  env: { HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER, HYPHA_INVOKER_FOLDER: folder },
});
const remote = openForTests(() =>
  startRemote((_request, response) =>
    answerJson(response, { session: 'session-of-the-company', ok: true }),
  ),
);
const elsewhere = openForTests(() => startRemote((_request, response) => answerJson(response, {})));
beforeAll(async () => {
  attacker = (
    await service.userWith([
      'INVOKER:CREATE',
      'INVOKER:READ',
      'INVOKER:UPDATE',
      'INVOKER:DELETE',
      'CONNECTOR:READ',
      'CONNECTION:READ',
    ])
  ).token;
  editor = (await service.userWith(['CONNECTOR:READ', 'CONNECTOR:UPDATE', 'INVOKER:READ'])).token;
});
beforeEach(() => {
  remote.received.length = 0;
  elsewhere.received.length = 0;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = (id: number, more: object = {}): Promise<Answer> =>
  service.api('POST', '/api/connector/check', {
    body: { connectorId: id, ...more },
    token: editor,
  });
const stored = (name: string): Promise<number> =>
  newConnector(service, name, { url: remote.url, token: TOKEN });
const suspendedOf = async (id: number): Promise<unknown> =>
  (await service.api('GET', `/api/connector/${id}`)).body.suspended;
const fieldsOf = async (id: number, token = attacker): Promise<any[]> =>
  (
    await service.data(
      'query($id: ID!) { connector(id: $id) { requestData { name visibility value suspended unconfirmedOrigins } } }',
      { id },
      token,
    )
  ).connector.requestData;
const auditOf = async (id: number, action: string): Promise<any[]> =>
  (
    await service.data(
      `{ auditEvents(first: 100, filter: { action: { eq: ${action} } }) { nodes { actor { email } target { targetId } before after } } }`,
    )
  ).auditEvents.nodes.filter(({ target }: any) => target.targetId === String(id));

const step = (connectorId: number, name: string, request: object | null = null): object => ({
  id: 'm0',
  index: '0',
  name,
  color: '#0000A0',
  methodType: 'CONNECTOR',
  connector: { connectorId },
  request,
});
const runOf = async (...steps: object[]): Promise<any> => {
  const workflowId = await saved(service, workflow(steps));
  return { workflowId, ...(await ended(service, await started(service, workflowId))) };
};
const problemsOf = async (workflowId: number): Promise<any[]> =>
  (
    await service.data(
      'query($id: ID!) { workflow(id: $id) { validation { index field code } } }',
      { id: workflowId },
    )
  ).workflow.validation;

/** Every way in which an invoker name can be given another document. */
const WAYS: Readonly<Record<string, (name: string, xml: string) => Promise<void>>> = {
  'a file over REST': async (_name, xml) =>
    expect((await uploadInvoker(service, xml, 'a.xml', { token: attacker })).status).toBe(201),
  'a zip over REST': async (_name, xml) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await zipOf({ 'a.xml': xml }))]), 'a.zip');
    expect(
      (await service.api('POST', '/api/storage/invoker/zip', { body: form, token: attacker }))
        .status,
    ).toBe(201);
  },
  'an import over GraphQL': async (_name, xml) => {
    const { invokerImport } = await service.data(
      'mutation($xml: String!) { invokerImport(input: { xml: $xml }) { job { databaseId } userErrors { code } } }',
      { xml },
      attacker,
    );
    const id = invokerImport.job.databaseId as number;
    for (let state = ''; state !== 'SUCCEEDED';)
      ({
        job: { state },
      } = await service.data('query($id: ID!) { job(id: $id) { state } }', { id }, attacker));
  },
  'a deletion by force and a new invoker': async (name, xml) => {
    expect(
      (
        await service.api('DELETE', `/api/invoker/${encodeURIComponent(name)}/force`, {
          token: attacker,
        })
      ).status,
    ).toBe(204);
    expect(
      (await service.api('POST', '/api/invoker', { body: { xml }, token: attacker })).status,
    ).toBe(201);
  },
  'the folder of invokers': async (_name, xml) => {
    writeFileSync(join(folder, 'a.xml'), xml);
    expect((await service.api('GET', '/api/invoker/refresh', { token: attacker })).status).toBe(
      200,
    );
  },
};
const replaced = (
  name: string,
  fields: readonly FieldXml[],
  operations: readonly OperationXml[],
  way = 'a file over REST',
): Promise<void> => WAYS[way](name, invokerXml(name, fields, operations));
const movedTo = (url: string): OperationXml[] => [
  {
    name: 'GetMe',
    type: 'test',
    endpoint: `${url}/me`,
    header: { Authorization: 'Bearer {token}' },
  },
];

describe('a connector with a changed address', () => {
  it('requires its hidden values or the master password over REST', async () => {
    const id = await stored(await imported(service));
    const put = (requestData: object, more: object = {}): Promise<Answer> =>
      service.api('PUT', `/api/connector/${id}`, { body: { requestData }, token: editor, ...more });
    const refused = await put({ url: elsewhere.url });
    expect(outcome(refused)).toEqual([400, 'CREDENTIALS_NEED_CONFIRMATION']);
    expect(refused.body.error).toContain('"token"');
    expect(
      outcome(await put({ url: elsewhere.url }, { headers: { 'x-master-password': 'wrong' } })),
    ).toEqual([403, 'MASTER_PASSWORD_WRONG']);
    expect((await check(id)).body).toEqual({ status: '200' });
    expect([remote.received.length, elsewhere.received.length]).toEqual([1, 0]);
    // Another path of the same system counts as the same address.
    expect((await put({ url: `${remote.url}/v2` })).status).toBe(200);
    expect((await put({ url: elsewhere.url, token: 'entered again' })).status).toBe(200);
    expect((await check(id)).body).toEqual({ status: '200' });
    expect(elsewhere.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer entered again',
    ]);
    expect((await put({ url: remote.url }, { ...withPassword })).status).toBe(200);
    expect((await check(id)).body).toEqual({ status: '200' });
    expect(remote.received.at(-1)?.headers.authorization).toBe('Bearer entered again');
    // An abandoned field is no address any more.
    expect(outcome(await put({ url: elsewhere.url }))).toEqual([
      400,
      'CREDENTIALS_NEED_CONFIRMATION',
    ]);
  });

  it('requires them over GraphQL, with the path of each value', async () => {
    const name = await imported(service, {
      fields: [...TICKETS.fields, { name: 'password', visibility: 'protected' }],
      operations: [
        {
          name: 'GetMe',
          type: 'test',
          endpoint: '{url}/me',
          header: { A: '{token}', B: '{password}' },
        },
      ],
    });
    const id = await newConnector(service, name, { url: remote.url, token: TOKEN, password: 'p' });
    const update = async (
      requestData: object[],
      headers: Record<string, string> = {},
    ): Promise<any> =>
      (
        await service.api('POST', '/graphql', {
          token: editor,
          headers,
          body: {
            query:
              'mutation($i: ConnectorUpdateInput!) { connectorUpdate(input: $i) { connector { title } userErrors { code path } } }',
            variables: { i: { id, requestData } },
          },
        })
      ).body.data.connectorUpdate;
    const url = { name: 'url', value: elsewhere.url };
    expect((await update([url])).userErrors).toEqual(
      ['token', 'password'].map((field) => ({
        code: 'CREDENTIALS_NEED_CONFIRMATION',
        path: ['requestData', field],
      })),
    );
    expect((await update([url, { name: 'token', value: 'x' }])).userErrors).toEqual([
      { code: 'CREDENTIALS_NEED_CONFIRMATION', path: ['requestData', 'password'] },
    ]);
    expect(await fieldsOf(id)).toMatchObject([
      { value: remote.url, suspended: false },
      { suspended: false },
      { suspended: false },
    ]);
    expect((await update([url], withPassword.headers)).userErrors).toEqual([]);
    expect(await fieldsOf(id)).toMatchObject([
      { value: elsewhere.url, suspended: false },
      { suspended: false },
      { suspended: false },
    ]);
  });

  it('requires them when a non-public field contains the address', async () => {
    const name = await imported(service, {
      ...TICKETS,
      fields: [
        { name: 'url', visibility: 'protected' },
        { name: 'token', visibility: 'protected' },
      ],
    });
    const id = await stored(name);
    expect(
      outcome(
        await service.api('PUT', `/api/connector/${id}`, {
          body: { requestData: { url: elsewhere.url } },
          token: editor,
        }),
      ),
    ).toEqual([400, 'CREDENTIALS_NEED_CONFIRMATION']);
    expect((await check(id)).body).toEqual({ status: '200' });
    expect(elsewhere.received).toHaveLength(0);
  });
});

describe('an invoker that makes a field public', () => {
  it('reveals no stored value and interrupts no run', async () => {
    const name = await imported(service);
    const id = await stored(name);
    await replaced(
      name,
      TICKETS.fields.map((field) => ({ ...field, visibility: 'public' as const })),
      TICKETS.operations,
    );
    const shown = await service.api('GET', `/api/connector/${id}`, { token: attacker });
    expect([shown.body.requestData, shown.body.suspended]).toEqual([{ url: remote.url }, []]);
    expect(
      (await service.api('GET', '/api/connector/all', { token: attacker })).text,
    ).not.toContain(TOKEN);
    expect(await fieldsOf(id)).toMatchObject([
      { name: 'url' },
      { name: 'token', visibility: 'PROTECTED', value: null },
    ]);
    expect((await check(id)).body).toEqual({ status: '200' });
    expect((await auditOf(id, 'CONNECTOR_SUSPEND')).at(0)?.after).toMatchObject({
      suspended: [],
      keptHidden: ['token'],
    });
    expect(await runOf(step(id, 'GetMe'))).toMatchObject({ state: 'SUCCEEDED' });
    expect(remote.received.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('reveals no re-entered value, except with the master password', async () => {
    const name = await imported(service);
    const id = await stored(name);
    await replaced(name, [{ name: 'url' }, { name: 'token' }], TICKETS.operations);
    const entered = (more: object): Promise<Answer> =>
      service.api('PUT', `/api/connector/${id}`, {
        body: { requestData: { token: 'another-token' } },
        ...more,
      });
    expect((await entered({ token: editor })).body.requestData).toEqual({ url: remote.url });
    expect((await entered(withPassword)).status).toBe(200);
    expect(
      (await service.api('GET', `/api/connector/${id}`, { token: attacker })).body.requestData,
    ).toEqual({ url: remote.url, token: 'another-token' });
  });
});

describe('an invoker with another address', () => {
  it.each(Object.keys(WAYS))('suspends the values that it would receive: %s', async (way) => {
    const name = await imported(service);
    const id = await stored(name);
    const { workflowId } = await runOf(step(id, 'GetMe'));
    remote.received.length = 0;
    await replaced(name, TICKETS.fields, movedTo(elsewhere.url), way);
    expect(outcome(await check(id))).toEqual([400, 'CREDENTIALS_NEED_CONFIRMATION']);
    expect((await ended(service, await started(service, workflowId))).error).toMatchObject({
      code: 'CREDENTIALS_NEED_CONFIRMATION',
      index: '0',
    });
    expect(await problemsOf(workflowId)).toContainEqual({
      index: '0',
      field: 'connector',
      code: 'CREDENTIALS_NEED_CONFIRMATION',
    });
    expect(await suspendedOf(id)).toEqual([{ field: 'token', origins: [elsewhere.url] }]);
    expect(await fieldsOf(id)).toMatchObject([
      { name: 'url', suspended: false },
      { name: 'token', suspended: true, unconfirmedOrigins: [elsewhere.url] },
    ]);
    expect((await auditOf(id, 'CONNECTOR_SUSPEND')).at(0)?.after).toMatchObject({
      suspended: [{ field: 'token', origins: [elsewhere.url] }],
    });
    expect([...remote.received, ...elsewhere.received]).toEqual([]);
  });

  it('receives them after they are entered again, but not after another change of the connector', async () => {
    const name = await imported(service);
    const id = await stored(name);
    await replaced(name, TICKETS.fields, movedTo(elsewhere.url));
    for (const more of [{}, withPassword])
      expect(
        (
          await service.api('PUT', `/api/connector/${id}`, {
            body: { description: 'x', requestData: { url: `${remote.url}/x` } },
            ...more,
          })
        ).status,
      ).toBe(200);
    expect(outcome(await check(id))).toEqual([400, 'CREDENTIALS_NEED_CONFIRMATION']);
    expect((await check(id, { requestData: { token: 'tried' } })).body).toEqual({ status: '200' });
    expect(
      (
        await service.api('PUT', `/api/connector/${id}`, {
          body: { requestData: { token: 'entered again' } },
          token: editor,
        })
      ).status,
    ).toBe(200);
    expect(await suspendedOf(id)).toEqual([]);
    expect(await runOf(step(id, 'GetMe'))).toMatchObject({ state: 'SUCCEEDED' });
    expect(elsewhere.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer tried',
      'Bearer entered again',
    ]);
  });

  it('receives them after confirmation with the master password, over REST and GraphQL', async () => {
    const name = await imported(service);
    const ids = [await stored(name), await stored(name)] as const;
    await replaced(name, TICKETS.fields, movedTo(elsewhere.url));
    const rest = (id: number, options: CallOptions): Promise<Answer> =>
      service.api('POST', `/api/connector/${id}/confirm`, options);
    expect(outcome(await rest(ids[0], { token: editor }))).toEqual([403, 'MASTER_PASSWORD_WRONG']);
    expect((await rest(ids[0], { token: attacker, ...withPassword })).status).toBe(403);
    const confirmed = await rest(ids[0], { token: editor, ...withPassword });
    expect([confirmed.status, confirmed.body.suspended, confirmed.text.includes(TOKEN)]).toEqual([
      200,
      [],
      false,
    ]);
    const query =
      'mutation($id: ID!) { connectorConfirm(input: { id: $id }) { connector { requestData { suspended } } userErrors { code } } }';
    const graphql = async (headers: Record<string, string>): Promise<any> =>
      (
        await service.api('POST', '/graphql', {
          token: editor,
          headers,
          body: { query, variables: { id: ids[1] } },
        })
      ).body;
    expect((await graphql({})).data?.connectorConfirm?.connector ?? null).toBeNull();
    expect((await graphql(withPassword.headers)).data.connectorConfirm).toEqual({
      connector: { requestData: [{ suspended: false }, { suspended: false }] },
      userErrors: [],
    });
    for (const id of ids) {
      expect((await check(id)).body).toEqual({ status: '200' });
      expect(await auditOf(id, 'CONNECTOR_CONFIRM')).toMatchObject([
        { after: { confirmedFields: ['token'] } },
      ]);
    }
    expect(elsewhere.received.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${TOKEN}`,
      `Bearer ${TOKEN}`,
    ]);
    // The confirmation is valid for this address only.
    await replaced(name, TICKETS.fields, movedTo('http://127.0.0.1:1'));
    expect(outcome(await check(ids[0]))).toEqual([400, 'CREDENTIALS_NEED_CONFIRMATION']);
  });

  it('needs no confirmation when it receives no stored value', async () => {
    const name = await imported(service);
    const id = await stored(name);
    await replaced(name, TICKETS.fields, [
      ...TICKETS.operations,
      { name: 'News', endpoint: `${elsewhere.url}/news` },
    ]);
    expect(await suspendedOf(id)).toEqual([]);
    expect(await runOf(step(id, 'News'))).toMatchObject({ state: 'SUCCEEDED' });
    expect(await auditOf(id, 'CONNECTOR_SUSPEND')).toEqual([]);
    // Steps of a workflow cannot send the value there either.
    expect(
      (await runOf(step(id, 'News', { header: { 'X-Stolen': '{token}' } }))).error,
    ).toMatchObject({ code: 'SECRET_ORIGIN_REFUSED' });
    expect(elsewhere.received.map(({ url }) => url)).toEqual(['/news']);
  });

  it.each([
    [
      'a default of another field',
      [{ name: 'both', value: 'Basic {user:token}' }],
      { Authorization: '{both}' },
      '/x',
    ],
    [
      'a value from the answer of an operation',
      [{ name: 'session', value: '%{Login.body.session}' }],
      { 'X-Session': '{session}' },
      '/x',
    ],
    ['the address', [], {}, '/x?key={token}'],
    ['a header that names another host', [], { Host: 'elsewhere', Authorization: '{token}' }, null],
  ] as const)('suspends what is sent there by %s', async (_how, more, header, path) => {
    const fields = [
      { name: 'url' },
      { name: 'user' },
      { name: 'token', visibility: 'protected' as const },
    ];
    const operations = [
      ...TICKETS.operations,
      { name: 'Login', endpoint: '{url}/login', header: { Authorization: '{token}' } },
    ];
    const name = await imported(service, { fields, operations });
    const id = await newConnector(service, name, { url: remote.url, user: 'ann', token: TOKEN });
    await replaced(
      name,
      [...fields, ...more],
      [
        ...operations,
        {
          name: 'Steal',
          endpoint: path === null ? '{url}/x' : `${elsewhere.url}${path}`,
          header: Object.fromEntries(
            Object.entries<string>(header).map(([key, value]) => [
              key,
              value === 'elsewhere' ? new URL(elsewhere.url).host : value,
            ]),
          ),
        },
      ],
    );
    expect(await suspendedOf(id)).toEqual([{ field: 'token', origins: [elsewhere.url] }]);
    expect((await runOf(step(id, 'Steal'))).error).toMatchObject({
      code: 'CREDENTIALS_NEED_CONFIRMATION',
    });
    expect([...remote.received, ...elsewhere.received]).toEqual([]);
  });

  it('reveals nothing that is computed from a hidden value, even in a public field', async () => {
    const fields: FieldXml[] = [
      { name: 'url' },
      { name: 'user' },
      { name: 'token', visibility: 'protected' },
    ];
    const name = await imported(service, { fields, operations: TICKETS.operations });
    const id = await newConnector(service, name, { url: remote.url, user: 'ann', token: TOKEN });
    await replaced(
      name,
      [...fields, { name: 'both', value: 'Basic {user:token}' }],
      [{ name: 'GetMe', endpoint: '{url}/me', header: { 'X-Note': '{both}' } }],
    );
    const workflowId = await saved(service, workflow([step(id, 'GetMe')]));
    const run = await ended(service, await started(service, workflowId, true));
    const { text } = await service.api('GET', `/api/execution/${run.id ?? run.executionId}/log`);
    expect(run.state).toBe('SUCCEEDED');
    const basic = Buffer.from(`ann:${TOKEN}`).toString('base64');
    expect(remote.received.at(-1)?.headers['x-note']).toBe(`Basic ${basic}`);
    expect(text).not.toContain(basic);
    expect(
      (await runOf(step(id, 'GetMe', { endpoint: `${elsewhere.url}/x` }))).error,
    ).toMatchObject({ code: 'SECRET_ORIGIN_REFUSED' });
  });
});

it('an address that is only known during a call receives no stored value', async () => {
  const fields: FieldXml[] = [
    { name: 'url' },
    { name: 'token', visibility: 'protected' },
    { name: 'base', visibility: 'private', value: '%{Where.body.session}' },
  ];
  const locator = await startRemote((_request, response) =>
    answerJson(response, { session: elsewhere.url }),
  );
  try {
    const name = await imported(service, {
      fields,
      operations: [
        {
          name: 'GetMe',
          type: 'test',
          endpoint: '{base}/me',
          header: { Authorization: '{token}' },
        },
        { name: 'Where', endpoint: '{url}/where' },
      ],
    });
    const id = await newConnector(service, name, { url: locator.url, token: TOKEN });
    expect(outcome(await check(id))).toEqual([500, 'COMMUNICATION_FAILED']);
    expect((await runOf(step(id, 'GetMe'))).error).toMatchObject({ code: 'SECRET_ORIGIN_REFUSED' });
    expect(elsewhere.received).toEqual([]);
  } finally {
    await locator.close();
  }
});

it('a template with other addresses is no confirmation', async () => {
  const name = await imported(service);
  const id = await stored(name);
  const connection = {
    title: unique('From a template '),
    fromConnector: {
      connectorId: -1,
      methods: [step(id, 'GetMe', { endpoint: `${elsewhere.url}/me` })],
      operators: [],
    },
    fieldBinding: [],
  };
  const made = await service.api('POST', '/api/template', {
    body: { name: unique('T '), version: '5.0', connection },
  });
  expect(made.status).toBe(201);
  expect(
    (
      await runOf(
        ...made.body.connection.fromConnector.methods.map((method: object) => ({
          ...method,
          connector: { connectorId: id },
        })),
      )
    ).error,
  ).toMatchObject({ code: 'SECRET_ORIGIN_REFUSED' });
  expect(elsewhere.received).toEqual([]);
});
