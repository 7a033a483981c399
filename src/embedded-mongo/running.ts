import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, requireSoundCopy } from './backup';
import { areCounted, countAll } from './counts';
import { requireDataFile } from './data-file';
import type { Log } from './dispatch';
import { requireFormat } from './format';
import { Kv } from './kv';
import type { Durability, KvOptions } from './kv';
import { Ownership } from './owner';
import { unsupported } from './semantics/errors';
import type { StoreError } from './semantics/errors';
import { StoreServer } from './server';
import { createStore } from './store';
import type { Store } from './store';
import { TTL_INTERVAL_MS, expireDocuments } from './ttl';

export interface StoreOptions {
  /** Created if missing with mode 0700. Used by one process at a time. */
  readonly dir: string;
  readonly durability: Durability;
  /** Maximum data size in bytes. Default: limited by the disk. */
  readonly mapSize?: number;
  /** For a short-lived command; other processes wait for it. */
  readonly brief?: boolean;
}

export interface RunningStore {
  /** Connection string for mongoose or the driver. */
  readonly uri: string;
  /** Copies the store to an empty or missing directory while it is in use. */
  readonly backup: (targetDir: string) => Promise<void>;
  /** Completes accepted writes and releases the directory. */
  readonly close: () => Promise<void>;
  /**
   * Rejects when the store failed: another process took over the directory, or the worker died.
   * Otherwise pending. If it is not handled, Node ends the process, which is better than running
   * without data.
   */
  readonly failed: Promise<never>;
}

/** Maximum length of a socket path that all supported operating systems accept. */
const SOCKET_PATH_BYTES = 103;
const HOUSEKEEPING_MS = 5_000;

/**
 * Opens and serves the store in this thread.
 * @throws StoreError directory in use, or written by a newer version
 */
export async function runStore(
  options: StoreOptions,
  log: Log,
  enter?: KvOptions['enter'],
): Promise<RunningStore> {
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  requireSuitable(options.dir);
  requireDataFile(options.dir);
  let lose: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (lose = reject));
  let stop: () => void = () => undefined;
  const giveUp = (error: StoreError): void => {
    log('error', error.message);
    lose(error);
    stop();
  };
  const ownership = new Ownership(options.dir, giveUp, undefined, options.brief);
  const kv = new Kv({ ...options, fence: ownership.fence, broken: giveUp, enter });
  try {
    await ownership.claim(kv);
    for (const file of ['data.mdb', 'lock.mdb']) chmodSync(join(options.dir, file), 0o600);
    requireFormat(kv, options.dir);
    if (ownership.isCopy) requireSoundCopy(kv, options.dir, log);
    const store = createStore(kv);
    if (!areCounted(kv.committed)) kv.writeNow((view) => countAll(view, store.catalog.all()));
    const server = new StoreServer(store, log);
    const socket = socketPath(options.dir);
    await server.listen(socket.path);
    chmodSync(socket.path, 0o600);
    if (!socket.path.startsWith(options.dir))
      log(
        'info',
        'the socket of the embedded store is elsewhere: its directory has too long a path or a percent sign in it',
        { socket: socket.path },
      );
    const stopHousekeeping = keepHouse(store, log);
    store.catalog.sweep().catch(() => undefined);
    stop = () => void server.close();
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      stopHousekeeping();
      await server.close();
      store.sessions.endAll();
      ownership.release(kv);
      await kv.close();
      socket.remove();
    };
    return {
      uri: `mongodb://${encodeURIComponent(socket.path)}/hypha?directConnection=true`,
      backup: async (targetDir) => void (await backup(kv, targetDir)),
      close: () => (closing ??= close()),
      failed,
    };
  } catch (error) {
    ownership.release(kv);
    await kv.close();
    throw error;
  }
}

/**
 * Network file systems (NFS, SMB, CIFS, SMB2), on which LMDB's locks and memory map do not work.
 */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

function requireSuitable(dir: string): void {
  if (process.platform === 'win32') throw unsupported('Windows is');
  if (NETWORK_FILE_SYSTEMS.has(statfsSync(dir).type))
    throw unsupported(`a network file system (${dir}) is`);
}

/** Removes idle cursors and sessions and deletes expired documents. */
function keepHouse(store: Store, log: Log): () => void {
  const quick = setInterval(() => {
    store.cursors.expire(Date.now());
    store.sessions.expire(Date.now());
  }, HOUSEKEEPING_MS);
  const slow = setInterval(() => {
    expireDocuments(store, new Date(), log).catch((error: unknown) =>
      log('warn', 'expired documents could not be deleted', { error: String(error) }),
    );
  }, TTL_INTERVAL_MS);
  quick.unref();
  slow.unref();
  return () => {
    clearInterval(quick);
    clearInterval(slow);
  };
}

function socketPath(dir: string): { readonly path: string; remove(): void } {
  const path = join(dir, 's.sock');
  // The driver decodes the path twice, so a percent sign would change it.
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES && !path.includes('%')) {
    // Left by a killed process; this process has claimed the directory.
    rmSync(path, { force: true });
    return { path, remove: () => rmSync(path, { force: true }) };
  }
  const short = mkdtempSync(join(tmpdir(), 'store-'));
  return {
    path: join(short, 's.sock'),
    remove: () => rmSync(short, { recursive: true, force: true }),
  };
}
