import { changeBetween, firstMomentOf, offsetAt } from '../../platform/clock/time-zone';
import type { CronPattern } from './cron-pattern';

const SECOND_MS = 1_000;

/**
 * The first moment after another one that a cron expression means in a time zone, ms since 1970; null: none.
 *
 * Where the clock is put forward, an hour that is named and left out is due when it is over, once; where it is put back, an hour that is named
 * and comes twice is due the first time. An expression for every hour follows the hours that pass: nothing is made up for, and what comes twice
 * is due twice.
 */
export function nextInZone(pattern: CronPattern, timeZone: string, after: number): number | null {
  return pattern.isEveryHour ? nextPassing(pattern, timeZone, after) : nextNamed(pattern, timeZone, after);
}

function nextPassing(pattern: CronPattern, timeZone: string, after: number): number | null {
  let [since, offset] = [after, offsetAt(timeZone, after)];
  for (let from = after + offset; ; from = since + offset - SECOND_MS) {
    const wall = pattern.next(from);
    if (wall === null) return null;
    const moment = wall - offset;
    if (offsetAt(timeZone, moment) === offset) return moment;
    // The clock is put forward or back before it comes to that: on from there.
    since = changeBetween(timeZone, since, moment);
    offset = offsetAt(timeZone, since);
  }
}

function nextNamed(pattern: CronPattern, timeZone: string, after: number): number | null {
  for (let from = after + offsetAt(timeZone, after); ;) {
    const wall = pattern.next(from);
    if (wall === null) return null;
    const moment = firstMomentOf(timeZone, wall);
    if (moment > after) return moment;
    // It comes for the second time: on from where the clock has not been yet.
    const offset = wall - moment;
    from = changeBetween(timeZone, moment, after) + offset - SECOND_MS;
  }
}
