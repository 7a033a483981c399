import { mkdirSync, mkdtempSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kv } from './kv';
import type { Durability } from './kv';
import type { Log } from './dispatch';
import { StoreServer } from './server';
import { createStore } from './store';

export interface StoreOptions {
  readonly dir: string;
  readonly durability: Durability;
  readonly mapSize?: number;
}

export interface RunningStore {
  readonly uri: string;
  backup(targetDir: string): Promise<void>;
  close(): Promise<void>;
}

/** The longest socket path the operating systems take. */
const SOCKET_PATH_BYTES = 103;

/** Opens the store in this thread and serves it. */
export async function runStore(options: StoreOptions, log: Log): Promise<RunningStore> {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const kv = new Kv(options);
  const store = createStore(kv);
  const server = new StoreServer(store, log);
  const socket = socketPath(options.dir);
  await server.listen(socket.path);
  chmodSync(socket.path, 0o600);
  const timer = setInterval(() => {
    store.cursors.expire(Date.now());
    store.sessions.expire(Date.now());
  }, 5_000);
  timer.unref();
  return {
    uri: `mongodb://${encodeURIComponent(socket.path)}/hypha?directConnection=true`,
    backup: (targetDir) => kv.copyTo(targetDir),
    close: async () => {
      clearInterval(timer);
      await server.close();
      store.sessions.endAll();
      await kv.close();
      socket.remove();
    },
  };
}

function socketPath(dir: string): { path: string; remove: () => void } {
  const path = join(dir, 's.sock');
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES) {
    rmSync(path, { force: true });
    return { path, remove: () => rmSync(path, { force: true }) };
  }
  const short = mkdtempSync(join(tmpdir(), 'store-'));
  return { path: join(short, 's.sock'), remove: () => rmSync(short, { recursive: true, force: true }) };
}
