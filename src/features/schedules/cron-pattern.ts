import { Cron } from 'croner';
import { CRON_FIELDS, FIRST_YEAR, LAST_YEAR, valueProblem } from './cron-fields';

const FEWEST = 6;
const [HOUR, DAY_OF_MONTH, DAY_OF_WEEK, YEAR] = [2, 3, 5, 6];
const CHARACTERS = /^[0-9A-Za-z*?,\-/#]+$/;
const SATURDAY = '7';
/** Every hour, however it is written. */
const EVERY_HOUR = /^(?:(?:\*|0-23)(?:\/1)?|0\/1)$/;

/** What a library's message of a cron expression is without its own name. */
const plain = (error: unknown): string => (error instanceof Error ? error.message : String(error)).replace(/^Cron(Pattern|Date): */, '');

/** Quartz allows `L` alone for Saturday; years that are open end somewhere. */
const written = (fields: readonly string[]): string => fields.map((field, at) => {
  if (at === DAY_OF_WEEK && field.toUpperCase() === 'L') return SATURDAY;
  return at === YEAR ? field.replace(/\*/g, `${FIRST_YEAR}-${LAST_YEAR}`).replace(/(^|,)(\d+)\//g, `$1$2-${LAST_YEAR}/`) : field;
}).join(' ');

function shapeProblem(fields: readonly string[]): string | null {
  if (fields.length < FEWEST || fields.length > CRON_FIELDS.length) return `A cron expression has six fields, or seven: ${CRON_FIELDS.map(({ name }) => name).join(', ')}. This has ${fields.length}.`;
  for (const [at, field] of fields.entries()) {
    if (!CHARACTERS.test(field)) return `The field ${CRON_FIELDS[at]?.name} holds characters that none has.`;
    const mayBeOpen = at === DAY_OF_MONTH || at === DAY_OF_WEEK;
    if (field.includes('?') && !(mayBeOpen && field === '?')) return 'A ? stands alone, for the day of month or the day of week.';
  }
  const [ofMonth, ofWeek] = [fields[DAY_OF_MONTH] ?? '', fields[DAY_OF_WEEK] ?? ''];
  if (ofMonth === '?' && ofWeek === '?') return 'Of day of month and day of week only one is ?.';
  if (![ofMonth, ofWeek].some((field) => field === '?' || field === '*')) return 'Of day of month and day of week only one says which days; the other one is ?.';
  for (const [at, field] of CRON_FIELDS.entries()) {
    const problem = valueProblem(field, fields[at] ?? '*');
    if (problem !== null) return problem;
  }
  return null;
}

/** A cron expression in the syntax of Quartz, as times of a clock on a wall: which moments they are depends on the zone. */
export class CronPattern {
  /** It follows the hours as they pass, whatever the clock does: `*`. The others name hours, and each day has each of them once. */
  readonly isEveryHour: boolean;
  private readonly walls: Cron;

  /** @throws Error it is none: `problem` tells */
  constructor(cron: string) {
    const fields = cron.split(' ');
    this.isEveryHour = EVERY_HOUR.test(fields[HOUR] ?? '');
    // A time on the wall is counted as if it were UTC.
    this.walls = new Cron(written(fields), { timezone: 'UTC', paused: true, alternativeWeekdays: true, sloppyRanges: true });
  }

  /** What speaks against it, for people; null: nothing. */
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

  /** The first time on the wall after another one, ms; null: none. */
  next(after: number): number | null {
    return this.walls.nextRun(new Date(after))?.getTime() ?? null;
  }
}
