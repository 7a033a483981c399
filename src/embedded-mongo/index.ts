import type { Log } from './dispatch';
import { runStore } from './running';
import type { RunningStore, StoreOptions } from './running';

export interface EmbeddedStoreOptions extends StoreOptions {
  /** `worker`: a thread of its own, for the service. `inline`: this thread, for tests. */
  readonly placement: 'worker' | 'inline';
  readonly log?: Log;
}

export type EmbeddedStore = RunningStore;

/**
 * Opens the embedded store in `dir` (created when missing, one owner at a time) and serves the MongoDB wire protocol on a socket in it.
 * Give `uri` to mongoose or the driver.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  return runStore(options, options.log ?? (() => undefined));
}
