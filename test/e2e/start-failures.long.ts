import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { openEmbeddedStore } from '../../src/embedded-mongo';
import { metaKey } from '../../src/embedded-mongo/keys';
import { Kv } from '../../src/embedded-mongo/kv';
import { MAIN, Running, dyingWithTheRun, freePort } from '../support/process';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Can this machine's user make small disks? */
const canMount = isRoot && spawnSync('mount', ['--version']).status === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

interface Trouble {
  readonly env?: Record<string, string>;
  /** Starts the service as another user. */
  readonly uid?: number;
  /** Run before it, where only the service sees it. */
  readonly mount?: string;
  readonly after?: () => Promise<void>;
}

let dir: string;
let data: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-refused-'));
  chmodSync(dir, 0o755);
  data = join(dir, 'data');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function start({ env = {}, uid, mount }: Trouble): Running {
  const [command, ...args] = mount === undefined ? [process.execPath, MAIN] : ['unshare', '-m', 'sh', '-c', `${mount} && exec "$0" "$1"`, process.execPath, MAIN];
  return new Running(spawn(command, args, {
    cwd: dir, stdio: ['ignore', 'pipe', 'pipe'], ...(uid !== undefined && { uid, gid: uid }),
    env: { PATH: process.env.PATH ?? '', ...(uid === undefined && dyingWithTheRun), DATA_DIR: data, PORT: '0', ...env },
  }));
}

/** A store that a service could start on. */
async function withStore(work: (uri: string) => Promise<void> = () => Promise.resolve()): Promise<void> {
  mkdirSync(data);
  const store = await openEmbeddedStore({ dir: data, placement: 'inline', durability: 'test' });
  await work(store.uri);
  await store.close();
}

const cases: Record<string, { readonly when: () => Promise<Trouble> | Trouble; readonly says: RegExp; readonly code?: number; readonly runs?: boolean }> = {
  'a port that is taken': {
    async when() {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      return { env: { PORT: String((other.address() as AddressInfo).port) }, after: () => new Promise((resolve) => other.close(() => resolve())) };
    },
    says: /^Hypha could not start: Port \d+ of 127\.0\.0\.1 is taken by another program\. Stop it, or choose another one with PORT\.$/m,
  },
  'an address of another machine': { when: () => ({ env: { HOST: '192.0.2.1' } }), says: /^Hypha could not start: HOST = 192\.0\.2\.1 is not an address of this machine\./m },
  'a name that is no address': { when: () => ({ env: { HOST: 'no-such-host.invalid' } }), says: /^Hypha could not start: HOST = no-such-host\.invalid is not an address of this machine\./m },
  'a public address that is none': { when: () => ({ env: { HYPHA_PUBLIC_URL: 'hypha.example.com' } }), says: /HYPHA_PUBLIC_URL = "hypha\.example\.com": must be the address clients use/, code: 78 },
  'an .env that cannot be read': {
    when() {
      mkdirSync(join(dir, '.env'));
      return {};
    },
    says: /\.env: it cannot be read/, code: 78,
  },
  'a store that another process holds': {
    async when() {
      mkdirSync(data);
      const store = await openEmbeddedStore({ dir: data, placement: 'inline', durability: 'test' });
      return { after: () => store.close() };
    },
    says: new RegExp(`^Hypha could not start: data directory \\S+ is in use by pid ${process.pid} since \\S+; stop it, or set MONGODB_URI to share a database$`, 'm'),
  },
  'a store that a later version has migrated': {
    async when() {
      await withStore(async (uri) => {
        const connection = await mongoose.createConnection(uri).asPromise();
        await connection.collection<{ _id: number; name: string }>('migrations').insertOne({ _id: 9_999, name: 'things to come' });
        await connection.close();
      });
      return {};
    },
    says: /^Hypha could not start: A later version of Hypha has changed this store \(migration 9999, things to come\)\. Start that version, or restore a backup\.$/m,
  },
  'a store in the format of a later version': {
    async when() {
      await withStore();
      const kv = new Kv({ dir: data, durability: 'test' });
      kv.writeNow((view) => view.put(metaKey('format'), Buffer.from([0, 0, 0, 99])));
      await kv.close();
      return {};
    },
    says: /^Hypha could not start: data directory \S+ has format 99, this version reads up to \d+; install the version that wrote it$/m,
  },
  'a store that is no store': {
    when() {
      mkdirSync(data);
      writeFileSync(join(data, 'data.mdb'), Buffer.alloc(64 * 1024, 'x'));
      return {};
    },
    says: /^Hypha could not start: .*data.*(restore|backup).*$/m,
  },
  'a MongoDB that is not there': {
    when: async () => ({ env: { MONGODB_URI: `mongodb://127.0.0.1:${await freePort()}/hypha` } }),
    says: /^Hypha could not start: The database of MONGODB_URI has not answered for 10 seconds: .*ECONNREFUSED/m,
  },
  'a data directory of somebody else': {
    async when() {
      await withStore();
      chmodSync(data, 0o700);
      return { uid: NOBODY };
    },
    says: /^Hypha could not start: DATA_DIR = \S+ .*EACCES.*$/m, runs: isRoot,
  },
  'a data directory that cannot be made': {
    when: () => ({ uid: NOBODY }),
    says: /^Hypha could not start: DATA_DIR = \S+ cannot be made a directory: EACCES.*$/m, runs: isRoot,
  },
  'a disk that is read-only': {
    when() {
      mkdirSync(data);
      return { mount: `mount -t tmpfs -o ro tmpfs ${data}` };
    },
    says: /^Hypha could not start: DATA_DIR = \S+ .*EROFS.*$/m, runs: canMount,
  },
  'a disk that is full': {
    when() {
      mkdirSync(data);
      return { mount: `mount -t tmpfs -o size=16k tmpfs ${data}` };
    },
    says: /^Hypha could not start: The disk that holds DATA_DIR = \S+ is full\. Make room on it, or choose a directory on another one\.$/m, runs: canMount,
  },
};

describe('a start is refused in one sentence, without a stack:', () => {
  for (const [trouble, { when, says, code = 1, runs = true }] of Object.entries(cases)) {
    (runs ? it : it.skip)(trouble, async () => {
      const { after, ...how } = await when();
      const service = start(how);
      try {
        const exit = await service.exit;
        expect([exit.code, service.output]).toEqual([code, expect.stringMatching(says)]);
        expect(service.output).not.toMatch(/^\s+at |\\n\s+at /m);
        // A person's part is one sentence; programs read the rest.
        const forPeople = service.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
        expect(forPeople).toHaveLength(code === 78 ? 2 : 1);
      } finally {
        await after?.();
      }
    });
  }
});
