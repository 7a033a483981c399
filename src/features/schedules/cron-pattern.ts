import { Cron } from 'croner';
import {
  CRON_FIELDS,
  expandWrappingRanges,
  FIRST_YEAR,
  LAST_YEAR,
  parseDayBeforeLast,
  valueProblem,
} from './cron-fields';
import { DaysBeforeLast } from './days-before-last';

const FEWEST = 6;
const [HOUR, DAY_OF_MONTH, DAY_OF_WEEK, YEAR] = [2, 3, 5, 6];
const CHARACTERS = /^[0-9A-Za-z*?,\-/#]+$/;
const SATURDAY = '7';
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
    if (at === DAY_OF_WEEK && field.toUpperCase() === 'L') return SATURDAY;
    if (at === YEAR)
      return field
        .replace(/\*/g, `${FIRST_YEAR}-${LAST_YEAR}`)
        .replace(/(^|,)(\d+)\//g, `$1$2-${LAST_YEAR}/`);
    const known = CRON_FIELDS[at];
    return known ? expandWrappingRanges(known, field) : field;
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
  if (fields.length < FEWEST || fields.length > CRON_FIELDS.length)
    return `A cron expression has six fields, or seven: ${CRON_FIELDS.map(({ name }) => name).join(', ')}. This has ${fields.length}.`;
  for (const [at, field] of fields.entries()) {
    if (!CHARACTERS.test(field))
      return `The field ${CRON_FIELDS[at]?.name} holds characters that none has.`;
    const mayBeOpen = at === DAY_OF_MONTH || at === DAY_OF_WEEK;
    if (field.includes('?') && !(mayBeOpen && field === '?'))
      return 'A ? stands alone, for the day of month or the day of week.';
  }
  const [ofMonth, ofWeek] = [fields[DAY_OF_MONTH] ?? '', fields[DAY_OF_WEEK] ?? ''];
  if (ofMonth === '?' && ofWeek === '?') return 'Of day of month and day of week only one is ?.';
  if (![ofMonth, ofWeek].some((field) => field === '?' || field === '*'))
    return 'Of day of month and day of week only one says which days; the other one is ?.';
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
