import { setTimeout as pause } from 'node:timers/promises';
import type { RunEventLog } from './run-event-log';

/** Events removed per write, so that other writes are not delayed. */
export const EVENTS_AT_ONCE = 500;
/** Pause between two writes, for other work of the store, ms. */
export const PAUSE_MS = 20;

/**
 * Removes the events of a run up to a sequence in pieces, from the beginning: concurrent readers
 * get RUN_LOG_GONE. Returns false if it was aborted.
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
