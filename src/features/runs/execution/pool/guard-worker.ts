import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { OUT_OF_MEMORY } from './messages';
import { BUSY } from './start-guard';
import type { Guarded } from './start-guard';

/** How much a run can take between two looks is bounded by what a processor can write in that time. */
const LOOK_MS = 50;
/** Nothing grows while there is no run. */
const IDLE_MS = 1_000;
const { parent, mostBytes, state } = workerData as Guarded;

/**
 * A thread goes on when the code of a run does not come back, so it sees what that would hide: the service is gone, or memory outside of the
 * heap, which no limit of V8 counts, grows. The kernel could tell the first by a signal (`PR_SET_PDEATHSIG`), but Node cannot ask for it, and
 * not on every system; of a pipe that closes with the service, nobody here would hear.
 */
function look(): void {
  if (process.memoryUsage.rss() > mostBytes) {
    writeSync(2, `${OUT_OF_MEMORY}\n`);
    end();
  } else if (isServiceGone()) end();
}

/** A child whose parent has died is given another one, but on Windows. */
function isServiceGone(): boolean {
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** `process.exit` would wait for the code that does not come back. */
const end = (): void => void process.kill(process.pid, 'SIGKILL');

for (;;) {
  look();
  const now = Atomics.load(state, 0);
  Atomics.wait(state, 0, now, now === BUSY ? LOOK_MS : IDLE_MS);
}
