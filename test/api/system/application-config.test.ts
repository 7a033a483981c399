import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditService } from '../../../src/features/audit/audit.service';
import { startService } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { MASTER_PASSWORD } from '../../support/service/master-password';

const PATH = '/api/application-config';
const FILE = `# Configuration of the tests.

server:
  port: 8080   # of the proxy
#  ssl:
#    key-alias: tomcat
spring:
  mail:
    password: "planted secret 1"
  datasource:
    url: jdbc:mariadb://user:planted-secret-2@db/acme
hypha:
  # Seconds.
  token:
    activity-time: 18000
  notification.tools.incoming_webhook.url: [ "https://hooks.example.com/planted3" ]
  debug: Yes
`;

let folder: string;
let file: string;
let service: TestService;
const write = (text: string): void => writeFileSync(file, text);
const read = (): string => readFileSync(file, 'utf8');
const backups = (): string[] => readdirSync(join(folder, 'backups')).sort();
const patch = (fields: unknown, more: object = {}): Promise<Answer> =>
  service.api('PATCH', PATH, { body: { fields, ...more } });
const find = (fields: any[], path: string): any =>
  fields
    .flatMap(function all(node: any): any[] {
      const isBlock = Array.isArray(node.value) && node.value[0]?.path !== undefined;
      return [node, ...(isBlock ? node.value.flatMap(all) : [])];
    })
    .find((node) => node.path === path);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-application-config-'));
  file = join(folder, 'application.yml');
  write(FILE);
  service = await startService({
    env: {
      CONFIG_FILE: file,
      HYPHA_CONFIG_BACKUP_DIRECTORY: join(folder, 'backups'),
      HYPHA_CONFIG_BACKUP_KEEP: '3',
    },
  });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  write(FILE);
  chmodSync(file, 0o640);
  rmSync(join(folder, 'backups'), { recursive: true, force: true });
});

describe('GET /application-config', () => {
  it('returns the tree with inactive keys, comments, and masked secrets', async () => {
    const { status, body, text } = await service.api('GET', PATH);
    expect(status).toBe(200);
    expect(body.comments).toEqual([{ position: 'header', text: 'Configuration of the tests.' }]);
    expect(body.fields[0]).toEqual({
      key: 'server',
      path: 'server',
      status: 'active',
      comments: [],
      value: [
        {
          key: 'port',
          path: 'server.port',
          status: 'active',
          value: 8080,
          comments: [{ position: 'inline', text: 'of the proxy' }],
        },
        {
          key: 'ssl',
          path: 'server.ssl',
          status: 'inactive',
          comments: [],
          value: [
            {
              key: 'key-alias',
              path: 'server.ssl.key-alias',
              status: 'inactive',
              value: 'tomcat',
              comments: [],
            },
          ],
        },
      ],
    });
    expect(find(body.fields, 'spring.mail.password').value).toBe('***');
    expect(find(body.fields, 'hypha.token.activity-time').value).toBe(18000);
    expect(find(body.fields, 'hypha.debug').value).toBe(true);
    expect(text).not.toMatch(/planted/);
    expect(body.pending).toEqual([]);
  });

  it('is for administrators only: 403 for all others, signed in or not', async () => {
    const { token } = await service.userWith(['APP:READ', 'APP:UPDATE', 'USER:READ']);
    for (const caller of [token, null, 'Bearer nonsense'])
      for (const [method, path] of [
        ['GET', PATH],
        ['PATCH', PATH],
        ['GET', `${PATH}/backups`],
        ['GET', `${PATH}/backups/x`],
        ['POST', `${PATH}/backups/x/restore`],
      ])
        expect(
          await service.status(method, path, {
            token: caller,
            ...(method !== 'GET' && { body: { fields: [] } }),
          }),
        ).toBe(403);
  });
});

describe('PATCH /application-config', () => {
  it('changes only what differs, and says what waits for a restart', async () => {
    const { status, body } = await patch([
      { path: 'server.port', status: 'active', value: 9000 },
      { path: 'server.ssl', status: 'active' },
      { path: 'hypha.token.activity-time', value: '600', status: 'active' },
      { path: 'hypha.run.timeout', value: 5000, status: 'active' },
    ]);
    expect([status, body.status, body.restartRequired]).toEqual([200, 'saved', true]);
    expect(body.message).toBe(
      'The configuration was saved. 4 changes wait for a restart of the service.',
    );
    expect(body.pending).toContainEqual({
      path: 'server.port',
      change: 'changed',
      before: 8080,
      after: 9000,
    });
    expect(body.pending).toContainEqual({
      path: 'hypha.run.timeout',
      change: 'added',
      after: 5000,
    });
    expect(read()).toBe(
      FILE.replace('8080', '9000')
        .replace('#  ssl:\n#    key', '  ssl:\n    key')
        .replace('18000', '600')
        .concat('  run:\n    timeout: 5000\n'),
    );
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(join(folder, 'backups', body.backup), 'utf8')).toBe(FILE);
    expect(statSync(join(folder, 'backups', body.backup)).mode & 0o777).toBe(0o600);
    const auditEvents = await service.field('{ auditEvents(first: 1) { nodes { action after } } }');
    expect(auditEvents.nodes[0]).toMatchObject({ action: 'APPLICATION_CONFIG_UPDATE' });
  });

  it('hides secrets in comments, and keeps a secret that is sent back masked next to a change', async () => {
    write(
      '# password: planted-secret-5\nspring:\n  mail:\n    password: "planted secret 1" # token=planted-secret-6\n    host: a\n',
    );
    const { body, text } = await service.api('GET', PATH);
    expect(text).not.toMatch(/planted/);
    find(body.fields, 'spring.mail.host').value = 'b';
    expect((await patch(body.fields)).status).toBe(200);
    expect(read()).toBe(
      '# password: planted-secret-5\nspring:\n  mail:\n    password: "planted secret 1" # token=planted-secret-6\n    host: b\n',
    );
    expect(JSON.stringify(service.logs)).not.toMatch(/planted/);
  });

  it.each([
    ['# The old password was Tiger-4711, before the move', 'Tiger-4711'],
    ['# password of the portal: tiger', 'tiger'],
    ['# The key abcd1234efgh5678ijkl9012 belongs to the old portal', 'abcd1234'],
    ['# the same token as in production is hunter', 'hunter'],
    ['# it was planted secret 1 before', 'planted secret 1'],
  ])('hides the secret in the sentence %s', async (comment, secret) => {
    write(`a: 1\n\n${comment}\nspring.mail.password: planted secret 1\n`);
    const { text } = await service.api('GET', PATH);
    expect(text).toContain('***');
    expect(text).not.toContain(secret);
  });

  it('shows sentences about secrets that tell none', async () => {
    write('# Seconds until a token expires, 18000 by default; the password is required.\na: 1\n');
    const { body } = await service.api('GET', PATH);
    expect(body.fields[0].comments[0].text).toBe(
      'Seconds until a token expires, 18000 by default; the password is required.',
    );
  });

  it('has the same keys in the tree and in what waits for a restart', async () => {
    write(`${FILE}  n: 0\n`);
    const { body } = await service.api('GET', PATH);
    expect(find(body.fields, 'hypha.n').value).toBe(0);
    expect(body.pending).toEqual([{ path: 'hypha.n', change: 'added', after: 0 }]);
  });

  it('changes nothing if the tree is sent back as it was read', async () => {
    const { body } = await service.api('GET', PATH);
    const answer = await service.api('PATCH', PATH, { body });
    expect([answer.status, answer.body.status]).toEqual([200, 'unchanged']);
    expect(read()).toBe(FILE);
    expect(existsSync(join(folder, 'backups'))).toBe(false);
  });

  it.each([
    ['no fields', {}, 'BAD_REQUEST', /fields/],
    ['fields that are no list', { fields: {} }, 'BAD_REQUEST', /fields/],
    [
      'a value that the service cannot start with',
      { fields: [{ path: 'server.port', value: 70000 }] },
      'CONFIG_INVALID',
      /could not start.*server\.port: must be a whole number/,
    ],
    [
      'a new invalid value',
      { fields: [{ path: 'hypha.time-zone', value: 'Mars' }] },
      'CONFIG_INVALID',
      /IANA time zone/,
    ],
    [
      'a mask without a hidden value',
      { fields: [{ path: 'server.port', value: '***x' }] },
      'SECRET_NOT_STORED',
      /server\.port/,
    ],
    [
      'a key below a value',
      { fields: [{ path: 'server.port.x', value: 1 }] },
      'CONFIG_INVALID',
      /no key can stand below it/,
    ],
    [
      'a value that is an object',
      { fields: [{ path: 'a', value: { b: 1 } }] },
      'BAD_REQUEST',
      /a text, a number/,
    ],
  ])('refuses %s with the reason, and writes nothing', async (_what, body, code, reason) => {
    const answer = await service.api('PATCH', PATH, { body });
    expect([answer.status, answer.body.message]).toEqual([400, code]);
    expect(answer.body.error).toMatch(reason);
    expect(read()).toBe(FILE);
    expect(existsSync(join(folder, 'backups'))).toBe(false);
  });

  it('refuses a file with an alias to a key that becomes inactive', async () => {
    write('hypha:\n  a: &x 1\n  b: *x\n');
    const answer = await patch([{ path: 'hypha.a', status: 'inactive' }]);
    expect([answer.status, answer.body.message]).toEqual([400, 'CONFIG_INVALID']);
    expect(read()).toBe('hypha:\n  a: &x 1\n  b: *x\n');
  });

  it('serialises concurrent changes, and refuses one of an outdated revision', async () => {
    const { body } = await service.api('GET', PATH);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_each, index) =>
        patch([{ path: `hypha.extra${index}`, value: index }]),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    for (let index = 0; index < 8; index += 1)
      expect(read()).toContain(`  extra${index}: ${index}\n`);
    expect(backups()).toHaveLength(3);
    const late = await patch([{ path: 'server.port', value: 1 }], { revision: body.revision });
    expect([late.status, late.body.message]).toEqual([409, 'CONFIG_FILE_CHANGED']);
    expect(read()).toContain('port: 8080');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('leaves the file as it was if the change cannot be audited', async () => {
    const failing = jest
      .spyOn(AuditService.prototype, 'record')
      .mockRejectedValueOnce(new Error('no space left'));
    const answer = await patch([{ path: 'server.port', value: 9000 }]);
    expect(failing).toHaveBeenCalledTimes(1);
    failing.mockRestore();
    expect(answer.status).toBe(500);
    expect(read()).toBe(FILE);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(backups()).toEqual([]);
    expect((await service.api('GET', PATH)).body.pending).toEqual([]);
  });

  it('writes to the file behind a link, also if there is none yet', async () => {
    rmSync(file);
    symlinkSync('target.yml', file);
    expect((await service.api('GET', PATH)).body.fields).toEqual([]);
    expect((await patch([{ path: 'a', value: 1 }])).status).toBe(200);
    expect((await patch([{ path: 'a', value: 2 }])).status).toBe(200);
    expect(readlinkSync(file)).toBe('target.yml');
    expect(readFileSync(join(folder, 'target.yml'), 'utf8')).toBe('a: 2\n');
    rmSync(file);
  });

  it('creates the file for its owner only if there is none', async () => {
    rmSync(file);
    const empty = await service.api('GET', PATH);
    expect(empty.body).toMatchObject({ fields: [], comments: [] });
    const answer = await patch([{ path: 'server', value: [{ path: 'server.port', value: 8080 }] }]);
    expect([answer.status, answer.body.backup]).toEqual([200, null]);
    expect(read()).toBe('server:\n  port: 8080\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('a file with unusual YAML', () => {
  const bomb = `a: &a [x,x]\n${'bcdefghijklmnopqrstuvwxyz'
    .split('')
    .map((name, at) => {
      const above = 'abcdefghijklmnopqrstuvwxyz'[at];
      return `${name}: &${name} [${Array(9).fill(`*${above}`).join(',')}]\n`;
    })
    .join('')}`;

  it('shows and changes a section that has only a merge key', async () => {
    write('base: &b\n  x: 1\nother:\n  <<: *b\n');
    const { status, body } = await service.api('GET', PATH);
    expect([status, find(body.fields, 'other').value]).toEqual([200, null]);
    expect((await patch([{ path: 'other.own', value: 2 }])).status).toBe(200);
    expect(read()).toBe('base: &b\n  x: 1\nother:\n  <<: *b\n  own: 2\n');
  });

  it.each([
    ['an unknown alias', 'a: *none\n', true],
    ['an alias to itself', 'a: &a [*a]\n', true],
    ['a merge of itself', 'a: &a\n  <<: *a\n', false],
    ['very many aliases', bomb, false],
  ])('shows %s as a problem, and writes no other', async (_what, text, isMendable) => {
    write(text);
    const applicationConfig = await service.field(
      '{ applicationConfig { problems fields { path value } } }',
    );
    expect(applicationConfig.problems).not.toEqual([]);
    expect(applicationConfig.fields).not.toEqual([]);
    const answer = await patch([{ path: 'z1', value: 1 }]);
    expect([answer.status, answer.body.message]).toEqual([400, 'CONFIG_INVALID']);
    expect(read()).toBe(text);
    const mended = await patch([{ path: 'a', value: 'mended' }]);
    expect(mended.status).toBe(isMendable ? 200 : 400);
    expect(read()).toEqual(isMendable ? expect.stringMatching(/^a: (?:&a )?mended\n/) : text);
  });

  it.each([
    ['5,000 nested lists', `a: ${'['.repeat(5_000)}`, /nested/],
    ['5,000 nested entries', `${'- '.repeat(5_000)}x`, /nested/],
    ['more than 256 KiB', `a: ${'x'.repeat(256 * 1024)}`, /larger than 256 KiB/],
  ])('with %s is refused with the reason', async (_what, text, reason) => {
    write(text);
    for (const answer of [await service.api('GET', PATH), await patch([{ path: 'b', value: 1 }])]) {
      expect([answer.status, answer.body.message]).toEqual([400, 'CONFIG_INVALID']);
      expect(answer.body.error).toMatch(reason);
    }
    expect(read()).toBe(text);
  });

  it('is not made too large by a change', async () => {
    const answer = await patch([{ path: 'hypha.x', value: 'x'.repeat(256 * 1024) }]);
    expect([answer.status, answer.body.message]).toEqual([400, 'CONFIG_INVALID']);
    expect(read()).toBe(FILE);
  });
});

describe('backups of the configuration', () => {
  it('are listed, shown with what would change, and restored', async () => {
    const { body } = await patch([
      { path: 'server.port', value: 9000 },
      { path: 'spring.mail.password', value: 'planted secret 4' },
    ]);
    const list = await service.api('GET', `${PATH}/backups`);
    expect(list.body).toEqual([
      { name: body.backup, createdAt: expect.any(Number), bytes: FILE.length },
    ]);
    const shown = await service.api('GET', `${PATH}/backups/${body.backup}`);
    expect(shown.body.changes).toEqual([
      { path: 'server.port', change: 'changed', before: 9000, after: 8080 },
      { path: 'spring.mail.password', change: 'changed', before: '***', after: '***' },
    ]);
    expect(shown.text).not.toMatch(/planted/);
    const restored = await service.api('POST', `${PATH}/backups/${body.backup}/restore`, {
      body: {},
    });
    expect([restored.status, restored.body.status, restored.body.restartRequired]).toEqual([
      200,
      'saved',
      false,
    ]);
    expect(read()).toBe(FILE);
    expect(backups()).toHaveLength(2);
  });

  it.each([
    'application.yml.bak.1',
    '../application.yml',
    'application.yml',
    'application.yml.bak.x',
  ])('do not contain %s', async (name) => {
    await patch([{ path: 'server.port', value: 9000 }]);
    await service.refuses(
      404,
      'CONFIG_BACKUP_NOT_FOUND',
      'GET',
      `${PATH}/backups/${encodeURIComponent(name)}`,
    );
  });
});

describe('applicationConfig in GraphQL', () => {
  it('reads, changes and restores the same file', async () => {
    const applicationConfig = await service.field(
      '{ applicationConfig { path exists revision problems fields { path parentPath status isBlock isSecret value setting { meaning } } settings { key } } }',
    );
    expect(applicationConfig).toMatchObject({ path: file, exists: true, problems: [] });
    expect(applicationConfig.fields).toContainEqual({
      path: 'server.port',
      parentPath: 'server',
      status: 'ACTIVE',
      isBlock: false,
      isSecret: false,
      value: 8080,
      setting: { meaning: 'Port of the service.' },
    });
    const update = `mutation ($input: ApplicationConfigUpdateInput!) {
      applicationConfigUpdate(input: $input) { result { status restartRequired backup pending { path change } } userErrors { code message } } }`;
    const change = (fields: unknown) =>
      service.data(update, { input: { fields, revision: applicationConfig.revision } });
    const refused = await change([{ path: 'server.port', value: -1 }]);
    expect(refused.applicationConfigUpdate).toMatchObject({
      result: null,
      userErrors: [{ code: 'CONFIG_INVALID' }],
    });
    const { applicationConfigUpdate } = await change([{ path: 'server.port', status: 'INACTIVE' }]);
    expect(applicationConfigUpdate).toMatchObject({
      userErrors: [],
      result: {
        status: 'SAVED',
        restartRequired: true,
        pending: [{ path: 'server.port', change: 'REMOVED' }],
      },
    });
    expect(read()).toBe(FILE.replace('  port: 8080', '#  port: 8080'));
    const applicationConfigBackups = await service.field(
      '{ applicationConfigBackups { name createdAt bytes } }',
    );
    const { name } = applicationConfigBackups[0];
    const applicationConfigBackup = await service.field(
      'query ($name: String!) { applicationConfigBackup(name: $name) { changes { path change } } }',
      { name },
    );
    expect(applicationConfigBackup.changes).toEqual([{ path: 'server.port', change: 'ADDED' }]);
    await service.mutate(
      'applicationConfigRestore',
      { name },
      'result { status } userErrors { message }',
    );
    expect(read()).toBe(FILE);
  });
});

it('restarts the service only if a supervisor is declared', async () => {
  const { applicationConfig, serviceRestart } = {
    ...(await service.data('{ applicationConfig { canRestart writeProblems } }')),
    ...(await service.data(
      'mutation { serviceRestart(input: {}) { restarting userErrors { code } } }',
    )),
  };
  expect(applicationConfig).toEqual({ canRestart: false, writeProblems: [] });
  expect(serviceRestart).toEqual({
    restarting: null,
    userErrors: [{ code: 'RESTART_NOT_SUPPORTED' }],
  });
});

it('names the keys that mails need', async () => {
  expect(await service.data('{ missingMailSettings }')).toEqual({
    missingMailSettings: ['spring.mail.host', 'spring.mail.hypha.from'],
  });
});

it('requires the master password if one is configured', async () => {
  const guarded = await startService({
    env: { CONFIG_FILE: file, HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD },
  });
  try {
    const call = (headers: Record<string, string>) => guarded.api('GET', PATH, { headers });
    expect((await call({ 'X-Master-Password': MASTER_PASSWORD })).status).toBe(200);
    for (const headers of [{}, { 'X-Master-Password': 'wrong' }])
      expect((await call(headers as Record<string, string>)).body.message).toBe(
        'MASTER_PASSWORD_WRONG',
      );
    const answer = await guarded.gql('{ applicationConfig { revision } }');
    expect(answer.errors?.[0].extensions).toMatchObject({ reason: 'MASTER_PASSWORD_WRONG' });
    expect(
      await guarded.status('PATCH', PATH, {
        body: { fields: [{ path: 'server.port', value: 1 }] },
      }),
    ).toBe(403);
    expect(read()).toBe(FILE);
  } finally {
    await guarded.close();
  }
});
