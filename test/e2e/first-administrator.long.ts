import { execFileSync, spawn } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import mongoose from 'mongoose';
import { MAIN, Running, dyingWithTheRun, readyUrl } from '../support/process';

let dir: string;
let running: Running[];

/** Starts the service without settings for the administrator. */
function start(stderr: 'pipe' | 'ignore' | number = 'pipe'): Running {
  const stdio: StdioOptions = ['ignore', 'pipe', stderr];
  const process_ = new Running(spawn(process.execPath, [MAIN], {
    cwd: dir, stdio, env: { PATH: process.env.PATH ?? '', ...dyingWithTheRun, DATA_DIR: join(dir, 'data'), PORT: '0' },
  }));
  running.push(process_);
  return process_;
}
const toldPassword = ({ output }: Running): string => /password\s+(\w{20})\b/.exec(output)?.[1] ?? '';
const isLetIn = async (url: string, password: string): Promise<boolean> =>
  (await fetch(`${url}/login`, { method: 'POST', body: JSON.stringify({ email: 'admin@hypha.local', password }), headers: { 'content-type': 'application/json' } })).status === 200;
const kill = async ({ child, exit }: Running): Promise<void> => {
  child.kill('SIGKILL');
  await exit;
};

/** The next start tells a new password, once, and it lets the administrator in. */
async function requireRescue(): Promise<void> {
  const next = start();
  const url = await readyUrl(next);
  expect(next.output).toMatch(/First administrator, who never signed in and was told no password: this is a new one/);
  expect(await isLetIn(url, toldPassword(next))).toBe(true);
  await kill(next);
  const last = start();
  await readyUrl(last);
  expect(last.output).not.toMatch(/First administrator/);
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-administrator-'));
  running = [];
});
afterEach(async () => {
  for (const each of running) await kill(each);
  rmSync(dir, { recursive: true, force: true });
});

it('gets a new password when the first start was killed after making him and before telling him', async () => {
  // Whoever reads stderr has stopped: what the start has to say does not fit any more.
  const pipe = join(dir, 'stderr');
  execFileSync('mkfifo', [pipe]);
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  expect(() => { for (;;) writeSync(end, Buffer.alloc(4_096)); }).toThrow(/EAGAIN/);
  const first = start(end);
  const socket = join(dir, 'data/s.sock');
  while (!existsSync(socket)) await setImmediate();
  const connection = await mongoose.createConnection(`mongodb://${encodeURIComponent(socket)}/hypha?directConnection=true`).asPromise();
  while ((await connection.collection('users').countDocuments()) === 0) await setImmediate();
  expect(await connection.collection('first_administrators').findOne()).toMatchObject({ toldAt: null });
  await kill(first);
  await connection.destroy();
  closeSync(end);
  await requireRescue();
});

it('gets a new password when nobody read what the first start said', async () => {
  const first = start();
  first.child.stderr?.destroy();
  await first.says(/nobody can have read the password/);
  await kill(first);
  await requireRescue();
});

it('gets a new password when what the first start said went nowhere', async () => {
  const first = start('ignore');
  await first.says(/nobody can have read the password/);
  await kill(first);
  await requireRescue();
});

it('keeps the one that was told, also when the start is killed at once', async () => {
  const first = start();
  await first.says(/password\s+\w{20}\b/);
  await kill(first);
  const second = start();
  const url = await readyUrl(second);
  // Killed before the mark was written, he is told again: what was said last is what holds.
  const password = toldPassword(second) || toldPassword(first);
  expect(await isLetIn(url, password)).toBe(true);
});
