import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What the guard is told. */
export interface Guarded {
  readonly parent: number;
  /** Resident memory of the whole process beyond which it ends. */
  readonly mostBytes: number;
  /** Shared: one place, `BUSY` or not. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

export const BUSY = 1;
const IDLE = 0;
/** The guard itself needs little. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/** Told whether a run is executed, which is when there is something to see. */
export type Guard = (isBusy: boolean) => void;

/**
 * Starts the thread that watches over this process from outside of its event loop; resolves when it watches. `memoryBytes` may be taken on
 * top of what is resident now, when everything is loaded.
 */
export async function startGuard(memoryBytes: number): Promise<Guard> {
  preferUs();
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: Guarded = { parent: process.ppid, mostBytes: process.memoryUsage.rss() + memoryBytes, state };
  const guard = new Worker(join(__dirname, 'guard-worker.js'), { workerData, env: {}, execArgv: [], resourceLimits: RESOURCES });
  await new Promise<void>((resolve, reject) => guard.once('online', resolve).once('error', reject));
  guard.removeAllListeners('error');
  // Nobody is left unwatched.
  guard.once('exit', () => process.exit(1));
  guard.unref();
  return (isBusy) => {
    Atomics.store(state, 0, isBusy ? BUSY : IDLE);
    Atomics.notify(state, 0);
  };
}

/** When the machine itself runs out of memory, Linux takes a child and not the service. */
function preferUs(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Elsewhere there is no such choice.
  }
}
