import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Parameters of the guard thread. */
export interface Guarded {
  /** Process id of the service. */
  readonly parent: number;
  /** Resident memory of the whole process when everything is loaded. */
  readonly atFirstBytes: number;
  /** Memory that a run may use in addition. */
  readonly memoryBytes: number;
  readonly stallMs: number;
  /** Shared memory: `STATE`, `BEATS` and `SLEEPING`. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

/** Index in `state`: whether a run is in progress. */
export const STATE = 0;
/** Index in `state`: counter incremented by the event loop; if it stops, the process is blocked. */
export const BEATS = 1;
/** Index in `state`: whether the guard has to be woken to see that a run is in progress. */
export const SLEEPING = 2;
export const BUSY = 1;
const IDLE = 0;
/** The guard itself needs little. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

export interface Guard {
  busy(): void;
  beat(): void;
  idle(): void;
}

/**
 * Starts the guard thread, which monitors this process independently of its event loop; resolves
 * when it runs. Call when everything is loaded, since the current memory is the baseline.
 */
export async function startGuard({
  memoryBytes,
  stallMs,
}: Pick<Guarded, 'memoryBytes' | 'stallMs'>): Promise<Guard> {
  const state = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const workerData: Guarded = {
    parent: process.ppid,
    atFirstBytes: process.memoryUsage.rss(),
    memoryBytes,
    stallMs,
    state,
  };
  const guard = new Worker(join(__dirname, 'guard-worker.js'), {
    workerData,
    env: {},
    execArgv: [],
    resourceLimits: RESOURCES,
  });
  await new Promise<void>((resolve, reject) => guard.once('online', resolve).once('error', reject));
  guard.removeAllListeners('error');
  // The process must not run without the guard.
  guard.once('exit', () => process.exit(1));
  guard.unref();
  const set = (value: number): void => {
    Atomics.store(state, STATE, value);
    if (Atomics.load(state, SLEEPING) === 1) Atomics.notify(state, STATE);
  };
  return {
    busy: () => set(BUSY),
    beat: () => void Atomics.add(state, BEATS, 1),
    idle: () => set(IDLE),
  };
}
