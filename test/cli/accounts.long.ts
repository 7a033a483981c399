import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { hypha } from '../support/service/hypha';
import type { Ended } from '../support/service/hypha';
import {
  BRANCHES,
  environment,
  group,
  GROUPS,
  person,
  READER,
  USERS,
} from '../support/peers/ldap-directory';
import { startDirectory } from '../support/peers/ldap-server';
import type { RunningLdap } from '../support/peers/ldap-server';

const ADA = 'ada@example.com';
const ADMINS = `CN=Admins, ${GROUPS.toUpperCase()}`;
const LDAP_STAGES = (url: string): string[] => [
  `ok      Connect: Connected to ${url}.`,
  `ok      Bind: Signed in as "${READER.dn}".`,
  `ok      User search: Found "uid=ada,${USERS}".`,
  `ok      Group search: Groups: "CN=admins,${GROUPS}".`,
  `ok      Mapping: "${ADMINS}" gives the role "Admin".`,
];

let folder: string;
let directory: RunningLdap;
let service: TestService;
let owner: Awaited<ReturnType<TestService['userWith']>>;

const settings = (): Record<string, string> => environment(directory.url);
const start = async (): Promise<void> => {
  service = await startService({ dataDir: join(folder, 'data'), env: settings() });
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-cli-accounts-'));
  directory = await startDirectory([READER, ...BRANCHES, person('ada'), group('admins', 'ada')]);
  await start();
  owner = await service.userWith(['CONNECTION:READ', 'MYPROFILE:READ']);
});
afterAll(async () => {
  await service.close();
  await directory.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], env = settings()): Promise<Ended> =>
  hypha(args, { cwd: folder, env: { DATA_DIR: join(folder, 'data'), ...env } });
/** Runs a command that succeeds, and returns its output. */
const done = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};
const login = async (): Promise<Record<string, unknown>> =>
  (await service.api('POST', '/login', { token: null, body: owner })).body;
const statusWith = async (token: string): Promise<number> =>
  (await service.api('GET', '/api/connection/all', { token: `Bearer ${token}` })).status;
const requireSecondFactor = async (): Promise<void> => {
  const { status } = await service.api('PUT', `/api/user/${owner.id}/totp/enable`);
  expect(status).toBe(200);
  expect(await login()).toHaveProperty('secretKey');
};

interface ListedToken {
  readonly id: number;
  readonly prefix: string;
}
async function create(): Promise<{ id: number; token: string }> {
  const made = await done('token', 'create', owner.email, ' nightly ', 'CONNECTION:READ');
  const [, id = '', token = ''] =
    /^created: token (\d+) of \S+, expires \d{4}-\S+Z\ntoken: (hyp_\w{38})\n$/.exec(made) ?? [];
  expect(made).toContain(` of ${owner.email},`);
  return { id: Number(id), token };
}
/** Checks the table and the JSON of `token list`. */
async function expectListed({ id, token }: { id: number; token: string }): Promise<void> {
  const [table, json] = [await done('token', 'list'), await done('token', 'list', '--json')];
  const [heads, ...rows] = table.split('\n').map((row) => row.split(/ {2,}/));
  expect(heads).toEqual(['id', 'owner', 'name', 'token', 'expires', 'last used', 'scopes']);
  const row = rows.find(([first]) => first === String(id));
  expect(row?.slice(0, 4)).toEqual([String(id), owner.email, 'nightly', `${token.slice(0, 8)}…`]);
  const listed = JSON.parse(json) as ListedToken[];
  expect(listed.find((each) => each.id === id)).toMatchObject({
    owner: owner.email,
    name: 'nightly',
    prefix: token.slice(0, 8),
    scopes: ['CONNECTION:READ'],
    lastUsedAt: null,
  });
  expect(table + json).not.toContain(token);
}
const revoke = async (id: number): Promise<void> => {
  expect(await done('token', 'revoke', String(id))).toMatch(
    new RegExp(`^revoked: token ${id} \\(nightly of ${owner.email}\\)\n$`),
  );
};

describe('with a running service', () => {
  it('`hypha token` creates, lists and revokes tokens that work at once', async () => {
    const made = await create();
    await expectListed(made);
    expect(await statusWith(made.token)).toBe(200);
    await revoke(made.id);
    expect(await statusWith(made.token)).toBe(401);
    const { auditEvents } = await service.data(
      '{ auditEvents(first: 2) { nodes { action actor { userId } target { type } } } }',
    );
    expect(auditEvents.nodes).toEqual(
      ['API_TOKEN_REVOKE', 'API_TOKEN_CREATE'].map((action) => ({
        action,
        actor: { userId: 0 },
        target: { type: 'API_TOKEN' },
      })),
    );
    expect(JSON.stringify(service.logs)).not.toContain(made.token);
  });

  it('`hypha user reset-2fa` lets the user sign in with the password alone', async () => {
    await requireSecondFactor();
    expect(await done('user', 'reset-2fa', owner.email.toUpperCase())).toBe(
      `removed: the second factor of ${owner.email} (id ${owner.id})\n`,
    );
    expect(await login()).toMatchObject({ email: owner.email });
  });

  it('`hypha ldap test` prints the result of each stage, and fails with a stage', async () => {
    expect((await done('ldap', 'test', ADA)).trimEnd().split('\n')).toEqual(
      LDAP_STAGES(directory.url),
    );
    const { code, stdout } = await run(['ldap', 'test', 'eve@example.com']);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^FAILED {2}User search: No entry below/);
  });

  it.each<[readonly string[], number, RegExp]>([
    [['token', 'create', 'no@hypha.test', 'x', 'USER:READ'], 1, /not created: There is no user/],
    [['token', 'create', ADMIN_EMAIL, 'x', 'USER:FLY'], 1, /There is no scope "USER:FLY"/],
    [['token', 'create', ADMIN_EMAIL, '', 'USER:READ'], 1, /not created: The name has 1 to 100/],
    [['token', 'create', ADMIN_EMAIL, 'x', 'USER:READ', '--days', '366'], 1, /1 to 365 days/],
    [['token', 'create', ADMIN_EMAIL, 'x', 'USER:READ', '--days', '0'], 2, /not a whole number/],
    [['token', 'create', ADMIN_EMAIL, 'x'], 2, /missing required argument 'scopes'/],
    [['token', 'revoke', '4711'], 1, /not revoked: There is no API token 4711/],
    [['token', 'revoke', 'hyp_x'], 2, /not a whole number/],
    [['user', 'reset-2fa', 'no@hypha.test'], 1, /not removed: There is no user/],
  ])('refuses %j with code %i', async (given, code, says) => {
    expect(await run(given)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(says) as string,
    });
  });
});

describe('with a stopped service', () => {
  it('the commands change the data directly', async () => {
    await requireSecondFactor();
    await service.close();
    const [valid, revoked] = [await create(), await create()];
    await expectListed(valid);
    await revoke(revoked.id);
    await done('user', 'reset-2fa', owner.email);
    await start();
    expect(await statusWith(valid.token)).toBe(200);
    expect(await statusWith(revoked.token)).toBe(401);
    expect(await login()).toMatchObject({ email: owner.email });
  });

  it('`hypha ldap test` tests the configuration of the command', async () => {
    await service.close();
    expect((await done('ldap', 'test', ADA)).trimEnd().split('\n')).toEqual(
      LDAP_STAGES(directory.url),
    );
    expect(await run(['ldap', 'test', ADA], {})).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/not tested: No LDAP directory is configured/) as string,
    });
    await start();
  });

  it('the commands create nothing in a directory without data', async () => {
    const DATA_DIR = join(folder, 'wrong');
    for (const args of [
      ['token', 'list'],
      ['token', 'create', ADMIN_EMAIL, 'x', 'USER:READ'],
      ['token', 'revoke', '1'],
      ['user', 'reset-2fa', ADMIN_EMAIL],
      ['ldap', 'test', ADA],
    ])
      expect(await run(args, { DATA_DIR })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/no data in .*wrong/) as string,
      });
    expect(existsSync(DATA_DIR)).toBe(false);
  });
});
