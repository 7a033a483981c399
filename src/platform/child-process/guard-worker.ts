import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { OUT_OF_MEMORY, STALLED } from './last-words';
import { BEATS, BUSY, SLEEPING, STATE } from './start-guard';
import type { Guarded } from './start-guard';

/** Poll interval while busy. Bounds how much memory a run can allocate between two checks. */
const LOOK_MS = 50;
/** Poll interval while idle: memory does not grow without a run. */
const IDLE_MS = 1_000;
/**
 * Polls after which an idle guard sleeps and must be woken for the next run: waking it for each of
 * many short runs would take longer than they do.
 */
const AWAKE_LOOKS = 20;
/**
 * A process that gets no CPU time is not stalled: it counts as stalled only if it used this share
 * of the time.
 */
const WORKED = 1 / 2;
/**
 * Share of the memory limit of a run. A run that stalls above it is reported as out of memory: V8
 * spends its time in garbage collection before it gives up.
 */
const NEARLY_FULL = 3 / 4;
const { parent, atFirstBytes, memoryBytes, stallMs, state } = workerData as Guarded;

/** Last observed progress of the event loop. */
let seen = { beats: -1, at: 0, worked: 0 };

/**
 * Runs in a thread, so it works even if the run blocks the event loop. Detects that the run blocks
 * the process, that the service is gone, and that memory outside of the V8 heap grows. Polling is
 * used because Node cannot set `PR_SET_PDEATHSIG`, and a blocked event loop does not see a pipe
 * close.
 */
function look(isBusy: boolean): void {
  const usedBytes = process.memoryUsage.rss() - atFirstBytes;
  if (usedBytes > memoryBytes) end(OUT_OF_MEMORY);
  if (isBusy && isStalled()) end(usedBytes > memoryBytes * NEARLY_FULL ? OUT_OF_MEMORY : STALLED);
  if (isServiceGone()) end('The service is gone.');
}

function isStalled(): boolean {
  const [beats, at, worked] = [Atomics.load(state, BEATS), performance.now(), workedMs()];
  if (beats !== seen.beats) seen = { beats, at, worked };
  return at - seen.at > stallMs && worked - seen.worked > stallMs * WORKED;
}

/** CPU time of the whole process, ms. */
function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** An orphaned process gets another parent, except on Windows. */
function isServiceGone(): boolean {
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Uses SIGKILL because `process.exit` would wait for the blocked code. The write may fail if the
 * service is gone.
 */
function end(reason: string): void {
  try {
    writeSync(2, `${reason}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

let idleLooks = AWAKE_LOOKS;
for (;;) {
  const now = Atomics.load(state, STATE);
  idleLooks = now === BUSY ? 0 : idleLooks + 1;
  const isSleeping = idleLooks > AWAKE_LOOKS;
  if (now === BUSY || isSleeping) look(now === BUSY);
  Atomics.store(state, SLEEPING, Number(isSleeping));
  Atomics.wait(state, STATE, now, isSleeping ? IDLE_MS : LOOK_MS);
}
