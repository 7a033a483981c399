import { Cron } from 'croner';
import {
  LAST_YEAR,
  CRON_FIELDS,
  expandWrappingRanges,
  FIRST_YEAR,
  parseDayBeforeLast,
  valueProblem,
} from './cron-fields';
import type { DayBeforeLast } from './cron-fields';

const DAY_MS = 24 * 60 * 60 * 1000;
const SHORTEST_MONTH = 28;
const LONGEST_MONTH = 31;
/** The nearest working day is at most two days away. */
const MAX_SHIFT = 2;
const [SATURDAY, SUNDAY] = [6, 0];

function countDaysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** Returns the nearest working day of the same month, as Quartz chooses it for `W`. */
function nearestWorkingDay(date: Date, day: number, daysOfMonth: number): number {
  const weekday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day)).getUTCDay();
  if (weekday === SATURDAY) return day === 1 ? day + MAX_SHIFT : day - 1;
  if (weekday === SUNDAY) return day === daysOfMonth ? day - MAX_SHIFT : day + 1;
  return day;
}

/**
 * Times on days that are counted back from the end of a month, which the cron library cannot read.
 * A month that is too short for the count has no such day.
 */
class DaysBeforeLast {
  /** All days that can match in any month. */
  private readonly candidates: Cron;

  /** @param createCron creates the pattern of the expression with this day of month */
  constructor(
    private readonly target: DayBeforeLast,
    createCron: (dayOfMonth: string) => Cron,
  ) {
    const { days, isWorkingDay } = target;
    const shift = isWorkingDay ? MAX_SHIFT : 0;
    const first = Math.max(1, SHORTEST_MONTH - days - shift);
    this.candidates = createCron(
      `${first}-${Math.min(LONGEST_MONTH, LONGEST_MONTH - days + shift)}`,
    );
  }

  /** The first such time after another one; null if there is none. */
  nextRun(after: Date): Date | null {
    // The library itself would search thousands of years.
    for (
      let date = this.candidates.nextRun(after);
      date !== null && date.getUTCFullYear() <= LAST_YEAR;
      date = this.candidates.nextRun(lastMomentOf(date))
    ) {
      if (this.isMatch(date)) return date;
    }
    return null;
  }

  private isMatch(date: Date): boolean {
    const daysOfMonth = countDaysOfMonth(date);
    const day = daysOfMonth - this.target.days;
    if (day < 1) return false;
    return (
      date.getUTCDate() ===
      (this.target.isWorkingDay ? nearestWorkingDay(date, day, daysOfMonth) : day)
    );
  }
}

const lastMomentOf = (date: Date): Date =>
  new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS + DAY_MS - 1);

const MIN_FIELDS = 6;
const [HOUR, DAY_OF_MONTH, DAY_OF_WEEK, YEAR] = [2, 3, 5, 6];
const CHARACTERS = /^[0-9A-Za-z*?,\-/#]+$/;
const SATURDAY_FIELD = '7';
/** Every hour, in all notations. */
const EVERY_HOUR = /^(?:(?:\*|0-23)(?:\/1)?|0\/1)$/;

/** The error message of the library without its prefix. */
const plain = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^Cron(Pattern|Date): */, '');

/**
 * Rewrites what the library does not support: `L` alone for Saturday, ranges that pass the end of
 * their field, and years without an end.
 */
const rewrite = (fields: readonly string[]): string[] =>
  fields.map((field, at) => {
    if (at === DAY_OF_WEEK && field.toUpperCase() === 'L') return SATURDAY_FIELD;
    if (at === YEAR)
      return field
        .replace(/\*/g, `${FIRST_YEAR}-${LAST_YEAR}`)
        .replace(/(^|,)(\d+)\//g, `$1$2-${LAST_YEAR}/`);
    const definition = CRON_FIELDS[at];
    return definition ? expandWrappingRanges(definition, field) : field;
  });

/** Treats wall clock times as UTC. */
const createCron = (fields: readonly string[]): Cron =>
  new Cron(fields.join(' '), {
    timezone: 'UTC',
    paused: true,
    alternativeWeekdays: true,
    sloppyRanges: true,
  });

/** A pattern for each day counted from the end of a month, and one for all other days. */
function createPatterns(fields: readonly string[]): (Cron | DaysBeforeLast)[] {
  const parts = (fields[DAY_OF_MONTH] ?? '').split(',');
  const createForDays = (dayOfMonth: string): Cron =>
    createCron(fields.with(DAY_OF_MONTH, dayOfMonth));
  const fromEnd = parts.flatMap((part) => parseDayBeforeLast(part) ?? []);
  const others = parts.filter((part) => parseDayBeforeLast(part) === null);
  return [
    ...(others.length > 0 ? [createForDays(others.join(','))] : []),
    ...fromEnd.map((day) => new DaysBeforeLast(day, createForDays)),
  ];
}

function shapeProblem(fields: readonly string[]): string | null {
  if (fields.length < MIN_FIELDS || fields.length > CRON_FIELDS.length)
    return `A cron expression has six or seven fields: ${CRON_FIELDS.map(({ name }) => name).join(', ')}. This has ${fields.length}.`;
  for (const [at, field] of fields.entries()) {
    if (!CHARACTERS.test(field))
      return `The field ${CRON_FIELDS[at]?.name} contains characters that are not allowed.`;
    const mayBeOpen = at === DAY_OF_MONTH || at === DAY_OF_WEEK;
    if (field.includes('?') && !(mayBeOpen && field === '?'))
      return 'A ? must stand alone, and only for the day of month or the day of week.';
  }
  const [ofMonth, ofWeek] = [fields[DAY_OF_MONTH] ?? '', fields[DAY_OF_WEEK] ?? ''];
  if (ofMonth === '?' && ofWeek === '?')
    return 'Only one of day of month and day of week can be ?.';
  if (![ofMonth, ofWeek].some((field) => field === '?' || field === '*'))
    return 'Only one of day of month and day of week can select days; the other one must be ?.';
  for (const [at, field] of CRON_FIELDS.entries()) {
    const problem = valueProblem(field, fields[at] ?? '*');
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * A cron expression in Quartz syntax, for wall clock times: the time zone decides which moments
 * they are.
 */
export class CronPattern {
  /**
   * Whether the hour field means every hour: it follows the hours that elapse. Other expressions
   * name hours, each of which occurs once a day.
   */
  readonly isEveryHour: boolean;
  private readonly patterns: readonly { nextRun: (after: Date) => Date | null }[];

  /** @throws Error if the library cannot read it: see `problem` */
  constructor(cron: string) {
    const fields = rewrite(cron.split(' '));
    this.isEveryHour = EVERY_HOUR.test(fields[HOUR] ?? '');
    this.patterns = createPatterns(fields);
  }

  /** Returns what is wrong with the syntax of an expression, or null. */
  static problem(cron: string): string | null {
    const problem = shapeProblem(cron.split(' '));
    if (problem !== null) return problem;
    try {
      new CronPattern(cron).next(0);
      return null;
    } catch (error) {
      return plain(error);
    }
  }

  /** The first wall clock time after another one, ms; null if there is none. */
  next(after: number): number | null {
    const times = this.patterns.flatMap(
      (pattern) => pattern.nextRun(new Date(after))?.getTime() ?? [],
    );
    return times.length === 0 ? null : Math.min(...times);
  }
}
