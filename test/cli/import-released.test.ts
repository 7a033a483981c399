import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { hashSync } from 'bcryptjs';
import { importReleasedHere } from '../../src/cli/import-here';
import { loadConfig } from '../../src/config/load';
import type { ReleasedImportRequest } from '../../src/features/import-released/released-import.service';
import type { ReleasedImportResult } from '../../src/features/import-released/report';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { client4x } from '../support/browser/released-pages';
import {
  ANN,
  CLERK,
  KEY,
  PASSWORD,
  PRODUCT,
  releasedDump,
  webhookToken,
  writeDump,
} from '../support/documents/released-dump';
import type { ReleasedDump } from '../support/documents/released-dump';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { until } from '../support/until';

const RIGHT_KEY = { product: PRODUCT, passPhrase: KEY };

let folder: string;
let remote: RemoteSystem;
let dump: ReleasedDump;
let dry: ReleasedImportResult;
let result: ReleasedImportResult;
let service: TestService;
let ann: string;

const path = (name: string): string => join(folder, name);
const imported = (
  dataDir: string,
  more: Partial<Omit<ReleasedImportRequest, 'prepare'>> = {},
  mongodbUri = '',
): Promise<ReleasedImportResult> => {
  const { config } = loadConfig(
    { ADMIN_EMAIL, ADMIN_PASSWORD, DATA_DIR: path(dataDir), MONGODB_URI: mongodbUri },
    folder,
  );
  return importReleasedHere(
    config,
    { folder: path('dump'), dryRun: false, key: RIGHT_KEY, onWritten: () => undefined, ...more },
    { placement: 'inline', durability: 'test' },
  );
};
const started = (dataDir: string): Promise<TestService> =>
  startService({ dataDir: path(dataDir), env: { MONGODB_URI: '' } });

/** Writes a folder with these files only. */
function folderOf(name: string, files: Record<string, unknown>): string {
  writeDump(path(name), { files, others: {} });
  return path(name);
}

const expectNoSecret = (text: string): void =>
  expect([...dump.planted].filter(([, value]) => text.includes(value))).toEqual([]);

/** All bytes of a directory. */
const bytesOf = (dir: string): Buffer =>
  Buffer.concat(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );

const get = async (url: string, token = ann): Promise<any> => {
  const answer = await service.api('GET', url, { token });
  expect(answer.status).toBe(200);
  return answer.body;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-released-'));
  remote = await remoteSystem(({ method }) => ({
    body: method === 'GET' ? { tickets: [{ id: 7, title: 'late' }] } : {},
  }));
  dump = releasedDump(remote.url);
  writeDump(path('dump'), dump);
  dry = await imported('data', { dryRun: true });
  result = await imported('data');
  service = await started('data');
  ann = await service.login(ANN, PASSWORD);
});
afterAll(async () => {
  await service.close();
  await remote.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the report', () => {
  it('of a dry run is that of the import, which finds nothing of it', () => {
    expect(dry).toEqual({ ...result, dryRun: true });
    expect(result.counts).toEqual({
      'aggregators.json': { imported: 1, leftOut: 1 },
      'categories.json': { imported: 7, leftOut: 0 },
      'connection-documents.json': { imported: 0, leftOut: 1 },
      'connections.json': { imported: 3, leftOut: 2 },
      'connectors.json': { imported: 3, leftOut: 1 },
      'messages.json': { imported: 1, leftOut: 1 },
      'roles.json': { imported: 3, leftOut: 0 },
      'schedules.json': { imported: 3, leftOut: 2 },
      'users.json': { imported: 4, leftOut: 2 },
      invoker: { imported: 1, leftOut: 1 },
      templates: { imported: 1, leftOut: 0 },
    });
  });

  it.each([
    ['executions.json', null, 'left-out', /was not read/],
    ['invoker/broken.xml', null, 'left-out', /Line 1, column 9/],
    ['invoker/notes.txt', null, 'left-out', /not read/],
    ['templates/old.json', null, 'assumed', /version is missing/],
    ['templates/old.json', null, 'left-out', /Authorization: The value may be secret/],
    ['operators.json', null, 'left-out', /belong to no workflow: 1/],
    ['roles.json', 1, 'left-out', /"FLY"/],
    ['roles.json', 2, 'left-out', /MOON/],
    ['roles.json', 2, 'left-out', /picture "clerks.png"/],
    ['users.json', 0, 'left-out', /picture "not-shipped.png": It is not in upload-dir/],
    ['users.json', 0, 'assumed', /language "eng"/],
    ['users.json', 0, 'assumed', /no bcrypt hash/],
    ['users.json', 0, 'changed', /administrator of the new installation has the id 12/],
    ['users.json', 1, 'changed', /phoneNumber has more than 45/],
    ['users.json', 1, 'left-out', /second factor/],
    ['users.json', 4, 'left-out', /role 77 does not come over/],
    ['users.json', 5, 'left-out', /not an e-mail/],
    ['categories.json', 2, 'assumed', /no category 404/],
    ['categories.json', 4, 'assumed', /below itself/],
    ['categories.json', 5, 'changed', /"top \(2\)"/],
    ['categories.json', 6, 'assumed', /"Category 17"/],
    ['aggregators.json', 1, 'left-out', /JavaScript variable name/],
    ['connectors.json', 0, 'assumed', /Certificates are not checked/],
    ['connectors.json', 0, 'left-out', /requestData.gone/],
    ['connectors.json', 1, 'assumed', /timeout -5/],
    ['connectors.json', 2, 'changed', /"TARGET \(2\)"/],
    ['connectors.json', 2, 'assumed', /requestData.token is not encrypted/],
    ['connectors.json', 2, 'assumed', /requestData.url is missing/],
    ['connectors.json', 3, 'left-out', /no invoker No such invoker/],
    ['connection-documents.json', 1, 'left-out', /connectionId 99/],
    ['connections.json', 0, 'left-out', /no method with the id "64b0000000000000000000ff"/],
    ['connections.json', 0, 'assumed', /field binding 64b0000000000000000000ff/],
    ['connections.json', 0, 'assumed', /enhancement 404/],
    ['connections.json', 1, 'assumed', /no category 404/],
    ['connections.json', 1, 'assumed', /no connector 41/],
    ['connections.json', 1, 'assumed', /no aggregator 22/],
    ['connections.json', 1, 'assumed', /empty expression/],
    ['connections.json', 2, 'changed', /"COPY TICKETS \(2\)"/],
    ['connections.json', 3, 'left-out', /no title and no steps/],
    ['connections.json', 4, 'left-out', /left over from a test/],
    ['messages.json', 0, 'changed', /Line breaks/],
    ['messages.json', 0, 'left-out', /language "fr"/],
    ['messages.json', 0, 'assumed', /slack is incoming_webhook/],
    ['messages.json', 1, 'left-out', /needs a content/],
    ['schedules.json', null, 'assumed', /time zone, UTC/],
    ['schedules.json', 0, 'left-out', /message 62 does not come over/],
    ['schedules.json', 0, 'left-out', /not an http or https URL/],
    ['schedules.json', 1, 'changed', /"EVERY NIGHT \(2\)"/],
    ['schedules.json', 1, 'left-out', /webhook 82: The user 404/],
    ['schedules.json', 2, 'changed', /"at noon" cannot be used/],
    ['schedules.json', 3, 'left-out', /connection 404 does not come over/],
    ['schedules.json', 4, 'left-out', /left over from a test/],
  ] as const)('names %s[%s]: %s: %s', (file, index, kind, message) => {
    expect(result.lines).toContainEqual({
      file,
      index,
      kind,
      message: expect.stringMatching(message),
    });
  });
});

describe('after an import', () => {
  it('users sign in with their old passwords and have their rights and details', async () => {
    const clerk = await service.login(CLERK, PASSWORD);
    expect((await service.api('GET', '/api/scheduler/all', { token: clerk })).status).toBe(200);
    expect((await service.api('GET', '/api/connector/all', { token: clerk })).status).not.toBe(200);
    expect(await get('/api/user/5')).toMatchObject({
      email: ANN,
      userDetail: {
        name: 'Ann',
        salutation: 'Dr.',
        profilePicture: expect.stringMatching(/\.png$/),
      },
    });
    expect(await get('/api/role/8')).toMatchObject({
      name: 'Clerks',
      components: [{ name: 'SCHEDULE', permissions: ['UPDATE', 'READ'] }],
    });
    // The administrator of the new installation has another id.
    expect((await get('/api/user/12')).email).toBe(ADMIN_EMAIL);
    await service.login(ADMIN_EMAIL, ADMIN_PASSWORD);
  });

  it('records have their ids, and new ones get greater ids', async () => {
    expect(await get('/api/category/12')).toMatchObject({ parentCategory: { id: 11 } });
    expect(await get('/api/aggregator/21')).toMatchObject({ args: [{ id: 31, name: 'tickets' }] });
    expect(await get('/api/message/61')).toMatchObject({
      type: 'incoming_webhook',
      content: [{ contentId: 71, subject: 'Run failed' }],
    });
    expect(await get('/api/scheduler/8')).toMatchObject({ cronExp: '', status: true });
    expect(await get('/api/template/all')).toMatchObject([{ name: 'Oldest' }]);
    const added = await service.api('POST', '/api/category', { token: ann, body: { name: 'New' } });
    expect(added.body.id).toBe(18);
  });

  it('a 4.x client gets the workflow as it had saved it', async () => {
    const saved = await client4x(service, ann).read('GET', 'connection/17');
    const list = '#FFCFB5.(response).success.tickets[i]';
    expect(saved).toMatchObject({
      connectionId: 17,
      title: 'Copy tickets',
      categoryId: 12,
      fromConnector: { connectorId: 3, methods: [{ index: '0', name: 'List' }] },
      toConnector: {
        connectorId: 4,
        operators: [{ index: '0', type: 'loop', iterator: 'i' }],
        methods: [
          {
            index: '0_0',
            request: {
              endpoint: `{url}/tickets/{%${list}.id%}`,
              header: { 'X-Title': `title-{%${list}.title%}` },
              body: { fields: { Ticket: { Title: `${list}.title;${list}.id` } } },
            },
          },
        ],
      },
      fieldBinding: [
        { enhancement: { name: 'upper', expertCode: expect.stringContaining('toUpperCase') } },
        { enhancement: { enhanceId: 52 } },
        { enhancement: null },
      ],
    });
  });

  it('the schedule fires, and its run sends the decrypted credentials', async () => {
    const list = await until(() => remote.received.find(({ method }) => method === 'GET'));
    expect(list.headers.authorization).toBe(`Bearer ${dump.planted.get('credential')}`);
    const created = await until(() => remote.received.find(({ method }) => method === 'POST'));
    expect(created).toMatchObject({
      path: '/tickets/7',
      headers: {
        authorization: `Bearer ${dump.planted.get('second credential')}`,
        'x-title': 'title-late',
      },
    });
    expect(JSON.parse(created.body)).toMatchObject({ Ticket: { Title: 'LATE/7', Id: 7 } });
  });

  it('the old URL of a webhook starts its schedule, and no other token does', async () => {
    const call = (token: string) =>
      service.api('GET', `/api/webhook/execute/${token}`, { token: null });
    expect((await call(dump.token)).status).toBe(200);
    const forged = await call(webhookToken(5, 7));
    expect(forged.body.message).toBe('WEBHOOK_NOT_FOUND');
    expect((await get('/api/scheduler/7')).webhook.url).toContain(dump.token);
  });

  it('planted secrets are stored encrypted and are in no report, answer or log', async () => {
    const stored = bytesOf(path('data'));
    expect(stored.includes('every night')).toBe(true);
    const credentials = [
      'credential',
      'second credential',
      'clear credential',
      'token of a webhook',
    ];
    for (const credential of credentials)
      expect([credential, stored.includes(dump.planted.get(credential) ?? '')]).toEqual([
        credential,
        false,
      ]);
    const { data } = await service.gql(
      '{ auditEvents(first: 100) { nodes { action before after } } }',
    );
    const outputs = JSON.stringify([
      result,
      service.logs,
      data.auditEvents,
      await get('/api/connector/all'),
      await get('/api/user/all'),
    ]);
    expect(outputs).toContain('INSTANCE_IMPORT_RELEASED');
    expectNoSecret(outputs);
  });

  it('another import is refused with what is there', async () => {
    await service.close();
    await expect(imported('data')).rejects.toThrow(
      /There is data already: 3 workflows, 3 connectors, 3 schedules, 8 categories, .* 5 users, 3 groups/,
    );
    service = await started('data');
  });
});

describe('nothing is imported', () => {
  const refusal = (more: Parameters<typeof imported>[1]): Promise<string> =>
    imported('refused', more).then(
      () => 'It was imported.',
      (error: Error) => error.message,
    );

  it.each([
    [
      'another key',
      { product: PRODUCT, passPhrase: 'wrong' },
      /the given key: Tickets \(url\), Tickets \(token\), .*Target \(token\)\. Check/,
    ],
    ['the default key', { product: PRODUCT, passPhrase: null }, /default key of the released line/],
    ['another product', { product: 'other', passPhrase: KEY }, /cannot be decrypted/],
    ['no product', { product: null, passPhrase: KEY }, /Use --product/],
  ])('with %s', async (_name, key, message) => {
    const reason = await refusal({ key });
    expect(reason).toMatch(message);
    expectNoSecret(reason);
  });

  it.each([
    ['no folder', () => path('missing'), /missing cannot be read: ENOENT/],
    ['no known file', () => folderOf('none', { 'a.json': [] }), /has none of the files/],
    ['no array', () => folderOf('object', { 'users.json': {} }), /users.json: Expected an array/],
    [
      'wrong fields',
      () => folderOf('fields', { 'users.json': [{ userId: 'x', email: 1, userGroup: 1 }, 5] }),
      /users.json\[0\].userId: .*\n.*users.json\[0\].email: .*\n.*users.json\[1\]: /,
    ],
    [
      'an id that occurs twice',
      () =>
        folderOf('twice', {
          'categories.json': [
            { id: 1, name: 'a' },
            { id: 1, name: 'b' },
          ],
        }),
      /categories.json\[1\].id: 1 is there already/,
    ],
    [
      'an id of a part that occurs twice',
      () =>
        folderOf('parts', {
          'messages.json': [1, 2].map((templateId) => ({
            templateId,
            name: 'm',
            type: 'email',
            content: [{ contentId: 9, language: 'en' }],
          })),
        }),
      /messages.json\[1\].content.contentId: 9 is there already/,
    ],
  ])('from %s', async (_name, dumpFolder, message) => {
    expect(await refusal({ folder: dumpFolder() })).toMatch(message);
  });

  it('from a directory in place of a file', async () => {
    writeDump(path('directory'), { files: {}, others: { 'users.json/a.txt': '' } });
    expect(await refusal({ folder: path('directory') })).toMatch(
      /users.json: It cannot be read: EISDIR/,
    );
  });

  it('from a file that is no JSON, or has other values, and no value is printed', async () => {
    const secret = dump.planted.get('credential') ?? '';
    const texts = [`[{"requestData":{"token":"${secret}`, `[{"requestData":"${secret}"}]`];
    for (const text of texts) {
      writeDump(path('broken'), { files: {}, others: { 'connectors.json': text } });
      const reason = await refusal({ folder: path('broken') });
      expect(reason).toMatch(/The files are not valid:\n {2}connectors.json/);
      expectNoSecret(reason);
    }
  });

  it('until the files are corrected', async () => {
    expect((await imported('refused', { dryRun: true })).counts).toEqual(result.counts);
  });
});

it('reads a file with a byte order mark', async () => {
  writeDump(path('marked'), {
    files: {},
    others: { 'categories.json': '\uFEFF[{"id":4,"name":"C"}]' },
  });
  const { counts } = await imported('marked-data', { folder: path('marked'), dryRun: true });
  expect(counts).toEqual({ 'categories.json': { imported: 1, leftOut: 0 } });
});

it('ends the sessions of the administrator whose id an imported user gets', async () => {
  const before = await started('sessions');
  await before.close();
  await imported('sessions');
  const after = await started('sessions');
  const answer = await after.api('GET', '/api/category/all', { token: before.adminToken });
  expect([answer.status, answer.body.message]).toEqual([401, 'ACCESS_DENIED']);
  expect((await after.api('GET', '/api/user/1')).body.email).toBe('admin@acme.test');
  await after.close();
});

it('imports into a MongoDB', async () => {
  const server = await openEmbeddedStore({
    dir: path('server'),
    placement: 'inline',
    durability: 'test',
  });
  try {
    const { counts } = await imported('mongo', {}, server.uri);
    expect(counts).toEqual(result.counts);
    await expect(imported('mongo', {}, server.uri)).rejects.toThrow(/There is data already/);
  } finally {
    await server.close();
  }
});

it('roles whose names differ only in case get numbers, and no rights of another role', async () => {
  const passwordHash = hashSync(ADMIN_PASSWORD, 4);
  const reads = (componentId: number, name: string) => ({
    componentId,
    name,
    permissions: ['READ'],
  });
  const emails = ['root', 'shouted', 'user', 'twin', 'second', 'other'].map(
    (name) => `${name}@acme.test`,
  );
  const { lines } = await imported('cased', {
    folder: folderOf('cased-dump', {
      'roles.json': [
        { groupId: 3, name: 'ADMIN', components: [reads(1, 'CONNECTION')] },
        { groupId: 1, name: 'Admin' },
        { groupId: 4, name: 'USER', components: [reads(3, 'SCHEDULE')] },
        { groupId: 5, name: 'Admin', components: [reads(2, 'CONNECTOR')] },
        { groupId: 6, name: 'Sales', components: [reads(3, 'SCHEDULE')] },
        { groupId: 7, name: 'SALES', components: [reads(2, 'MOON')] },
      ],
      'users.json': [1, 3, 4, 5, 6, 7].map((userGroup, index) => ({
        userId: 20 + index,
        email: emails[index],
        passwordHash,
        userGroup,
      })),
    }),
  });
  expect(lines).toEqual(
    expect.arrayContaining(
      [
        [0, 'changed', 'ADMIN: It is called "ADMIN (2)" now.'],
        [2, 'changed', 'USER: It is called "USER (2)" now.'],
        [3, 'changed', 'Admin: It is called "Admin (3)" now.'],
        [5, 'changed', 'SALES: It is called "SALES (2)" now.'],
        [5, 'left-out', 'SALES: There is no component MOON.'],
      ].map(([index, kind, message]) => ({ file: 'roles.json', index, kind, message })),
    ),
  );
  const other = await started('cased');
  const statuses: unknown[] = [];
  for (const email of emails) {
    const token = await other.login(email, ADMIN_PASSWORD);
    const { body } = await other.api('POST', '/graphql', {
      token,
      body: { query: '{ me { group { name } } }' },
    });
    const of = async (url: string) => (await other.api('GET', url, { token })).status;
    statuses.push([
      body.data.me.group.name,
      await of('/api/role/all'),
      await of('/api/connector/all'),
      await of('/api/scheduler/all'),
    ]);
  }
  expect(statuses).toEqual([
    ['Admin', 200, 200, 200],
    ['ADMIN (2)', 403, 403, 403],
    ['USER (2)', 403, 403, 200],
    ['Admin (3)', 403, 200, 403],
    ['Sales', 403, 403, 200],
    ['SALES (2)', 403, 403, 403],
  ]);
  await other.close();
});

it('an imported administrator takes the place of the new one with the same e-mail', async () => {
  const passwordHash = hashSync(ADMIN_PASSWORD, 4);
  const files = {
    'roles.json': [{ groupId: 1, name: 'Admin' }],
    'users.json': [{ userId: 5, email: ADMIN_EMAIL, passwordHash, userGroup: 1 }],
  };
  const { lines } = await imported('same', { folder: folderOf('same-dump', files) });
  expect(lines).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('replaces the administrator') }),
  );
  const other = await started('same');
  const { body } = await other.api('GET', '/api/user/all');
  expect(body._embedded.userResources).toMatchObject([{ enhanceId: 5, email: ADMIN_EMAIL }]);
  await other.close();
});
