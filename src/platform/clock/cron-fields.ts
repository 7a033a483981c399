interface CronField {
  readonly name: string;
  readonly plural: string;
  readonly from: number;
  readonly to: number;
  /** Names of its values, from the first one on. */
  readonly names?: readonly string[];
  /** Letters that may follow a value, or stand alone. */
  readonly marks?: string;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Range of years: a date is searched up to the last of them. */
export const [FIRST_YEAR, LAST_YEAR] = [1970, 2199];

/** In the order of the expression. */
export const CRON_FIELDS: readonly CronField[] = [
  { name: 'second', plural: 'Seconds', from: 0, to: 59 },
  { name: 'minute', plural: 'Minutes', from: 0, to: 59 },
  { name: 'hour', plural: 'Hours', from: 0, to: 23 },
  { name: 'day of month', plural: 'Days of the month', from: 1, to: 31, marks: 'LW' },
  { name: 'month', plural: 'Months', from: 1, to: 12, names: MONTHS },
  { name: 'day of week', plural: 'Days of the week', from: 1, to: 7, names: DAYS, marks: 'L' },
  { name: 'year', plural: 'Years', from: FIRST_YEAR, to: LAST_YEAR },
];

const DAYS_BEFORE_LAST = /^L-(\d+)(W?)$/i;
/** The maximum of `L-`: the first day of a month with 31 days. */
const MAX_DAYS_BEFORE_LAST = 30;
const RANGE = /^([0-9A-Z]+)-([0-9A-Z]+)(?:\/(\d+))?$/i;

/**
 * A day counted back from the end of its month: `L-3`, or the working day nearest to it: `L-3W`.
 */
export interface DayBeforeLast {
  readonly days: number;
  readonly isWorkingDay: boolean;
}

/** Reads a part of the day of month such as `L-3`. Returns null for any other part. */
export function parseDayBeforeLast(part: string): DayBeforeLast | null {
  const match = DAYS_BEFORE_LAST.exec(part);
  return match ? { days: Number(match[1]), isWorkingDay: match[2] !== '' } : null;
}

/** Returns null for a wildcard, undefined for an invalid value. */
function valueOf(
  { from, to, names = [], marks = '' }: CronField,
  written: string,
): number | null | undefined {
  const bare = marks === '' ? written : written.replace(new RegExp(`[${marks}]+$`, 'i'), '');
  if (bare === '' || bare === '*' || bare === '?') return null;
  const value = /^\d+$/.test(bare) ? Number(bare) : names.indexOf(bare.toUpperCase()) + from;
  return value < from || value > to ? undefined : value;
}

/** A range that passes the end of its field, such as the hours `22-2`. */
interface WrappingRange {
  readonly low: number;
  readonly high: number;
  readonly step: number;
}

/** Returns null for a part that is not such a range. */
function parseWrappingRange(field: CronField, part: string): WrappingRange | null {
  const [, first = '', last = '', step = '1'] = RANGE.exec(part) ?? [];
  // A value with a mark, such as 15W, cannot begin or end a range.
  const [low, high] = [first, last].map((value) => valueOf({ ...field, marks: '' }, value));
  return low != null && high != null && low > high ? { low, high, step: Number(step) } : null;
}

/**
 * Writes ranges that pass the end of a field as lists, which the cron library can read: `22-2` as
 * `22,23,0,1,2`.
 */
export function expandWrappingRanges(field: CronField, text: string): string {
  const size = field.to - field.from + 1;
  return text
    .split(',')
    .map((part) => {
      const range = parseWrappingRange(field, part);
      if (range === null) return part;
      const { low, high, step } = range;
      const length = high + size - low;
      if (length === size - 1 && step === 1) return '*';
      return Array.from(
        { length: Math.floor(length / step) + 1 },
        (_, nth) => field.from + ((low - field.from + nth * step) % size),
      ).join(',');
    })
    .join(',');
}

function rangeProblem(field: CronField, part: string): string | null {
  const range = parseWrappingRange(field, part);
  if (range === null) return null;
  if (field.name === 'year') return `The range ${part} goes backwards: years do not repeat.`;
  const size = field.to - field.from + 1;
  return range.step < 1 || range.step > size ? `The step of ${part} must be 1 to ${size}.` : null;
}

/** Checks each value of a field by itself. Returns null if all are valid. */
export function valueProblem(field: CronField, text: string): string | null {
  const { plural, from, to, names, marks = '' } = field;
  const [first, last] = [names?.[0] ?? String(from), names?.at(-1) ?? String(to)];
  for (const part of text.split(',')) {
    const beforeLast = marks.includes('W') ? parseDayBeforeLast(part) : null;
    if (beforeLast !== null) {
      if (beforeLast.days > MAX_DAYS_BEFORE_LAST)
        return `${part} is before the first day of every month: L-${MAX_DAYS_BEFORE_LAST} is the earliest.`;
      continue;
    }
    const range = part.split(/[/#]/)[0] ?? '';
    const written = range.split('-');
    const values = written.map((one) => valueOf(field, one));
    const wrong = written[values.indexOf(undefined)];
    if (wrong !== undefined)
      return `${plural} are ${from} to ${to}${names ? `, or ${first} to ${last}` : ''}: ${wrong} is not valid.`;
    const problem = rangeProblem(field, part);
    if (problem !== null) return problem;
  }
  return null;
}
