import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashSync } from 'bcryptjs';
import { invokerXml } from './connector-invokers';
import { png } from './images';

/** Settings of the released installation that the dump is from. */
export const PRODUCT = 'acme';
export const KEY = 'a key of its own';

export const PASSWORD = 'old password of Ann';
export const ANN = 'ann@acme.test';
export const CLERK = 'clerk@acme.test';

/** Letters and digits only, so that no encoding hides it. */
const plant = (): string => `pLaNt${randomBytes(12).toString('hex')}`;

const derived = new Map<string, Buffer>();

/** Encrypts like the released line. */
export function sealed(value: string, key = KEY, product = PRODUCT): string {
  const settings = `${product} ${key}`;
  const bytes = derived.get(settings) ?? pbkdf2Sync(key, `${product}-salt`, 65_536, 32, 'sha1');
  derived.set(settings, bytes);
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', bytes, iv);
  return Buffer.concat([iv, cipher.update(value), cipher.final()]).toString('base64');
}

/** A signed token without an expiry, as URLs of webhooks contain it. */
export const webhookToken = (userId: number, schedulerId: number): string =>
  [
    { alg: 'HS256' },
    { userId, uuid: plant(), schedulerId, sub: 'webhook', jti: String(schedulerId) },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(randomBytes(32).toString('base64url'))
    .join('.');

/** References of MongoDB, in the forms that its tools write. */
const oid = (id: string): object => ({ $oid: id });
const dbRef = (collection: string, id: string): object => ({ $ref: collection, $id: oid(id) });

const ID = {
  list: '64b000000000000000000001',
  post: '64b000000000000000000002',
  loop: '64b000000000000000000003',
  title: '64b000000000000000000004',
  path: '64b000000000000000000005',
  header: '64b000000000000000000006',
  missing: '64b0000000000000000000ff',
};
const [LIST, POST] = ['#FFCFB5', '#C77E7E'];

const end = (color: string, type: string, field: string): object => ({ color, type, field });
const response = (fields: object): object => ({
  name: 'response',
  success: {
    status: '200',
    header: null,
    body: { type: 'object', format: 'json', data: 'raw', fields },
  },
  fail: { status: '401', header: null, body: null },
});

export interface ReleasedDump {
  /** JSON files by name. */
  readonly files: Record<string, any>;
  /** Other files by path. */
  readonly others: Record<string, string | Buffer>;
  /** Secret values, by place. */
  readonly planted: ReadonlyMap<string, string>;
  /** Token of the webhook of schedule 7. */
  readonly token: string;
}

/** The data of a released installation, with everything that may be odd about it. */
export function releasedDump(remoteUrl: string): ReleasedDump {
  const planted = new Map<string, string>(
    [
      'credential',
      'second credential',
      'clear credential',
      'literal in a workflow',
      'recipient',
    ].map((label) => [label, plant()]),
  );
  const secret = (label: string): string => planted.get(label) ?? '';
  const token = webhookToken(5, 7);
  const passwordHash = hashSync(PASSWORD, 4);
  planted.set('token of a webhook', token).set('hash of a password', passwordHash);
  const detail = {
    name: 'Ann',
    surname: 'Lee',
    userTitle: 'Dr.',
    lang: 'de',
    appTour: 1,
    theme: null,
  };
  const files: ReleasedDump['files'] = {
    'roles.json': [
      { groupId: 1, name: 'Admin', description: 'Admin role', icon: null, components: [] },
      {
        groupId: 2,
        name: 'User',
        description: 'changed in the field',
        components: [{ componentId: 1, name: 'CONNECTION', permissions: ['READ', 'read', 'FLY'] }],
      },
      {
        groupId: 8,
        name: 'Clerks',
        description: null,
        icon: 'imagePathclerks.png',
        components: [
          { componentId: 3, permissions: ['READ', 'UPDATE'] },
          { componentId: 99, name: 'MOON', permissions: ['READ'] },
        ],
      },
    ],
    'users.json': [
      {
        userId: 1,
        email: 'admin@acme.test',
        passwordHash: null,
        userGroup: 1,
        userDetail: { ...detail, lang: 'eng', profilePicture: 'not-shipped.png' },
      },
      {
        userId: 5,
        email: ANN,
        passwordHash,
        totpEnabled: true,
        userGroup: { groupId: 1, name: 'Admin' },
        userDetail: {
          ...detail,
          profilePicture: 'https://old.acme.test/api/storage/files/ann.png',
          phoneNumber: '0'.repeat(60),
        },
      },
      { userId: 6, email: CLERK, passwordHash, userGroup: 8, userDetail: detail },
      { userId: 9, email: 'jdoe', authMethod: 'LDAP', userGroup: 2, userDetail: null },
      { userId: 10, email: 'lost@acme.test', passwordHash, userGroup: 77, userDetail: detail },
      { userId: 11, email: 'no address', passwordHash, userGroup: 2, userDetail: detail },
    ],
    'categories.json': [
      { id: 12, name: 'Below', parentCategory: { id: 11, name: 'Top' } },
      { id: 11, name: 'Top', parentCategory: null },
      { id: 13, name: 'Orphan', parentCategory: 404 },
      { id: 14, name: 'Circle', parentCategory: 15 },
      { id: 15, name: 'Round', parentCategory: 14 },
      { id: 16, name: 'top', parentCategory: null },
      { id: 17, name: ' ', parentCategory: null },
    ],
    'aggregators.json': [
      {
        id: 21,
        name: 'Count',
        args: [{ id: 31, name: 'tickets', description: null }],
        script: 'var tickets = Responses.length;',
        active: '1',
      },
      { id: 22, name: 'Broken', args: [{ id: 32, name: 'not a name' }], script: '', active: 0 },
    ],
    'connectors.json': [
      {
        connectorId: 3,
        title: 'Tickets',
        description: 'from the field',
        icon: 'ann.png',
        invoker: { name: 'Demo' },
        sslCert: 1,
        timeout: 0,
        requestData: {
          url: sealed(remoteUrl),
          token: sealed(secret('credential')),
          computed: sealed('left over'),
          gone: sealed('left over'),
        },
      },
      {
        connectorId: 4,
        title: 'Target',
        invoker: 'Demo',
        sslCert: false,
        timeout: -5,
        requestData: [
          { name: 'url', value: sealed(remoteUrl) },
          { name: 'token', value: sealed(secret('second credential')) },
        ],
      },
      {
        connectorId: 40,
        title: 'TARGET',
        invoker: 'Demo',
        requestData: { token: secret('clear credential') },
      },
      { connectorId: 41, title: 'Lost', invoker: 'No such invoker', requestData: {} },
    ],
    'connections.json': [
      {
        connectionId: 17,
        title: 'Copy tickets',
        description: 'every night',
        fromConnector: 3,
        toConnector: 4,
        categoryId: 12,
        icon: 'http://old.acme.test/icon.png',
      },
      {
        connectionId: 18,
        title: 'Whole',
        categoryId: 404,
        fromConnector: {
          connectorId: 41,
          methods: [
            {
              nodeId: ID.list,
              index: '0',
              name: 'List',
              color: LIST,
              dataAggregator: 22,
              request: {
                endpoint: '{url}/tickets',
                method: 'GET',
                header: { Authorization: secret('literal in a workflow') },
                body: null,
              },
              response: response({}),
            },
          ],
          operators: [{ nodeId: ID.loop, index: '1', type: 'if', condition: null }],
        },
        toConnector: { connectorId: 4, methods: [], operators: [] },
        fieldBinding: [],
      },
      { connectionId: 19, title: 'COPY TICKETS', fromConnector: 3, toConnector: 4 },
      { connectionId: 20, title: null, fromConnector: null, toConnector: null },
      { connectionId: 21, title: '!*test_connection_1729000000000_x', fromConnector: 3 },
    ],
    'connection-documents.json': [
      {
        _id: oid('64b0000000000000000000aa'),
        _class: 'Connection',
        connectionId: { $numberInt: '17' },
        fromConnector: {
          connectorId: { $numberLong: '3' },
          methods: [dbRef('method', ID.list)],
          operators: [],
        },
        toConnector: {
          connectorId: 4,
          methods: [oid(ID.post), ID.missing],
          operators: [dbRef('operator', ID.loop)],
        },
        fieldBinding: [
          dbRef('field_binding', ID.title),
          dbRef('field_binding', ID.path),
          dbRef('field_binding', ID.header),
        ],
      },
      { connectionId: 99, fromConnector: null, toConnector: null },
    ],
    'methods.json': [
      {
        _id: oid(ID.list),
        index: '0',
        name: 'List',
        color: LIST,
        dataAggregator: 21,
        request: {
          endpoint: '{url}/tickets',
          method: 'GET',
          header: { Authorization: 'Bearer {token}' },
          body: null,
        },
        response: response({ tickets: [{ id: '', title: '' }] }),
      },
      {
        _id: oid(ID.post),
        index: '0_0',
        name: 'Create',
        color: POST,
        request: {
          endpoint: `{url}/tickets/{%${ID.path}%}`,
          method: 'POST',
          header: {
            Authorization: 'Bearer {token}',
            'Content-Type': 'application/json',
            'X-Title': `title-{%${ID.header}%}`,
          },
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: {
              Ticket: {
                Title: `#{%${ID.title}%}`,
                Id: `${LIST}.(response).success.tickets[i].id`,
                Old: `#{%${ID.missing}%}`,
              },
            },
          },
        },
        response: response({}),
      },
    ],
    'operators.json': [
      { _id: oid('64b0000000000000000000bb'), index: '0', type: 'if', condition: null },
      {
        _id: oid(ID.loop),
        index: '0',
        type: 'loop',
        iterator: 'i',
        condition: {
          relationalOperator: 'for',
          leftStatement: {
            color: LIST,
            type: 'response',
            field: 'success.tickets[*]',
            rightPropertyValue: '',
          },
          rightStatement: null,
        },
      },
    ],
    'field-bindings.json': [
      {
        _id: oid(ID.title),
        from: [
          end(LIST, 'response', 'success.tickets[i].title'),
          end(LIST, 'response', 'success.tickets[i].id'),
        ],
        to: [end(POST, 'request', 'Ticket.Title')],
        enhancementId: 51,
      },
      {
        _id: oid(ID.path),
        from: [end(LIST, 'response', 'success.tickets[i].id')],
        to: [end(POST, 'path', '')],
        enhancementId: { $numberLong: '52' },
      },
      {
        _id: oid(ID.header),
        from: [end(LIST, 'response', 'success.tickets[i].title')],
        to: [end(POST, 'header', `title-{%${LIST}.(response).success.tickets[i].title%}`)],
        enhancementId: 404,
      },
    ],
    'enhancements.json': [
      {
        enhanceId: 51,
        title: 'upper',
        script: "RESULT_VAR = VAR_0.toUpperCase() + '/' + VAR_1;",
        args: `//var RESULT_VAR = ${POST}.(request).Ticket.Title;\n//var VAR_0 = ${LIST}.(response).success.tickets[i].title;\n//var VAR_1 = ${LIST}.(response).success.tickets[i].id;`,
        language: 'js',
      },
      {
        enhanceId: 52,
        name: 'copy',
        expertCode: 'RESULT_VAR = VAR_0;',
        expertVar: `//var VAR_0 = ${LIST}.(response).success.tickets[i].id;`,
      },
    ],
    'messages.json': [
      {
        templateId: 61,
        name: 'Failed',
        type: 'slack',
        content: [
          { contentId: 71, subject: 'Run\nfailed', body: '{CONNECTION_NAME}', language: 'en' },
          { contentId: 72, subject: 'Run', body: '', language: 'fr' },
        ],
      },
      { templateId: 62, name: 'Empty', type: 'email', content: [] },
    ],
    'schedules.json': [
      {
        schedulerId: 7,
        title: 'Every night',
        connection: { connectionId: 17 },
        cronExp: '* * * * * ?',
        status: 1,
        debugMode: 0,
        webhook: { webhookId: 81, url: `https://old.acme.test/api/webhook/execute/${token}` },
        notification: [
          {
            notificationId: 91,
            name: 'On failure',
            eventType: 'alert',
            template: { templateId: 61 },
            recipients: [`https://chat.acme.test/${secret('recipient')}`],
          },
          { notificationId: 92, eventType: 'post', template: 62, recipients: [] },
          { notificationId: 93, eventType: 'alert', template: 61, recipients: ['no url'] },
        ],
      },
      {
        schedulerId: 8,
        title: 'EVERY NIGHT',
        connection: 17,
        cronExp: '59 59 23 31 12 ? 2123',
        status: true,
        webhook: { webhookId: 82, url: `https://old.acme.test/${webhookToken(404, 8)}` },
      },
      { schedulerId: 9, title: 'Odd', connection: 17, cronExp: 'at noon', status: 1 },
      { schedulerId: 10, title: 'Lost', connection: 404, cronExp: '', status: 0 },
      { schedulerId: 11, title: '!*test_schedule_1729000000000', connection: 17, status: 0 },
    ],
    'executions.json': [],
  };
  const others = {
    'invoker/Demo.xml': demoInvoker(),
    'invoker/broken.xml': '<invoker>',
    'invoker/notes.txt': 'not an invoker',
    'templates/old.json': JSON.stringify(oldTemplate()),
    'upload-dir/ann.png': png(),
    'upload-dir/clerks.png': Buffer.from('no picture'),
  };
  return { files, others, planted, token };
}

const demoInvoker = (): string =>
  invokerXml(
    'Demo',
    [
      { name: 'url' },
      { name: 'token', visibility: 'protected' },
      { name: 'computed', visibility: 'private', value: 'Basic {url:token}' },
    ],
    ['List', 'Create'].map((name) => ({ name, endpoint: '{url}/tickets' })),
  );

/** A template of the oldest form, without a version. */
const oldTemplate = (): object => ({
  templateId: '2b2bdb5c-8f0c-4f52-9d5e-0123456789ab',
  name: 'Oldest',
  description: '',
  links: [],
  connection: {
    title: 'Oldest',
    fromConnector: {
      connectorId: 3,
      invoker: { name: 'Demo' },
      methods: [
        {
          name: 'Create',
          color: POST,
          index: '0',
          request: {
            endpoint: '{url}/tickets',
            method: 'POST',
            header: { Authorization: plant() },
            body: { q: 'x' },
          },
          response: { name: 'response', success: { status: '200', body: {}, header: {} } },
        },
      ],
      operators: [],
    },
    toConnector: { connectorId: 4, invoker: { name: 'Demo' }, methods: [], operators: [] },
    fieldBinding: [],
  },
});

/** Writes the files of a dump to a folder. */
export function writeDump(
  folder: string,
  { files, others }: Pick<ReleasedDump, 'files' | 'others'>,
): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(value));
  for (const [path, content] of Object.entries(others)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
