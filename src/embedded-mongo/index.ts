import { resolve } from 'node:path';
import type { Log } from './dispatch';
import type { RunningStore, StoreOptions } from './running';
import { runStoreInWorker } from './worker-store';

export interface EmbeddedStoreOptions extends StoreOptions {
  /** `worker`: a thread of its own, for the service (needs the compiled `worker.js`). `inline`: this thread, for tests. */
  readonly placement: 'worker' | 'inline';
  readonly log?: Log;
}

export type EmbeddedStore = RunningStore;

/**
 * Opens the embedded store and serves the MongoDB wire protocol on a socket in its directory, for mongoose and the official driver.
 * @throws StoreError when another process holds the directory, or a newer version wrote it.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { dir, durability, mapSize, brief, placement, log = () => undefined } = options;
  const located = { dir: resolve(dir), durability, mapSize, brief };
  if (placement === 'worker') return runStoreInWorker(located, log);
  // Late: a service with a worker never loads the store and its native library in the main thread.
  const { runStore } = require('./running') as typeof import('./running');
  return runStore(located, log);
}
