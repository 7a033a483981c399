import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What the guard is told. */
export interface GuardedBy {
  readonly parent: number;
  /** Resident memory of the whole process beyond which it ends. */
  readonly mostBytes: number;
}

/** The guard itself needs little. */
const RESOURCES = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/**
 * Starts the thread that watches over this process from outside of its event loop; resolves when it watches. `memoryBytes` may be taken on
 * top of what is resident now, when everything is loaded.
 */
export async function startGuard(memoryBytes: number): Promise<void> {
  preferUs();
  const workerData: GuardedBy = { parent: process.ppid, mostBytes: process.memoryUsage.rss() + memoryBytes };
  const guard = new Worker(join(__dirname, 'guard-worker.js'), { workerData, env: {}, execArgv: [], resourceLimits: RESOURCES });
  await new Promise<void>((resolve, reject) => guard.once('online', resolve).once('error', reject));
  guard.removeAllListeners('error');
  // Nobody is left unwatched.
  guard.once('exit', () => process.exit(1));
  guard.unref();
}

/** When the machine itself runs out of memory, Linux takes a child and not the service. */
function preferUs(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Elsewhere there is no such choice.
  }
}
