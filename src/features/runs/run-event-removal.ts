import { setTimeout as pause } from 'node:timers/promises';
import type { RunEventLog } from './run-event-log';

/** Of one write: others wait no longer for it than for any other. */
export const EVENTS_AT_ONCE = 500;
/** Between two writes, for whatever else the store has to do. */
export const PAUSE_MS = 20;

/**
 * Removes the events of a run up to a sequence, a piece at a time, from its beginning: who reads on meanwhile is told that it is gone.
 * False: it was stopped before.
 */
export async function removeInPieces(
  log: Pick<RunEventLog, 'removeUpTo'>,
  runId: number,
  last: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (let upTo = 0; upTo < last;) {
    if (signal?.aborted) return false;
    upTo = Math.min(upTo + EVENTS_AT_ONCE, last);
    if ((await log.removeUpTo(runId, upTo)) > 0) await pause(PAUSE_MS);
  }
  return true;
}
