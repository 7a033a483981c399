/** What a field of a cron expression may hold. */
export interface CronField {
  readonly name: string;
  readonly plural: string;
  readonly from: number;
  readonly to: number;
  /** Of its values, from the first one on. */
  readonly names?: readonly string[];
  /** Letters that may stand behind a value, or alone. */
  readonly marks?: string;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Years that are open end somewhere: what never comes is looked for up to the last of them. */
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

/** Null: it stands for others. Undefined: the field has no such value. */
function valueOf({ from, to, names = [], marks = '' }: CronField, written: string): number | null | undefined {
  const bare = marks === '' ? written : written.replace(new RegExp(`[${marks}]+$`, 'i'), '');
  if (bare === '' || bare === '*' || bare === '?') return null;
  const value = /^\d+$/.test(bare) ? Number(bare) : names.indexOf(bare.toUpperCase()) + from;
  return value < from || value > to ? undefined : value;
}

/** What speaks against the values of a field, as far as each can be judged for itself; null: nothing. */
export function valueProblem(field: CronField, text: string): string | null {
  const { plural, from, to, names } = field;
  const [first, last] = [names?.[0] ?? String(from), names?.at(-1) ?? String(to)];
  for (const part of text.split(',')) {
    const range = part.split(/[/#]/)[0] ?? '';
    const written = range.split('-');
    const values = written.map((one) => valueOf(field, one));
    const wrong = written[values.indexOf(undefined)];
    if (wrong !== undefined) return `${plural} are ${from} to ${to}${names ? `, or ${first} to ${last}` : ''}: ${wrong} is none.`;
    const [low, high] = values;
    if (low != null && high != null && low > high) return `The range ${range} goes backwards. Write it as two: ${written[0]}-${last},${first}-${written[1]}.`;
  }
  return null;
}
