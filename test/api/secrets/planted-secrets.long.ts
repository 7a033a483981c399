import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askService } from '../../../src/platform/control/client';
import { invokerXml, TICKETS } from '../../support/documents/connector-invokers';
import { everythingReadable, WIDE_OPEN } from '../../support/calls/everything-readable';
import type { Parameters, Shown } from '../../support/calls/everything-readable';
import { textOf } from '../../support/store/exported';
import { testService, unique } from '../../support/service/harness';
import type { Answer } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { ended, runEvents, RUN_EVENTS, socketOf } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

/** Planted values and where they must not appear: `never` nowhere, not even on disk; `reader` in no response to a user who may not change the record. */
type Secrecy = 'never' | 'reader';

interface Planted {
  readonly location: string;
  readonly secrecy: Secrecy;
  readonly value: string;
}
const remote = testRemote(({ path, headers, body }) =>
  path.startsWith('/token')
    ? { body: { access_token: REMOTE_TOKEN } }
    : { body: { said: { headers, body } } },
);
let reader: { id: number; token: string };
const planted: Planted[] = [];
const shown: Shown[] = [];
const workflows: number[] = [];
const runs: number[] = [];

const PREFIX = 'pLaNt';
/** A unique value of letters only, so that no encoding hides it. */
function plant(location: string, secrecy: Secrecy = 'reader'): string {
  const value = `${PREFIX}${randomBytes(12).toString('hex')}`;
  planted.push({ location, secrecy, value });
  return value;
}
const answered = (from: string, { text, headers, status }: Answer): void =>
  void shown.push({ from: `${from} ${status}`, text: `${text} ${JSON.stringify([...headers])}` });
const asReader = <T extends object>(more: T) => ({ token: reader.token, ...more });

const request = (header: object, more: object = {}): object => ({
  request: { endpoint: `${remote.url}/echo`, method: 'POST', header, body: null, ...more },
});
const fields = (value: unknown): object => ({
  body: { type: 'object', format: 'json', data: 'raw', fields: value },
});

async function inWorkflows(): Promise<void> {
  const steps = [
    request({ Authorization: `Bearer ${plant('header Authorization')}` }),
    request({ Cookie: `session=${plant('header Cookie')}` }),
    request({ 'X-Api-Key': plant('header X-Api-Key') }),
    request({ 'X-Whatever': plant('header of any name') }),
    request({
      Authorization: `Basic ${Buffer.from(`me:${plant('password in a Basic header')}`).toString('base64')}`,
    }),
    request({}, fields({ user: 'me', password: plant('field of a body') })),
    request({}, fields({ list: [{ deep: { client_secret: plant('field deep in a body') } }] })),
    request({}, fields(JSON.stringify({ accessToken: plant('JSON in a text') }))),
    request({}, fields(`user=me&password=${plant('form in a text')}`)),
    request({}, fields(`<login><password>${plant('XML in a text')}</password></login>`)),
    request({}, { endpoint: `${remote.url}/echo?api_key=${plant('query of a URL')}` }),
    request(
      {},
      { endpoint: `${remote.url.replace('//', `//me:${plant('user info of a URL')}@`)}/echo` },
    ),
    {
      response: {
        success: { status: '200', body: { fields: { token: plant('sample of an answer') } } },
      },
    },
  ];
  const id = await saved(
    service,
    workflow(steps.map((more, at) => method(String(at), `${remote.url}/echo`, more))),
  );
  workflows.push(id);
  const workflowCreate = await service.mutate(
    'workflowCreate',
    {
      title: unique('Graph '),
      methods: [
        {
          index: '0',
          name: 'a',
          color: '#FFCFB5',
          methodType: 'HTTP_REQUEST',
          request: {
            endpoint: `${remote.url}/echo`,
            method: 'GET',
            header: { Authorization: plant('header over GraphQL') },
          },
        },
      ],
    },
    'workflow { databaseId } userErrors { message }',
  );
  workflows.push(workflowCreate.workflow.databaseId as number);
  const old = await saved(
    service,
    workflow([method('0', `${remote.url}/echo`, request({ Authorization: plant('old version') }))]),
  );
  answered(
    'PUT of the next version',
    await service.api('PUT', `/api/connection/${old}`, { body: workflow([]) }),
  );
  workflows.push(old);
  const deletedId = await saved(
    service,
    workflow([
      method(
        '0',
        `${remote.url}/echo`,
        request(
          { Authorization: plant('deleted workflow') },
          fields({ password: plant('body of a deleted workflow') }),
        ),
      ),
    ]),
  );
  answered('DELETE of a workflow', await service.api('DELETE', `/api/connection/${deletedId}`));
}

async function inPatches(): Promise<void> {
  const id = await saved(
    service,
    workflow([method('0', `${remote.url}/echo`, request({ Accept: 'text/plain' }))]),
  );
  workflows.push(id);
  const patch = (operations: object[]) =>
    service.api('PATCH', `/api/connection/${id}/method/m0`, {
      body: JSON.stringify(operations),
      headers: { 'content-type': 'application/json-patch+json' },
    });
  const done = await patch([
    { op: 'add', path: '/request/header/Authorization', value: plant('patch') },
  ]);
  expect([done.status, done.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  answered(
    'PATCH that fails',
    await patch([
      {
        op: 'add',
        path: '/request/header/Authorization',
        value: plant('patch that fails', 'never'),
      },
      { op: 'remove', path: '/nothing/here' },
    ]),
  );
  answered(
    'PATCH that is none',
    await patch([
      { op: 'fly', path: '/request', value: { password: plant('patch that is none', 'never') } },
    ]),
  );
}

async function inRuns(): Promise<void> {
  const header = { Authorization: `Bearer ${plant('header of a run')}` };
  const id = await saved(
    service,
    workflow([
      method(
        '0',
        `${remote.url}/echo`,
        request(header, fields({ password: plant('body of a run') })),
      ),
      method('1', `${remote.url}/token`),
      method('2', `http://me:${plant('URL of a step that fails')}@127.0.0.1:9/`),
    ]),
  );
  workflows.push(id);
  for (const logging of [true, false]) runs.push(await started(service, id, logging));
  const test = await service.api('POST', '/api/connection/execution/test', {
    body: workflow([method('0', `${remote.url}/echo`, request({ 'X-Token': plant('test run') }))]),
  });
  answered('start of a test run', test);
  const testRun = test.body.runId as number;
  for (const run of [...runs, testRun]) {
    await ended(service, run);
    for (const token of run === testRun ? [service.adminToken] : [reader.token, service.adminToken])
      shown.push({
        from: `events of run ${run}`,
        text: JSON.stringify(
          await runEvents({ ...service, adminToken: token }, run, 0, RUN_EVENTS),
        ),
      });
  }
  planted.push({
    location: 'token in an answer of a remote system',
    secrecy: 'reader',
    value: REMOTE_TOKEN,
  });
}
const REMOTE_TOKEN = `${PREFIX}${randomBytes(12).toString('hex')}`;

async function inSecrets(): Promise<void> {
  const origins = [remote.url];
  const name = unique('Planted');
  const made = await service.api('POST', '/api/secret', {
    body: { name, note: 'planted', value: plant('named secret', 'never'), origins },
  });
  answered('POST of a secret', made);
  answered(
    'PUT of a secret',
    await service.api('PUT', `/api/secret/${made.body.secretId}`, {
      body: { name, note: null, value: plant('changed secret', 'never'), origins },
    }),
  );
  answered(
    'POST of a secret that is refused',
    await service.api('POST', '/api/secret', {
      body: {
        name: '1',
        value: plant('secret that is refused', 'never'),
        origins: ['https://a.example/path'],
      },
    }),
  );
  answered(
    'POST of a secret by who may not',
    await service.api(
      'POST',
      '/api/secret',
      asReader({
        body: { name: unique('No'), value: plant('secret of who may not', 'never'), origins },
      }),
    ),
  );
  const input = { name: unique('Graph'), value: plant('secret over GraphQL', 'never'), origins };
  answered(
    'secretCreate',
    await service.api('POST', '/graphql', {
      body: {
        query:
          'mutation($input: SecretCreateInput!) { secretCreate(input: $input) { secret { name origins } userErrors { message } } }',
        variables: { input },
      },
    }),
  );
  const id = await saved(
    service,
    workflow([
      method(
        '0',
        `${remote.url}/echo`,
        request(
          { Authorization: `Bearer {%secret.${name}%}` },
          fields({ key: `{%secret.${input.name}%}` }),
        ),
      ),
      method('1', `${remote.url}/echo?key={%secret.${name}%}`),
    ]),
  );
  workflows.push(id);
  const run = await started(service, id, true);
  runs.push(run);
  expect((await ended(service, run)).state).toBe('SUCCEEDED');
  expect(
    remote.received
      .map(({ headers, path, body }) => JSON.stringify([headers, path, body]))
      .filter((sent) =>
        planted.some(
          ({ location, value }) =>
            /^(changed secret|secret over)/.test(location) && sent.includes(value),
        ),
      ),
  ).not.toEqual([]);
  shown.push({
    from: 'events of a run with secrets',
    text: JSON.stringify(await runEvents(service, run, 0, RUN_EVENTS)),
  });
}

async function inConnectors(): Promise<void> {
  const body = (location: string, more: object = {}): object => ({
    title: unique('Connector '),
    description: 'planted',
    invoker: { name: 'REST' },
    timeout: 0,
    requestData: { url: `${remote.url}/echo`, authorization: plant(location, 'never') },
    ...more,
  });
  const made = await service.api('POST', '/api/connector', {
    body: body('credential of a connector'),
  });
  answered('POST of a connector', made);
  const id = made.body.connectorId as number;
  expect([made.status, id]).toEqual([201, expect.any(Number)]);
  answered(
    'PUT of a connector',
    await service.api('PUT', `/api/connector/${id}`, {
      body: { ...body('changed credential'), title: made.body.title },
    }),
  );
  answered(
    'PUT of credentials',
    await service.api('PUT', `/api/connector/${id}/required-data`, {
      body: { authorization: plant('replaced credential', 'never') },
    }),
  );
  answered(
    'POST of a connector that is refused',
    await service.api('POST', '/api/connector', {
      body: body('credential that is refused', { invoker: { name: 'No such invoker' } }),
    }),
  );
  answered(
    'POST of a connector by who may not',
    await service.api(
      'POST',
      '/api/connector',
      asReader({ body: body('credential of who may not') }),
    ),
  );
  answered(
    'check of a connector',
    await service.api('POST', '/api/connector/check', { body: body('credential that is checked') }),
  );
  answered(
    'check of a stored connector',
    await service.api('POST', '/api/connector/check', {
      body: {
        connectorId: id,
        invoker: { name: 'REST' },
        requestData: { url: `${remote.url}/echo` },
      },
    }),
  );
  const input = {
    title: unique('Graph '),
    invokerName: 'REST',
    requestData: [
      { name: 'url', value: remote.url },
      { name: 'authorization', value: plant('credential over GraphQL', 'never') },
    ],
  };
  const query =
    'mutation($input: ConnectorCreateInput!) { connectorCreate(input: $input) { connector { title } userErrors { message } } }';
  const graph = await service.api('POST', '/graphql', { body: { query, variables: { input } } });
  answered('connectorCreate', graph);
  expect(graph.body.data?.connectorCreate.userErrors).toEqual([]);
}

const templateIds: string[] = [];
const invokerNames: string[] = [];

/** Returns the payload of the mutation and passes it to `shown`. */
async function mutated(field: string, input: object, selected: string): Promise<any> {
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
  const answer = await service.api('POST', '/graphql', {
    body: {
      query: `mutation($input: ${type}!) { ${field}(input: $input) { ${selected} userErrors { code message path } } }`,
      variables: { input },
    },
  });
  answered(field, answer);
  return answer.body.data[field];
}

/** Uploads a file to a mutation that starts a job, and waits for the end of the job. */
async function worked(field: string, content: string, fileName: string): Promise<any> {
  const form = new FormData();
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
  form.set(
    'operations',
    JSON.stringify({
      query: `mutation($input: ${type}!) { ${field}(input: $input) { job { databaseId } userErrors { code message } } }`,
      variables: { input: { file: null } },
    }),
  );
  form.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
  form.set('0', new Blob([content]), fileName);
  const begun = await service.api('POST', '/graphql', {
    body: form,
    headers: { 'apollo-require-preflight': 'true' },
  });
  answered(field, begun);
  const client = socketOf(service);
  let last: any = {};
  try {
    for await (const { data } of client.iterate<any>({
      query: `subscription { jobProgress(jobId: ${begun.body.data[field].job.databaseId}) { state message result error { code message problems { path message } } } }`,
    })) {
      shown.push({ from: `progress of ${field}`, text: JSON.stringify(data) });
      last = data.jobProgress;
    }
  } finally {
    await client.dispose();
  }
  return last;
}

async function inTemplates(): Promise<void> {
  const id = await saved(
    service,
    workflow([
      method(
        '0',
        `${remote.url}/echo`,
        request(
          { Authorization: plant('workflow of a template') },
          fields({ password: plant('body of a workflow of a template') }),
        ),
      ),
    ]),
  );
  workflows.push(id);
  const { template: made } = await mutated(
    'templateCreate',
    { workflowId: id },
    'template { templateId id document leftOut }',
  );
  templateIds.push(made.templateId as string);
  const { workflow: again } = await mutated(
    'templateInstantiate',
    { templateId: made.id },
    'workflow { databaseId title }',
  );
  workflows.push(again.databaseId as number);
  const sent = (location: string): object => ({
    name: unique('Template '),
    version: '5.0',
    connection: workflow([
      method(
        '0',
        `${remote.url}/echo?api_key=${plant(`query of a ${location}`, 'never')}`,
        request(
          { Authorization: plant(location, 'never') },
          fields({ password: plant(`body of a ${location}`, 'never') }),
        ),
      ),
    ]),
  });
  const posted = await service.api('POST', '/api/template', {
    body: sent('template that was sent'),
  });
  answered('POST of a template', posted);
  const form = new FormData();
  form.set(
    'file',
    new Blob([JSON.stringify(sent('template in a file'))], { type: 'application/json' }),
    'a.json',
  );
  const uploaded = await service.api('POST', '/api/storage/template', { body: form });
  answered('upload of a template', uploaded);
  for (const { status, body } of [posted, uploaded])
    expect([status, templateIds.push((body.templateId ?? body.id) as string)]).toEqual([
      201,
      expect.any(Number),
    ]);
  expect(
    await worked('templateImport', JSON.stringify(sent('template of a job')), 'a.json'),
  ).toMatchObject({ state: 'SUCCEEDED' });
  const broken = { ...sent('template of a job that fails'), description: 5 };
  expect(await worked('templateImport', JSON.stringify(broken), 'a.json')).toMatchObject({
    state: 'FAILED',
  });
  expect(
    await worked(
      'templateImport',
      `{"connection":{"password":"${plant('template that is no JSON', 'never')}"`,
      'a.json',
    ),
  ).toMatchObject({ state: 'FAILED' });
}

async function inExchange(): Promise<void> {
  const id = await saved(
    service,
    workflow([
      method(
        '0',
        `${remote.url}/echo`,
        request(
          { Authorization: plant('workflow that is exported') },
          fields({ password: plant('body of a workflow that is exported') }),
        ),
      ),
    ]),
  );
  workflows.push(id);
  const { file } = await mutated(
    'workflowExport',
    { workflowId: id },
    'file { fileName content leftOut }',
  );
  const written = (location: string, more: object = {}): object => ({
    ...file.content,
    workflow: workflow(
      [
        method(
          '0',
          `${remote.url}/echo`,
          request(
            { Authorization: plant(location, 'never') },
            fields({ password: plant(`body of a ${location}`, 'never') }),
          ),
        ),
      ],
      [],
      more,
    ),
  });
  const { workflow: made } = await mutated(
    'workflowImport',
    { content: written('workflow that is imported') },
    'workflow { databaseId }',
  );
  workflows.push(made.databaseId as number);
  expect(
    (
      await mutated(
        'workflowImport',
        { content: { ...written('import that is refused'), formatVersion: 99 } },
        'workflow { databaseId }',
      )
    ).workflow,
  ).toBeNull();
}

/** The XML of an invoker with plain secrets in place of references. */
function planting(name: string, location: string, secrecy: Secrecy): string {
  const secret = (place: string): string => plant(`${place} of ${location}`, secrecy);
  const body = `<body type="object" format="json" data="raw"><field name="login" type="object"><field name="password" type="string">${secret('field of a body')}</field></field>
    <field name="client_secret" type="object"><field name="of" type="string">${secret('field below a secret')}</field></field>
    <field name="list" type="array"><field name="name" type="string">token</field><field name="value" type="string">${secret('pair in a body')}</field></field>
    <field name="text" type="string">{"password":"${secret('JSON in a body')}"}</field></body>`;
  return invokerXml(
    name,
    [
      ...TICKETS.fields,
      { name: 'extra', visibility: 'protected', value: secret('default') },
      { name: 'computed', visibility: 'private', value: `Basic ${secret('expression')}` },
    ],
    [
      ...TICKETS.operations,
      {
        name: 'Read',
        method: 'POST',
        endpoint: `{url}/read?api_key=${secret('query')}`,
        header: {
          Authorization: `Bearer ${secret('header')}`,
          'X-Api-Key': secret('key'),
          'X-Mode': 'batch',
        },
        body,
        fail: body,
      },
    ],
  ).replace('<operations>', `<!-- ${secret('comment')} --><operations>`);
}

async function inInvokers(): Promise<void> {
  const [name, deletedName, byJob] = [unique('Planted '), unique('Gone '), unique('Job ')];
  expect(
    await service.status('POST', '/api/invoker', {
      body: { xml: planting(name, 'an invoker', 'reader') },
    }),
  ).toBe(201);
  const patch = {
    method: 'Read',
    path: '(request).login',
    fields: [{ name: 'pin', type: 'string', value: plant('field that is added to an invoker') }],
  };
  expect(
    await service.status('POST', `/api/invoker/${encodeURIComponent(name)}/xml`, { body: patch }),
  ).toBe(200);
  const connector = await service.api('POST', '/api/connector', {
    token: (await service.userWith(['CONNECTOR:CREATE'])).token,
    body: {
      title: unique('Of planted '),
      invoker: { name },
      requestData: {
        url: remote.url,
        token: plant('credential for an invoker with secrets', 'never'),
        extra: 'x',
      },
    },
  });
  answered('POST of a connector by who may not change invokers', connector);
  expect([connector.status, connector.body.invoker.operations.length]).toEqual([201, 2]);
  await service.api('POST', '/api/invoker', {
    body: { xml: planting(deletedName, 'an invoker that is deleted', 'reader') },
  });
  answered(
    'DELETE of an invoker',
    await service.api('DELETE', `/api/invoker/${encodeURIComponent(deletedName)}`),
  );
  const creator = await service.userWith(['INVOKER:CREATE']);
  const own = await service.api('POST', '/api/invoker', {
    token: creator.token,
    body: { xml: planting(unique('Own '), 'an invoker of who may not change any', 'reader') },
  });
  answered('POST of an invoker by who may not change any', own);
  expect(own.status).toBe(201);
  expect(
    await worked('invokerImport', planting(byJob, 'an invoker of a job', 'reader'), 'a.xml'),
  ).toMatchObject({ state: 'SUCCEEDED' });
  invokerNames.push(name, byJob, own.body.name as string);
  for (const wrong of ['<method>get it</method>', '<method>&no;</method>', '<method>']) {
    const xml = planting(unique('Wrong '), 'an invoker that is refused', 'never').replace(
      '<method>POST</method>',
      wrong,
    );
    answered(
      'POST of an invoker that is refused',
      await service.api('POST', '/api/invoker', { body: { xml } }),
    );
    expect(await worked('invokerImport', xml, 'a.xml')).toMatchObject({ state: 'FAILED' });
  }
}

async function inMasterPassword(): Promise<void> {
  const headersWith = (password: string) => ({ headers: { 'X-Master-Password': password } });
  const wrong = (location: string) =>
    headersWith(plant(`wrong master password ${location}`, 'never'));
  const operations = [
    ...TICKETS.operations,
    {
      name: 'Query',
      method: 'POST',
      endpoint: `{url}/echo`,
      header: { Authorization: 'Bearer {token}' },
      body: '<body type="object" format="json" data="graphql"><field name="query" type="string">{ x }</field></body>',
    },
  ];
  const name = unique('Speaks ');
  await service.api('POST', '/api/invoker', {
    body: { xml: invokerXml(name, TICKETS.fields, operations) },
  });
  const token = plant('credential that a schema is browsed with', 'never');
  const {
    body: { connectorId },
  } = await service.api('POST', '/api/connector', {
    body: { title: unique('Speaks '), invoker: { name }, requestData: { url: remote.url, token } },
  });
  const schema = (options: object) =>
    service.api('POST', `/api/connector/${connectorId}/graphql-schema`, options);
  remote.forget();
  const browsed = await schema(headersWith(MASTER_PASSWORD));
  answered('schema that a remote system does not tell', browsed);
  expect([browsed.body.message, JSON.stringify(remote.received).includes(token)]).toEqual([
    'COMMUNICATION_FAILED',
    true,
  ]);
  const revealed = await service.api(
    'GET',
    `/api/connector/${connectorId}`,
    headersWith(MASTER_PASSWORD),
  );
  expect(revealed.body.requestData.token).toBe(token);
  expect(revealed.text).not.toContain(MASTER_PASSWORD);
  answered('schema without the right one', await schema(wrong('for a schema')));
  answered(
    'connector without the right one',
    await service.api('GET', `/api/connector/${connectorId}`, wrong('for a connector')),
  );
  answered(
    'query without the right one',
    await service.api('POST', '/graphql', {
      ...wrong('for a query'),
      body: { query: `{ connector(id: ${connectorId}) { requestData { name value } } }` },
    }),
  );
  answered(
    'status',
    await service.api('GET', '/api/connector/master-password/status', headersWith(MASTER_PASSWORD)),
  );
  answered(
    'address that is none',
    await service.api('GET', '/api/nothing', wrong('at no address')),
  );
  const other = await service.userWith(['CONNECTOR:READ']);
  for (let failures = 0; failures < 6; failures += 1)
    answered(
      'too many wrong ones',
      await service.api('GET', '/api/connector/master-password/status', {
        ...wrong(`no. ${failures}`),
        token: other.token,
      }),
    );
  expect(shown.at(-1)?.text).toContain('TOO_MANY_ATTEMPTS');
}
const MASTER_PASSWORD = `${PREFIX}${randomBytes(12).toString('hex')}`;

async function ofUsers(): Promise<void> {
  const password = plant('password of a user', 'never');
  const email = `${unique('planted')}@hypha.test`;
  const made = await service.api('POST', '/api/user', { body: { email, password, userGroup: 2 } });
  answered('POST of a user', made);
  const token = await service.login(email, password);
  const next = plant('new password', 'never');
  answered(
    'PUT of a password',
    await service.api('PUT', `/api/user/${made.body.enhanceId}/password`, {
      body: { password: next },
    }),
  );
  answered(
    'POST of a user who is refused',
    await service.api('POST', '/api/user', {
      body: { email, password: plant('password of who is refused', 'never'), userGroup: 99 },
    }),
  );
  answered(
    'mutation of a user who is refused',
    await service.api('POST', '/graphql', {
      body: {
        query:
          'mutation($input: UserCreateInput!) { userCreate(input: $input) { user { email } userErrors { code message path } } }',
        variables: {
          input: { email, password: plant('password in a mutation', 'never'), groupId: '99' },
        },
      },
    }),
  );
  answered(
    'login that fails',
    await service.api('POST', '/login', {
      token: null,
      body: { email, password: plant('wrong password', 'never') },
    }),
  );
  planted.push({
    location: 'token of a session',
    secrecy: 'never',
    value: token.split('.').at(-1) ?? '',
  });
}

async function inFailures(): Promise<void> {
  const broken = (value: string): object =>
    workflow(
      [method('0', `${remote.url}/echo`, request({ Authorization: value }))],
      [{ id: 'o', index: '1', type: 'if', expression: '' }],
    );
  answered(
    'POST that is refused',
    await service.api('POST', '/api/connection', {
      body: broken(plant('workflow that is refused', 'never')),
    }),
  );
  answered(
    'POST by who may not',
    await service.api(
      'POST',
      '/api/connection',
      asReader({ body: broken(plant('workflow of who may not', 'never')) }),
    ),
  );
  answered(
    'PUT that is stale',
    await service.api('PUT', `/api/connection/${workflows[0]}`, {
      body: workflow([
        method('0', remote.url, request({ Authorization: plant('stale change', 'never') })),
      ]),
      headers: { 'If-Match': '"999"' },
    }),
  );
  answered(
    'JSON that is none',
    await service.api('POST', '/api/connection', {
      body: `{"title":"x","password":"${plant('broken JSON', 'never')}"`,
    }),
  );
  answered(
    'address that is none',
    await service.api('GET', `/api/nothing?access_token=${plant('query of an address', 'never')}`),
  );
  answered(
    'token that is none',
    await service.api('GET', '/api/user/all', {
      token: `Bearer ${plant('token that is none', 'never')}`,
    }),
  );
  const sendQuery = async (query: string, variables: object): Promise<void> =>
    answered(
      'query that is refused',
      await service.api('POST', '/graphql', { body: { query, variables } }),
    );
  await sendQuery('mutation($input: LoginInput!) { login(input: $input) { nothing } }', {
    input: { email: 'a@b.test', password: plant('variable of a wrong query', 'never') },
  });
  const socket = socketOf(service, `Bearer ${plant('token of a socket', 'never')}`);
  const messages: string[] = [];
  try {
    for await (const answer of socket.iterate({ query: '{ me { email } }' }))
      messages.push(JSON.stringify(answer));
  } catch (closed) {
    messages.push(String((closed as { reason?: string }).reason));
  }
  expect(messages).not.toEqual([]);
  shown.push({ from: 'a socket', text: messages.join(' ') });
  await socket.dispose();
}

/** The content of an export without a passphrase. */
async function exported(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-planted-'));
  try {
    const input = { file: join(folder, 'export.zip'), passphrase: null };
    const request = { command: 'export', input, systemUser: 'tester' };
    expect(await askService(service.dataDir, request)).toMatchObject({ done: true });
    const text = await textOf(input.file);
    expect(text).toContain('planted');
    return text;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(dir, entry.name))
      : entry.isFile()
        ? [join(dir, entry.name)]
        : [],
  );

/** The encodings in which a value may appear. */
const formsOf = (value: string): string[] => [
  value,
  Buffer.from(value).toString('hex'),
  ...['', 'x', 'xx'].map((before) =>
    Buffer.from(before + value)
      .toString('base64')
      .slice(before.length === 0 ? 0 : 4, -4),
  ),
];

const service = testService({
  env: {
    ...WIDE_OPEN,
    HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD,
    HYPHA_LOG_LEVEL: 'trace',
  },
});
beforeAll(async () => {
  planted.push({ location: 'master password', secrecy: 'never', value: MASTER_PASSWORD });
  const components = (await service.api('GET', '/api/component/all')).body._embedded
    .componentResources as { name: string }[];
  reader = await service.userWith(components.map(({ name }) => `${name}:READ`));
});

it('planted secrets never appear for users without the permission, in the log or unencrypted on disk', async () => {
  const client = socketOf(service);
  const audited: unknown[] = [];
  const listening = (async () => {
    for await (const event of client.iterate<any>({
      query: 'subscription { auditEvents { action before after } }',
    }))
      audited.push(event);
  })().catch(() => undefined);
  await inWorkflows();
  await inPatches();
  await inRuns();
  await inSecrets();
  await inTemplates();
  await inExchange();
  await inInvokers();
  await inConnectors();
  await inMasterPassword();
  await ofUsers();
  await inFailures();
  expect(planted.length).toBeGreaterThanOrEqual(30);
  expect(new Set(planted.map(({ value }) => value)).size).toBe(planted.length);

  const versions = await Promise.all(
    workflows.map((id) => service.body('GET', `/api/connection/${id}/versions`)),
  );
  const snapshotIds = [
    ...new Set([...JSON.stringify(versions).matchAll(/[0-9a-f]{24}/g)].map(([id]) => id)),
  ];
  const parameters: Parameters = {
    id: [...new Set([1, 2, ...workflows, ...runs])],
    'query run': Array.from({ length: Math.max(...runs) }, (_, nth) => nth + 1),
    snapshotId: snapshotIds,
    ruleId: [1],
    zip: ['x.zip'],
    toConnectorId: [1],
    schedulerId: [1],
    name: ['x'],
    email: ['x@y.test'],
    title: ['a', 'x', 'p'],
    templateId: templateIds,
    '/api/template/{id} id': templateIds,
    filename: templateIds.map((id) => `${id}.json`),
    '/api/invoker/{name} name': invokerNames,
    '/api/invoker/{name}/xml name': invokerNames,
  };
  shown.push(
    ...(await everythingReadable(service, reader.token, parameters)).map(({ from, text }) => ({
      from: `reader: ${from}`,
      text,
    })),
  );
  // A failed request would prove nothing.
  expect(
    shown.filter(
      ({ from, text }) =>
        /"(?:message|code)":"INTERNAL_SERVER_ERROR"/.test(text) && !/openapi|api-docs/.test(from),
    ),
  ).toEqual([]);
  expect(
    shown.filter(({ from }) => from.startsWith('reader: GET') && from.endsWith(' 200')).length,
  ).toBeGreaterThan(40);
  const toOwner = await everythingReadable(service, service.adminToken, parameters);
  const audit = toOwner.filter(({ from }) => from.startsWith('query audit'));
  expect(audit.map(({ text }) => text).join('')).toContain('WORKFLOW_DELETE');
  expect(audit.map(({ text }) => text).join('')).toContain('INVOKER_DELETE');
  await client.dispose();
  await listening;
  expect(audited.length).toBeGreaterThan(10);
  const written = [
    ...audit,
    { from: 'an export', text: await exported() },
    { from: 'audit events on a socket', text: JSON.stringify(audited) },
    { from: 'the log', text: JSON.stringify(service.logs) },
  ];
  expect(service.logs.length).toBeGreaterThan(100);

  const forbidden = (secrecy: Secrecy): readonly Shown[] =>
    secrecy === 'never' ? [...shown, ...toOwner, ...written] : [...shown, ...written];
  // All planted values begin alike, so that few texts have to be searched for each of them.
  const signs = formsOf(PREFIX.padEnd(12)).map((form, nth) => form.slice(0, [5, 10][nth] ?? 4));
  const suspect = new Map(
    [...shown, ...toOwner, ...written].map(({ text }) => [
      text,
      signs.some((sign) => text.includes(sign)),
    ]),
  );
  const leaks = planted.flatMap(({ location, secrecy, value }) =>
    formsOf(value).flatMap((form) =>
      forbidden(secrecy)
        .filter(({ text }) => !value.startsWith(PREFIX) || suspect.get(text))
        .filter(({ text }) => text.includes(form))
        .map(
          ({ from, text }) =>
            `${location} in ${from}: ...${text.slice(Math.max(0, text.indexOf(form) - 60), text.indexOf(form) + form.length + 5)}`,
        ),
    ),
  );
  expect(leaks).toEqual([]);

  const disk = filesBelow(service.dataDir).map((file) => ({ file, bytes: readFileSync(file) }));
  expect(disk.some(({ bytes }) => bytes.includes('planted'))).toBe(true);
  expect(
    planted
      .filter(({ secrecy }) => secrecy === 'never')
      .flatMap(({ location, value }) =>
        disk
          .filter(({ bytes }) => bytes.includes(value))
          .map(({ file }) => `${location} in ${file}`),
      ),
  ).toEqual([]);

  // Proves that the search works: administrators may see these values.
  const seen = planted
    .filter(({ secrecy }) => secrecy === 'reader')
    .filter(({ value }) =>
      toOwner.some(({ text }) => formsOf(value).some((form) => text.includes(form))),
    )
    .map(({ location }) => location);
  expect(seen).toEqual(
    expect.arrayContaining([
      'header Authorization',
      'field deep in a body',
      'password in a Basic header',
      'query of a URL',
      'header over GraphQL',
      'patch',
      ...['header', 'field of a body', 'query', 'default', 'comment'].map(
        (place) => `${place} of an invoker of a job`,
      ),
      'field that is added to an invoker',
    ]),
  );
});
