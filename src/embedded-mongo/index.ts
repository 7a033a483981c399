import { resolve } from 'node:path';
import type { Log } from './dispatch';
import { runStore } from './running';
import type { RunningStore, StoreOptions } from './running';
import { runStoreInWorker } from './worker-store';

export interface EmbeddedStoreOptions extends StoreOptions {
  /** `worker`: a thread of its own, for the service (needs the compiled `worker.js`). `inline`: this thread, for tests. */
  readonly placement: 'worker' | 'inline';
  readonly log?: Log;
}

export { backupDirectory } from './backup';

export type EmbeddedStore = RunningStore;

/**
 * Opens the embedded store and serves the MongoDB wire protocol on a socket in its directory, for mongoose and the official driver.
 * @throws StoreError when another process holds the directory, or a newer version wrote it.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { dir, durability, mapSize, placement, log = () => undefined } = options;
  const open = placement === 'worker' ? runStoreInWorker : runStore;
  return open({ dir: resolve(dir), durability, mapSize }, log);
}
