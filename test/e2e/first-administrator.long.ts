import { execFileSync, spawn } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { MAIN, Running, dyingWithTheRun, readyUrl } from '../support/process';
import { until } from '../support/until';

let dir: string;
let running: Running[];

/** Starts the service without settings for the administrator. */
function start(stderr: 'pipe' | number = 'pipe'): Running {
  const stdio: StdioOptions = ['ignore', 'pipe', stderr];
  const process_ = new Running(
    spawn(process.execPath, [MAIN], {
      cwd: dir,
      stdio,
      env: {
        PATH: process.env.PATH ?? '',
        ...dyingWithTheRun,
        DATA_DIR: join(dir, 'data'),
        PORT: '0',
      },
    }),
  );
  running.push(process_);
  return process_;
}
const printedPassword = ({ output }: Running): string =>
  /password\s+(\w{20})\b/.exec(output)?.[1] ?? '';
const canSignIn = async (url: string, password: string): Promise<boolean> =>
  (
    await fetch(`${url}/login`, {
      method: 'POST',
      body: JSON.stringify({ email: 'admin@hypha.local', password }),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
    })
  ).status === 200;
/** @throws Error the process has ended */
function ended({ child, output }: Running): false {
  if (child.exitCode !== null) throw new Error(`The start failed:\n${output}`);
  return false;
}
const kill = async ({ child, exit }: Running): Promise<void> => {
  child.kill('SIGKILL');
  await exit;
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-administrator-'));
  running = [];
});
afterEach(async () => {
  for (const each of running) await kill(each);
  rmSync(dir, { recursive: true, force: true });
});

const NEW_PASSWORD = /First administrator \(new password: the previous one was never shown\)/;

it('the first administrator gets a new password at each start until one was printed', async () => {
  // A full stderr pipe blocks the start after the administrator was created and before the password is printed.
  const pipe = join(dir, 'stderr');
  execFileSync('mkfifo', [pipe]);
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  expect(() => {
    for (;;) writeSync(end, Buffer.alloc(4_096));
  }).toThrow(/EAGAIN/);
  const killed = start(end);
  const socket = join(dir, 'data/s.sock');
  await until(() => existsSync(socket) || ended(killed));
  const connection = await mongoose
    .createConnection(`mongodb://${encodeURIComponent(socket)}/hypha`, {
      directConnection: true,
      socketTimeoutMS: 60_000,
    })
    .asPromise();
  const users = connection.collection('users');
  await until(async () => (await users.countDocuments()) > 0 || ended(killed));
  expect(await connection.collection('first_administrators').findOne()).toMatchObject({
    toldAt: null,
  });
  await kill(killed);
  await connection.destroy();
  closeSync(end);

  const unread = start();
  unread.child.stderr?.destroy();
  await unread.says(/the password of the first administrator could not be printed/);
  await kill(unread);

  const printed = start();
  await printed.says(/password\s+\w{20}\b/);
  expect(printed.output).toMatch(NEW_PASSWORD);
  await kill(printed);

  const next = start();
  const url = await readyUrl(next);
  // A start that is killed before it records the printed password prints another one next time: the last one is valid.
  expect(await canSignIn(url, printedPassword(next) || printedPassword(printed))).toBe(true);
  await kill(next);

  const last = start();
  await readyUrl(last);
  expect(last.output).not.toMatch(/First administrator/);
});
