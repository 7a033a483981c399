import { BadInput, Refused } from '../../platform/errors/errors';
import type { PublishedRunEvent } from './run.events';
import type { RunRecord } from './run.model';

/** @throws BadInput no sequence that somebody can have seen */
export function requireSequence(afterSequence: number): void {
  if (Number.isInteger(afterSequence) && afterSequence >= 0) return;
  throw new BadInput('BAD_REQUEST', '`afterSequence` is 0 or more: the last sequence that was seen.', { path: ['afterSequence'] });
}

/**
 * Events that are read after a sequence begin with the next one; none are there only when the run has none after it, or has not ended.
 * Otherwise some in between are no longer kept: RUN_LOG_GONE. The run must have been read before its events: when it has ended by then, all of
 * them are stored.
 */
export function gapIn({ _id, lastSequence }: Pick<RunRecord, '_id' | 'lastSequence'>, after: number, [first]: readonly PublishedRunEvent[]): Refused | null {
  const isGapless = first ? first.sequence === after + 1 : lastSequence === null || lastSequence <= after;
  return isGapless ? null : new Refused('RUN_LOG_GONE', `The events of run ${_id} are no longer kept.`);
}
