import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unsupported } from './errors';
import type { StoreError } from './errors';
import { backup, ensureFormat, verifyCopy } from './directory/data-directory';
import { checkDataFile, ensureLockFile } from './directory/data-file';
import type { NecessaryCollections } from './directory/necessary-writes';
import { SpaceReport } from './directory/space-report';
import type { Space, SpaceLevel } from './directory/space-report';
import { ChangeCounters } from './storage/change-counters';
import type { ChangeCounts } from './storage/change-counters';
import { Kv } from './storage/kv';
import type { Durability, KvOptions, WrittenDocuments } from './storage/kv';
import { Ownership } from './directory/owner';
import { createStore } from './store';
import type { Store } from './store';
import type { Log } from './log';
import type { RefusedClients } from './wire/clients';
import { StoreServer } from './wire/socket-server';
import { TTL_INTERVAL_MS, expireDocuments } from './write/expire-documents';

export interface StoreOptions {
  /** Created if missing with mode 0700. Used by one process at a time. */
  readonly dir: string;
  readonly durability: Durability;
  /** Maximum data size in bytes. Default: limited by the disk. */
  readonly mapSize?: number;
  /** For a short-lived command; other processes wait for it. */
  readonly brief?: boolean;
  /** Collections that are written even if the disk is nearly full. */
  readonly necessary?: NecessaryCollections;
  /** Default: all clients are accepted. */
  readonly refusedClients?: RefusedClients;
}

export interface EmbeddedStore {
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
  /** What was read while its count stayed the same is current until the count changes. */
  readonly changes: ChangeCounts;
  /** Returns which writes the free space allows, and the bytes in use, as of a moment ago. */
  readonly space: () => Space;
}

/** Maximum length of a socket path that all supported operating systems accept. */
const MAX_SOCKET_PATH_BYTES = 103;
const HOUSEKEEPING_MS = 5_000;
const SPACE_INTERVAL_MS = 1_000;

/** What the thread of the store shares with that of the service. */
interface Shared {
  readonly enter?: KvOptions['enter'];
  readonly changes?: ChangeCounters;
  readonly space?: SpaceReport;
}

/**
 * Opens and serves the store in this thread.
 * @throws StoreError directory in use, or written by a newer version
 */
export async function openStore(
  options: StoreOptions,
  log: Log,
  { enter, changes = new ChangeCounters(), space = new SpaceReport() }: Shared = {},
): Promise<EmbeddedStore> {
  const { dir } = options;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  requireLocalDisk(dir);
  checkDataFile(dir);
  ensureLockFile(dir);
  let reject: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, rejectFailed) => (reject = rejectFailed));
  let server: StoreServer | undefined;
  const fail = (error: StoreError): void => {
    log('error', error.message);
    reject(error);
    void server?.close();
  };
  const ownership = new Ownership(dir, fail, undefined, options.brief);
  let store: Store | undefined;
  const kv = new Kv({
    ...options,
    fence: ownership.fence,
    onFatalError: fail,
    onCommit: countingIn(changes, (id) => store?.catalog.nameOf(id)),
    enter,
    space,
  });
  try {
    await ownership.acquire(kv);
    for (const file of ['data.mdb', 'lock.mdb']) chmodSync(join(dir, file), 0o600);
    ensureFormat(kv, dir);
    if (ownership.isCopy) verifyCopy(kv, dir, log);
    const opened = createStore(kv, () => changes.incrementAll(), options.necessary);
    store = opened;
    const socket = socketPath(dir);
    server = await serve(opened, socket.path, options, log);
    const stopHousekeeping = startHousekeeping(opened, log, options);
    opened.catalog.sweep().catch(() => undefined);
    return {
      uri: `mongodb://${encodeURIComponent(socket.path)}/hypha?directConnection=true`,
      backup: async (targetDir) => void (await backup(kv, targetDir)),
      close: once(async () => {
        stopHousekeeping();
        await server?.close();
        opened.sessions.endAll();
        ownership.release(kv);
        await kv.close();
        socket.remove();
      }),
      failed,
      changes,
      space: () => space.read(),
    };
  } catch (error) {
    ownership.release(kv);
    await kv.close();
    throw error;
  }
}

/** Counts commits; those of a collection that was dropped count for all. */
const countingIn =
  (changes: ChangeCounters, nameOf: (id: number) => string | undefined) =>
  (written: WrittenDocuments): void => {
    for (const [id, documents] of written) {
      const name = nameOf(id);
      if (name === undefined) changes.incrementAll();
      else changes.increment(name, documents);
    }
  };

async function serve(
  store: Store,
  path: string,
  { dir, refusedClients }: StoreOptions,
  log: Log,
): Promise<StoreServer> {
  const server = new StoreServer(store, log, refusedClients);
  await server.listen(path);
  chmodSync(path, 0o600);
  if (!path.startsWith(dir))
    log(
      'info',
      'The socket of the embedded store is in another directory: the path of the data directory is too long or contains a percent sign.',
      { socket: path },
    );
  return server;
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= run());
}

/**
 * Network file systems (NFS, SMB, CIFS, SMB2), on which LMDB's locks and memory map do not work.
 */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

function requireLocalDisk(dir: string): void {
  if (process.platform === 'win32') throw unsupported('Windows is');
  if (NETWORK_FILE_SYSTEMS.has(statfsSync(dir).type))
    throw unsupported(`a network file system (${dir}) is`);
}

const SPACE_MESSAGES: Readonly<Record<SpaceLevel, string>> = {
  enough: 'The disk of the embedded store has space again: all writes are accepted.',
  full: 'The disk of the embedded store is full: only deletes and a few small writes are accepted.',
  scarce:
    'The disk of the embedded store is full, and little of its reserve is left: only deletes and small changes are accepted.',
  exhausted:
    'The disk of the embedded store is full, and its reserve is used up: no write is accepted.',
};

/** Removes idle cursors and sessions, deletes expired documents, and watches the space. */
function startHousekeeping(
  store: Store,
  log: Log,
  { durability, brief }: StoreOptions,
): () => void {
  let last: SpaceLevel = 'enough';
  const space = setInterval(() => {
    try {
      const level = store.kv.maintainSpace(durability === 'full' && brief !== true);
      if (level !== last) log(level === 'enough' ? 'info' : 'warn', SPACE_MESSAGES[level]);
      last = level;
    } catch (error) {
      log('warn', 'the free space of the disk could not be read', { error: String(error) });
    }
  }, SPACE_INTERVAL_MS);
  space.unref();
  const frequent = setInterval(() => {
    store.cursors.expire(Date.now());
    store.sessions.expire(Date.now());
  }, HOUSEKEEPING_MS);
  const rare = setInterval(() => {
    expireDocuments(store, new Date(), log).catch((error: unknown) =>
      log('warn', 'expired documents could not be deleted', { error: String(error) }),
    );
  }, TTL_INTERVAL_MS);
  frequent.unref();
  rare.unref();
  return () => {
    clearInterval(space);
    clearInterval(frequent);
    clearInterval(rare);
  };
}

function socketPath(dir: string): { readonly path: string; remove(): void } {
  const path = join(dir, 's.sock');
  // The driver decodes the path twice, so a percent sign would change it.
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES && !path.includes('%')) {
    // Left by a killed process; this process owns the directory.
    rmSync(path, { force: true });
    return { path, remove: () => rmSync(path, { force: true }) };
  }
  const short = mkdtempSync(join(tmpdir(), 'store-'));
  return {
    path: join(short, 's.sock'),
    remove: () => rmSync(short, { recursive: true, force: true }),
  };
}
