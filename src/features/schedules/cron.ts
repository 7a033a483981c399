import { LRUCache } from 'lru-cache';
import type { Problem } from '../../platform/errors/errors';
import { changeBetween, firstMomentOf, isTimeZone, offsetAt } from '../../platform/clock/time-zone';
import { CronPattern } from './cron-pattern';

const SECOND_MS = 1_000;

/**
 * The first moment after another one that a cron expression means in a time zone, ms since 1970; null: none.
 *
 * Where the clock is put forward, an hour that is named and left out is due when it is over, once; where it is put back, an hour that is named
 * and comes twice is due the first time. An expression for every hour follows the hours that pass: nothing is made up for, and what comes twice
 * is due twice.
 */
function nextInZone(pattern: CronPattern, timeZone: string, after: number): number | null {
  return pattern.isEveryHour
    ? nextPassing(pattern, timeZone, after)
    : nextNamed(pattern, timeZone, after);
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

/** What the released lines stored for a schedule that never fires by itself, and what it is here. */
const RELEASED_NEVER = '59 59 23 31 12 ? 2123';
export const NEVER = '';

/** Characters. */
export const CRON_LENGTH = 255;
/** How many of the next fires are shown. */
export const SHOWN_FIRES = 5;
const KEPT = 2_000;

/** A cron expression in a time zone, and what was last found out of it. */
interface Compiled {
  readonly pattern: CronPattern;
  /** After this moment these are the next, as far as somebody asked, and nothing is before the first of them. */
  known: { readonly after: number; readonly fires: number[] };
  /** No more come after those. */
  isOver: boolean;
}

const compiled = new LRUCache<string, Compiled>({ max: KEPT });

function compile(cron: string, timeZone: string): Compiled {
  const key = `${timeZone} ${cron}`;
  const found = compiled.get(key) ?? {
    pattern: new CronPattern(cron),
    known: { after: Infinity, fires: [] },
    isOver: false,
  };
  compiled.set(key, found);
  return found;
}

/** As it is stored: one blank between two fields; empty for one that never fires. */
export function tidyCron(cron: string): string {
  const tidy = cron.trim().split(/\s+/).join(' ');
  return tidy === RELEASED_NEVER ? NEVER : tidy;
}

/** What speaks against a cron expression and a time zone. */
export function cronProblems(cron: string | undefined, timeZone: string | undefined): Problem[] {
  const problems: Problem[] = [];
  if (cron !== undefined && tidyCron(cron) !== NEVER) {
    const message =
      cron.length > CRON_LENGTH
        ? `A cron expression has at most ${CRON_LENGTH} characters.`
        : CronPattern.problem(tidyCron(cron));
    if (message !== null) problems.push({ code: 'CRON_INVALID', path: ['cron'], message });
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    problems.push({
      code: 'TIME_ZONE_INVALID',
      path: ['timeZone'],
      message: 'This is no time zone of the IANA database, such as Europe/Berlin.',
    });
  }
  return problems;
}

/** Returns a problem if an expression has no time left after a moment, in a time zone; both are valid. */
export function neverDueProblems(cron: string, timeZone: string, after: Date): Problem[] {
  const tidy = tidyCron(cron);
  if (tidy === NEVER || nextFire(tidy, timeZone, after) !== null) return [];
  const message =
    nextFire(tidy, timeZone, new Date(0)) === null
      ? 'No date matches this cron expression, so the schedule would never be due.'
      : 'All times of this cron expression are in the past, so the schedule would never be due.';
  return [{ code: 'CRON_NEVER_DUE', path: ['cron'], message }];
}

/** The next moments after another one at which a schedule is due, the first ones first. Expression and zone are sound. */
export function nextFires(
  cron: string,
  timeZone: string,
  after: Date,
  count = SHOWN_FIRES,
): Date[] {
  if (cron === NEVER) return [];
  const entry = compile(cron, timeZone);
  const from = after.getTime();
  if (from < entry.known.after || from >= (entry.known.fires[0] ?? Infinity))
    Object.assign(entry, { known: { after: from, fires: [] }, isOver: false });
  const {
    pattern,
    known: { fires },
  } = entry;
  while (fires.length < count && !entry.isOver) {
    const next = nextInZone(pattern, timeZone, fires.at(-1) ?? from);
    if (next === null) entry.isOver = true;
    else fires.push(next);
  }
  return fires.slice(0, count).map((moment) => new Date(moment));
}

/** The first of them; null: never again. */
export const nextFire = (cron: string, timeZone: string, after: Date): Date | null =>
  nextFires(cron, timeZone, after, 1)[0] ?? null;
