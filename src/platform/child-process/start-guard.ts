import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What the guard is told. */
export interface Guarded {
  readonly parent: number;
  /** Resident memory of the whole process when everything is loaded. */
  readonly atFirstBytes: number;
  /** What a run may take on top of it. */
  readonly memoryBytes: number;
  readonly stallMs: number;
  /** Shared, by the places below. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

/** Whether a run is executed, which is when there is something to see. */
export const STATE = 0;
/** Counted up by the event loop: as long as it changes, the run comes back. */
export const BEATS = 1;
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
 * Starts the thread that watches over this process from outside of its event loop; resolves when it watches. Called when everything is loaded.
 */
export async function startGuard({
  memoryBytes,
  stallMs,
}: Pick<Guarded, 'memoryBytes' | 'stallMs'>): Promise<Guard> {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
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
  // Nobody is left unwatched.
  guard.once('exit', () => process.exit(1));
  guard.unref();
  const set = (value: number): void => {
    Atomics.store(state, STATE, value);
    Atomics.notify(state, STATE);
  };
  return {
    busy: () => set(BUSY),
    beat: () => void Atomics.add(state, BEATS, 1),
    idle: () => set(IDLE),
  };
}
