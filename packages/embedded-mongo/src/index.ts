import { resolve } from 'node:path';
import type { EmbeddedStore, StoreOptions } from './open-store';
import type { DirectoryContents } from './directory/data-directory';
import type { Log } from './log';
import { openStoreInWorker } from './worker/worker-client';

export { StoreError } from './errors';
export { requireStorable } from './storage/documents';
export type { EmbeddedStore } from './open-store';
export type { ChangeCounts } from './storage/change-counters';
export type { Space } from './directory/space-report';
export type { DirectoryContents } from './directory/data-directory';
export { isLocal, isRunning, processIdentity } from './directory/process-identity';
export type { ProcessIdentity } from './directory/process-identity';
export type { Log } from './log';

interface EmbeddedStoreOptions extends StoreOptions {
  /** `worker`: in a thread (needs compiled files). `inline`: in this thread, for tests. */
  readonly placement: 'worker' | 'inline';
  readonly log?: Log;
}

// Modules that load the native library are loaded on demand: with a worker, the main thread never
// loads it.

/**
 * Opens the embedded store and serves the MongoDB wire protocol on a socket in its directory.
 * @throws StoreError directory in use, or written by a newer version
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { placement, log = () => undefined, ...settings } = options;
  const storeOptions = { ...settings, dir: resolve(settings.dir) };
  if (placement === 'worker') return openStoreInWorker(storeOptions, log);
  const { openStore } = require('./open-store') as typeof import('./open-store');
  return openStore(storeOptions, log);
}

/**
 * Backs up a data directory, whether or not another process uses it. Does not write to it and does
 * not disturb its owner.
 * @returns number of documents copied
 * @throws StoreError no store in `dir`, written by a newer version, the target is not empty, or the
 *   copy cannot be read
 */
export async function backupDirectory(dir: string, targetDir: string): Promise<number> {
  const directory =
    require('./directory/data-directory') as typeof import('./directory/data-directory');
  return directory.backupDirectory(dir, targetDir);
}

/**
 * Reads a data directory that another process may be using; does not write. The contents are only
 * valid while `inspect` runs.
 * @throws StoreError damaged, or written by a newer version
 */
export async function inspectDirectory<T>(
  dir: string,
  inspect: (contents: DirectoryContents) => T,
): Promise<T> {
  const directory =
    require('./directory/data-directory') as typeof import('./directory/data-directory');
  return directory.inspectDirectory(dir, inspect);
}
