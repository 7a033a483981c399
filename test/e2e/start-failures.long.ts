import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { writeRecord } from '../../packages/embedded-mongo/test/support/stored-records';
import { MAIN, Running, dyingWithTheRun, freePort } from '../support/process';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Whether this user can mount a tmpfs. */
const canMount =
  isRoot &&
  spawnSync('mount', ['--version']).status === 0 &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

interface Trouble {
  readonly env?: Record<string, string>;
  /** Starts the service as another user. */
  readonly uid?: number;
  /** A command that runs in a mount namespace of its own before the service. */
  readonly mount?: string;
}

let dir: string;
let data: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-refused-'));
  chmodSync(dir, 0o755);
  data = join(dir, 'data');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function start({ env = {}, uid, mount, cwd = dir }: Trouble & { cwd?: string }): Running {
  const [command, ...args] =
    mount === undefined
      ? [process.execPath, MAIN]
      : ['unshare', '-m', 'sh', '-c', `${mount} && exec "$0" "$1"`, process.execPath, MAIN];
  return new Running(
    spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
      env: {
        PATH: process.env.PATH ?? '',
        ...(uid === undefined && dyingWithTheRun),
        DATA_DIR: data,
        PORT: '0',
        ...env,
      },
    }),
  );
}

async function createStore(): Promise<void> {
  mkdirSync(data);
  await (await openEmbeddedStore({ dir: data, placement: 'inline', durability: 'test' })).close();
}

const cases: Record<
  string,
  {
    readonly arrange: () => Promise<Trouble> | Trouble;
    readonly says: RegExp;
    readonly code?: number;
    readonly runs?: boolean;
  }
> = {
  'an address of another machine': {
    arrange: () => ({ env: { HOST: '192.0.2.1' } }),
    says: /^Hypha could not start: HOST = 192\.0\.2\.1 is not an address of this machine\./m,
  },
  'an unreadable .env': {
    arrange() {
      mkdirSync(join(dir, '.env'));
      return {};
    },
    says: /\.env: it cannot be read/,
    code: 78,
  },
  'a store in the format of a later version': {
    async arrange() {
      await createStore();
      await writeRecord(data, 'format', Buffer.from([0, 0, 0, 99]));
      return {};
    },
    says: /^Hypha could not start: data directory \S+ has format 99, this version reads up to \d+; install the version that wrote it$/m,
  },
  'an invalid store file': {
    arrange() {
      mkdirSync(data);
      writeFileSync(join(data, 'data.mdb'), Buffer.alloc(64 * 1024, 'x'));
      return {};
    },
    says: /^Hypha could not start: .*data\.mdb is damaged .* `hypha restore BACKUP --replace`.*$/m,
    code: 65,
  },
  'a store file that was cut': {
    async arrange() {
      await createStore();
      truncateSync(join(data, 'data.mdb'), 8_192);
      return {};
    },
    says: /^Hypha could not start: .*data\.mdb was cut: .* `hypha restore BACKUP --replace`.*$/m,
    code: 65,
  },
  'a store file that was emptied': {
    async arrange() {
      await createStore();
      writeFileSync(join(data, 'token-secret'), 'x'.repeat(64));
      truncateSync(join(data, 'data.mdb'), 0);
      return {};
    },
    says: /^Hypha could not start: .*data\.mdb was cut: it is empty; .* `hypha restore BACKUP --replace`.*$/m,
    code: 65,
  },
  'a data directory of another user': {
    async arrange() {
      await createStore();
      chmodSync(data, 0o700);
      return { uid: NOBODY };
    },
    says: /^Hypha could not start: DATA_DIR = \S+ .*EACCES.*$/m,
    runs: isRoot,
  },
  'a full disk': {
    arrange() {
      mkdirSync(data);
      return { mount: `mount -t tmpfs -o size=16k tmpfs ${data}` };
    },
    says: /^Hypha could not start: The disk that holds DATA_DIR = \S+ is full\. Make room on it, or choose a directory on another one\.$/m,
    runs: canMount,
  },
};

async function expectRefusal(service: Running, code: number, says: RegExp): Promise<void> {
  const exit = await service.exit;
  expect([exit.code, service.output]).toEqual([code, expect.stringMatching(says)]);
  expect(service.output).not.toMatch(/^\s+at |\\n\s+at /m);
  // One plain sentence; all other lines are JSON.
  const forPeople = service.output
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
  expect(forPeople).toHaveLength(code === 78 ? 2 : 1);
}

describe('a start fails with one sentence and no stack for', () => {
  // Fails only after ten seconds, so it starts before the other tests.
  let withoutDatabase: Running;
  let cwd: string;
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'hypha-refused-'));
    withoutDatabase = start({
      cwd,
      env: {
        MONGODB_URI: `mongodb://127.0.0.1:${await freePort()}/hypha`,
        DATA_DIR: join(cwd, 'data'),
      },
    });
  });
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  for (const [trouble, { arrange, says, code = 1, runs = true }] of Object.entries(cases)) {
    (runs ? it : it.skip)(trouble, async () => expectRefusal(start(await arrange()), code, says));
  }

  it('a MongoDB server that does not answer', () =>
    expectRefusal(
      withoutDatabase,
      1,
      /^Hypha could not start: The database of MONGODB_URI has not answered for 10 seconds: .*ECONNREFUSED/m,
    ));
});
