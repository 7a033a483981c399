import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { EXIT } from '../../src/platform/exit-codes';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../support/service/harness';
import { hypha } from '../support/service/hypha';
import type { Ended } from '../support/service/hypha';
import { readyUrl, SECRETS_OF_A_STORE, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { until } from '../support/until';

/* A service with an embedded store, and processes that come to its socket by MONGODB_URI. */

let dir: string;
let running: Running[];
let uri: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-shared-'));
  running = [];
  uri = `mongodb://${encodeURIComponent(join(dir, 'owner', 's.sock'))}/hypha?directConnection=true`;
});
afterEach(async () => {
  for (const { child, exit } of running.reverse()) {
    child.kill('SIGTERM');
    await exit;
  }
  rmSync(dir, { recursive: true, force: true });
});

function start(name: string, env: Record<string, string>): Running {
  const process = startProcess({
    PORT: '0',
    DATA_DIR: join(dir, name),
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    ...SECRETS_OF_A_STORE,
    ...env,
  });
  running.push(process);
  return process;
}

const command = (name: string, env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  hypha(args, { cwd: dir, env: { DATA_DIR: join(dir, name), ...SECRETS_OF_A_STORE, ...env } });

async function listed(name: string): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await command(name, {}, 'processes', '--json');
  expect([code, stderr]).toEqual([EXIT.success, '']);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

it('a store that is not shared refuses services at once, and serves tools and commands', async () => {
  const owner = start('owner', {});
  await readyUrl(owner);

  for (const options of ['', '&appName=second']) {
    const second = start('second', { MONGODB_URI: uri + options });
    expect((await second.exit).code).toBe(EXIT.foreignProcess);
    expect(second.output).toMatch(
      new RegExp(
        `^Hypha could not start: The store of MONGODB_URI belongs to the running service with the pid ${owner.child.pid} on .* Set HYPHA_SHARE_STORE=1 there`,
        'm',
      ),
    );
  }

  const tool = await mongoose.createConnection(uri).asPromise();
  expect(await tool.collection('users').countDocuments()).toBe(1);
  await tool.close();
  const { code, stdout } = await command('second', { MONGODB_URI: uri }, 'user', 'list');
  expect([code, stdout]).toEqual([EXIT.success, expect.stringContaining(ADMIN_EMAIL)]);
  expect(await listed('owner')).toMatchObject([{ pid: owner.child.pid, state: 'alive' }]);
});

it('processes at a shared store are listed until they stop, and as dead when they are killed', async () => {
  const owner = start('owner', { HYPHA_SHARE_STORE: '1' });
  await readyUrl(owner);
  const [second, third] = ['second', 'third'].map((name) => start(name, { MONGODB_URI: uri }));
  for (const process of [second, third]) await readyUrl(process);
  const pids = (list: Record<string, unknown>[]): unknown[] =>
    list.map(({ pid, state }) => [pid, state]);

  const all = await listed('owner');
  expect(new Set(pids(all).map(String))).toEqual(
    new Set([owner, second, third].map(({ child }) => `${child.pid},alive`)),
  );
  expect(pids(await listed('second'))).toEqual(pids(all));

  second.child.kill('SIGTERM');
  await second.exit;
  third.child.kill('SIGKILL');
  await third.exit;
  await until(async () => (await listed('owner')).some(({ state }) => state === 'dead'));
  expect(pids(await listed('owner'))).toEqual([
    [owner.child.pid, 'alive'],
    [third.child.pid, 'dead'],
  ]);
  const { stdout } = await command('owner', {}, 'processes');
  expect(stdout).toMatch(
    /^state +roles +version +layout +machine +pid +since +last beat +lag +runs$/m,
  );
  expect(stdout).toMatch(new RegExp(`^dead +api,worker,scheduler .* ${third.child.pid} `, 'm'));
});
