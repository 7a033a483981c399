import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { OUT_OF_MEMORY, STALLED } from './last-words';
import { BEATS, BUSY, STATE } from './start-guard';
import type { Guarded } from './start-guard';

/** How much a run can take between two looks is bounded by what a processor can write in that time. */
const LOOK_MS = 50;
/** Nothing grows while there is no run. */
const IDLE_MS = 1_000;
/** A process that others keep from the processor does not stall: it must have worked for this part of the time. */
const WORKED = 1 / 2;
/** Of the memory of a run: with less left, a heap collects garbage over and over before it gives up. */
const NEARLY_FULL = 3 / 4;
const { parent, atFirstBytes, memoryBytes, stallMs, state } = workerData as Guarded;

/** The last time the event loop was seen to turn. */
let seen = { beats: -1, at: 0, worked: 0 };

/**
 * A thread goes on when the code of a run does not come back, so it sees what that would hide: the run holds the process, the service is gone,
 * or memory outside of the heap, which no limit of V8 counts, grows. The kernel could tell of the service by a signal (`PR_SET_PDEATHSIG`), but
 * Node cannot ask for it, and not on every system; of a pipe that closes with the service, nobody here would hear.
 */
function look(isBusy: boolean): void {
  const taken = process.memoryUsage.rss() - atFirstBytes;
  if (taken > memoryBytes) end(OUT_OF_MEMORY);
  if (isBusy && isStalled()) end(taken > memoryBytes * NEARLY_FULL ? OUT_OF_MEMORY : STALLED);
  if (isServiceGone()) end('The service is gone.');
}

function isStalled(): boolean {
  const [beats, at, worked] = [Atomics.load(state, BEATS), performance.now(), workedMs()];
  if (beats !== seen.beats) seen = { beats, at, worked };
  return at - seen.at > stallMs && worked - seen.worked > stallMs * WORKED;
}

/** Processor time of the whole process, ms. */
function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
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

/** `process.exit` would wait for the code that does not come back. Nobody may be left to read why. */
function end(reason: string): void {
  try {
    writeSync(2, `${reason}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}

for (;;) {
  const now = Atomics.load(state, STATE);
  look(now === BUSY);
  Atomics.wait(state, STATE, now, now === BUSY ? LOOK_MS : IDLE_MS);
}
