import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../support/calls/account-calls';
import { answerTo } from '../support/service/harness';
import type { Answer } from '../support/service/harness';
import { HYPHA, hypha } from '../support/service/hypha';
import { commandsOf, executed } from '../support/browser/page-commands';
import { readyUrl, ROOT, startProcess } from '../support/process';
import type { Running } from '../support/process';

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';
const SECOND_FACTOR = 'docs/second-factor.md';
const TOKENS = 'docs/tokens.md';

let folder: string;
let service: Running;
let url: string;
/** Codes that sign ada in, one each. */
let codes: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hypha-account-pages-'));
  const page = readFileSync(join(ROOT, SECOND_FACTOR), 'utf8');
  const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  writeFileSync(join(folder, 'application.yml'), yaml);
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/hypha');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${HYPHA}' "$@"\n`);
  chmodSync(program, 0o755);
  const DATA_DIR = join(folder, 'data');
  service = startProcess({ DATA_DIR, PORT: '0' }, undefined, folder);
  url = await readyUrl(service);
  const create = ['user', 'create', EMAIL, '--group', 'Admin', '--stdin'];
  const made = await hypha(create, { cwd: folder, env: { DATA_DIR }, input: PASSWORD });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  codes = await enrol();
});
afterAll(async () => {
  service.child.kill('SIGTERM');
  await service.exit;
  rmSync(folder, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown, token: string | null = null) =>
  answerTo(url, method, path, token, { body });
const login = (): Promise<Answer> => call('POST', '/login', { email: EMAIL, password: PASSWORD });

/** Sets up an app, as the example of the configuration requires. Returns recovery codes. */
async function enrol(): Promise<string[]> {
  const { sessionId, secretKey } = (await login()).body;
  const answer = await call('POST', '/totp-validate', { sessionId, code: codeOf(secretKey) });
  return answer.body.recoveryCodes;
}

/** Runs blocks of a page with these texts in place of its own, and returns their output. */
async function run(
  page: string,
  [from, to]: readonly [number, number],
  replaced: Readonly<Record<string, string>> = {},
  settings: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const blocks = commandsOf(page).slice(from, to);
  expect(blocks).toHaveLength(to - from);
  const filled = blocks.map(({ commands, prints }) => ({
    prints,
    commands: Object.entries(replaced).reduce(
      (text, [old, next]) => text.replaceAll(old, next),
      commands.replaceAll('https://hypha.example.com', url),
    ),
  }));
  const own = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    DATA_DIR: join(folder, 'data'),
  };
  const printed = await executed(filled, { ...own, ...settings }, folder);
  const documented = filled.flatMap(({ prints }, at) =>
    prints === null ? [] : [[alike(printed[at]), alike(prints)]],
  );
  for (const [printedText, documentedText] of documented) expect(printedText).toBe(documentedText);
  return printed;
}

/** Replaces what differs each time. */
const alike = (text = ''): string =>
  text
    .trim()
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/hyp_\w{38}/g, 'hyp_...')
    .replaceAll(/"sessionId":"[^"]*"/g, '"sessionId":"..."');

/** Signs ada in with the commands of the page. Returns the `Authorization` value. */
async function signInAsDocumented(): Promise<string> {
  const [challenge] = await run(SECOND_FACTOR, [0, 1], {
    '"password": "..."': `"password": "${PASSWORD}"`,
  });
  const [confirmed] = await run(SECOND_FACTOR, [1, 2], {
    '"sessionId": "..."': `"sessionId": "${JSON.parse(challenge).sessionId}"`,
    '123456': codes.shift() ?? '',
  });
  const [, token = ''] = /^authorization: (.*?)\r?$/im.exec(confirmed) ?? [];
  expect((await call('GET', '/api/user/2', undefined, token)).body.email).toBe(EMAIL);
  return token;
}

it('docs/tokens.md works as written and prints the documented output', async () => {
  const SESSION = await signInAsDocumented();
  const [byCommand, byRest] = await run(TOKENS, [0, 2], {}, { SESSION });
  const [, first = ''] = /^token: (hyp_\w+)$/m.exec(byCommand) ?? [];
  const second = JSON.parse(byRest);
  expect(second).toMatchObject({ name: 'nightly export', scopes: ['CONNECTION:READ'] });
  for (const token of [first, second.token]) {
    const [used] = await run(TOKENS, [2, 3], { 'hyp_...': token });
    expect(JSON.parse(used)).toEqual([]);
  }
  const [revoked] = await run(TOKENS, [3, 4]);
  expect(revoked).toContain(second.prefix);
  expect(revoked).toMatch(/^revoked: token 1 \(nightly export of ada@example\.com\)$/m);
  const statuses = [first, second.token].map(
    async (token) =>
      (await call('GET', '/api/connection/all', undefined, `Bearer ${token}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([401, 200]);
});

it('docs/second-factor.md works as written and prints the documented output', async () => {
  await signInAsDocumented();
  await run(SECOND_FACTOR, [2, 3]);
  expect((await login()).body).toHaveProperty('secretKey');
});
