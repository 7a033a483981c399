import { createCache } from '../cache';
import type { Problem } from '../errors/errors';
import { changeBetween, firstMomentOf, isTimeZone, offsetAt } from './time-zone';
import { CronPattern } from './cron-pattern';

const SECOND_MS = 1_000;

/**
 * The first moment after another one at which a cron expression is due in a time zone, ms since
 * 1970; null if there is none.
 * When clocks go forward, a named hour that is skipped is due once, when the gap is over; when they
 * go back, a named hour that occurs twice is due the first time. An expression for every hour
 * follows the hours that elapse: skipped ones are left out, repeated ones are due twice.
 */
function nextInZone(pattern: CronPattern, timeZone: string, after: number): number | null {
  return pattern.isEveryHour
    ? nextElapsing(pattern, timeZone, after)
    : nextNamed(pattern, timeZone, after);
}

function nextElapsing(pattern: CronPattern, timeZone: string, after: number): number | null {
  let [since, offset] = [after, offsetAt(timeZone, after)];
  for (let from = after + offset; ; from = since + offset - SECOND_MS) {
    const wall = pattern.next(from);
    if (wall === null) return null;
    const moment = wall - offset;
    if (offsetAt(timeZone, moment) === offset) return moment;
    // The offset changes before that moment: continue from the change.
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
    // This wall clock time occurs for the second time: continue after the repeated period.
    const offset = wall - moment;
    from = changeBetween(timeZone, moment, after) + offset - SECOND_MS;
  }
}

/**
 * The expression that released versions store for a schedule that never fires by itself, and the
 * one used here.
 */
const RELEASED_NEVER = '59 59 23 31 12 ? 2123';
export const NEVER_CRON = '';

/** Maximum characters. */
export const CRON_LENGTH = 255;
/** Number of next due times that are shown. */
const SHOWN_FIRES = 5;

/** A cron expression in a time zone, with cached due times. */
interface Compiled {
  readonly pattern: CronPattern;
  /** The first due times after a moment, as far as computed. */
  computed: { readonly after: number; readonly fires: number[] };
  /** Whether there are no later due times. */
  isOver: boolean;
}

const compiled = createCache<Compiled>('cronExpressions');

function compile(cron: string, timeZone: string): Compiled {
  const key = `${timeZone} ${cron}`;
  const entry = compiled.get(key) ?? {
    pattern: new CronPattern(cron),
    computed: { after: Infinity, fires: [] },
    isOver: false,
  };
  compiled.set(key, entry);
  return entry;
}

/** Normalises an expression for storage: single spaces between fields; empty if it never fires. */
export function tidyCron(cron: string): string {
  const tidy = cron.trim().split(/\s+/).join(' ');
  return tidy === RELEASED_NEVER ? NEVER_CRON : tidy;
}

/** Returns the problems of a cron expression and a time zone. */
export function cronProblems(cron: string | undefined, timeZone: string | undefined): Problem[] {
  const problems: Problem[] = [];
  if (cron !== undefined && tidyCron(cron) !== NEVER_CRON) {
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
      message: 'This is not a time zone of the IANA database, such as Europe/Berlin.',
    });
  }
  return problems;
}

/** Returns a problem if a valid expression has no time after a moment, in a time zone. */
export function neverDueProblems(cron: string, timeZone: string, after: Date): Problem[] {
  const tidy = tidyCron(cron);
  if (tidy === NEVER_CRON || nextFire(tidy, timeZone, after) !== null) return [];
  const message =
    nextFire(tidy, timeZone, new Date(0)) === null
      ? 'No date matches this cron expression, so the schedule would never be due.'
      : 'All times of this cron expression are in the past, so the schedule would never be due.';
  return [{ code: 'CRON_NEVER_DUE', path: ['cron'], message }];
}

/**
 * The next moments at which a schedule is due, earliest first. Expression and time zone must be
 * valid.
 */
export function nextFires(
  cron: string,
  timeZone: string,
  after: Date,
  count = SHOWN_FIRES,
): Date[] {
  if (cron === NEVER_CRON) return [];
  const entry = compile(cron, timeZone);
  const from = after.getTime();
  if (from < entry.computed.after || from >= (entry.computed.fires[0] ?? Infinity))
    Object.assign(entry, { computed: { after: from, fires: [] }, isOver: false });
  const {
    pattern,
    computed: { fires },
  } = entry;
  while (fires.length < count && !entry.isOver) {
    const next = nextInZone(pattern, timeZone, fires.at(-1) ?? from);
    if (next === null) entry.isOver = true;
    else fires.push(next);
  }
  return fires.slice(0, count).map((moment) => new Date(moment));
}

/** The first of them; null if it is never due again. */
export const nextFire = (cron: string, timeZone: string, after: Date): Date | null =>
  nextFires(cron, timeZone, after, 1)[0] ?? null;
