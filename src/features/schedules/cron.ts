import { LRUCache } from 'lru-cache';
import type { Problem } from '../../platform/errors/errors';
import { isTimeZone } from '../../platform/clock/time-zone';
import { CronPattern } from './cron-pattern';
import { nextInZone } from './cron-zone';

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
  const found = compiled.get(key) ?? { pattern: new CronPattern(cron), known: { after: Infinity, fires: [] }, isOver: false };
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
    const message = cron.length > CRON_LENGTH ? `A cron expression has at most ${CRON_LENGTH} characters.` : CronPattern.problem(tidyCron(cron));
    if (message !== null) problems.push({ code: 'CRON_INVALID', path: ['cron'], message });
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    problems.push({ code: 'TIME_ZONE_INVALID', path: ['timeZone'], message: 'This is no time zone of the IANA database, such as Europe/Berlin.' });
  }
  return problems;
}

/** Returns a problem if an expression has no time left after a moment, in a time zone; both are valid. */
export function neverDueProblems(cron: string, timeZone: string, after: Date): Problem[] {
  const tidy = tidyCron(cron);
  if (tidy === NEVER || nextFire(tidy, timeZone, after) !== null) return [];
  const message = nextFire(tidy, timeZone, new Date(0)) === null
    ? 'No date matches this cron expression, so the schedule would never be due.'
    : 'All times of this cron expression are in the past, so the schedule would never be due.';
  return [{ code: 'CRON_NEVER_DUE', path: ['cron'], message }];
}

/** The next moments after another one at which a schedule is due, the first ones first. Expression and zone are sound. */
export function nextFires(cron: string, timeZone: string, after: Date, count = SHOWN_FIRES): Date[] {
  if (cron === NEVER) return [];
  const entry = compile(cron, timeZone);
  const from = after.getTime();
  if (from < entry.known.after || from >= (entry.known.fires[0] ?? Infinity)) Object.assign(entry, { known: { after: from, fires: [] }, isOver: false });
  const { pattern, known: { fires } } = entry;
  while (fires.length < count && !entry.isOver) {
    const next = nextInZone(pattern, timeZone, fires.at(-1) ?? from);
    if (next === null) entry.isOver = true;
    else fires.push(next);
  }
  return fires.slice(0, count).map((moment) => new Date(moment));
}

/** The first of them; null: never again. */
export const nextFire = (cron: string, timeZone: string, after: Date): Date | null => nextFires(cron, timeZone, after, 1)[0] ?? null;
