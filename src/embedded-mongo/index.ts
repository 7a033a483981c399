import { resolve } from 'node:path';
import type { Log } from './dispatch';
import type { RunningStore, StoreOptions } from './running';
import { runStoreInWorker } from './worker-store';

export interface EmbeddedStoreOptions extends StoreOptions {
  /**
   * `worker`: in a thread (needs the compiled `worker.js`). `inline`: in this thread, for tests.
   */
  readonly placement: 'worker' | 'inline';
  readonly log?: Log;
}

export type EmbeddedStore = RunningStore;

/**
 * Opens the embedded store and serves the MongoDB wire protocol on a socket in its directory.
 * @throws StoreError directory in use, or written by a newer version
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { dir, durability, mapSize, brief, placement, log = () => undefined } = options;
  const located = { dir: resolve(dir), durability, mapSize, brief };
  if (placement === 'worker') return runStoreInWorker(located, log);
  // Loaded on demand: with a worker, the main thread never loads the native library.
  const { runStore } = require('./running') as typeof import('./running');
  return runStore(located, log);
}
