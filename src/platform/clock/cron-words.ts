import { CRON_FIELDS } from './cron-fields';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const [MONTH, DAY_OF_WEEK, YEAR] = [4, 5, 6];
/** Times of day that are listed one by one. */
const MAX_TIMES = 6;

const isOpen = (field: string): boolean => field === '*' || field === '?';

/** Describes a valid cron expression in English; one without simple words is quoted. */
export function cronWords(cron: string): string {
  if (cron === '') return 'Only on demand';
  const fields = cron.toUpperCase().split(' ');
  const [second = '', minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = fields;
  const time = timeWords(second, minute, hour);
  const day = dayWords(dayOfMonth, month, dayOfWeek);
  const year = yearWords(fields[YEAR] ?? '*');
  if (time === null || day === null || year === null) return `By the cron expression ${cron}`;
  const days = day === '' && time.startsWith('At ') ? 'every day' : day;
  return [time, days, year].filter((part) => part !== '').join(' ');
}

function timeWords(second: string, minute: string, hour: string): string | null {
  const everyHour = stepOf(hour, 24);
  if (minute === '*' && everyHour === 1) {
    const seconds = stepOf(second, 60);
    if (seconds !== null) return every(seconds, 'second');
  }
  const [seconds, minutes, hours] = [numbersOf(second), numbersOf(minute), numbersOf(hour)];
  if (seconds?.length !== 1) return null;
  const [exact = 0] = seconds;
  const timeOf = (ofHour: number, ofMinute: number): string =>
    [ofHour, ofMinute, ...(exact === 0 ? [] : [exact])]
      .map((part) => String(part).padStart(2, '0'))
      .join(':');
  if (minutes !== null && hours !== null && minutes.length * hours.length <= MAX_TIMES)
    return `At ${listed(hours.flatMap((one) => minutes.map((other) => timeOf(one, other))))}`;
  const everyMinute = stepOf(minute, 60);
  const range = /^(\d+)-(\d+)$/.exec(hour);
  if (exact === 0 && everyMinute !== null) {
    if (everyHour === 1) return every(everyMinute, 'minute');
    if (range === null) return null;
    return `${every(everyMinute, 'minute')} between ${timeOf(Number(range[1]), 0)} and ${timeOf(Number(range[2]), 59)}`;
  }
  if (minutes?.length !== 1) return null;
  const [first = 0] = minutes;
  if (range !== null)
    return `Every hour from ${timeOf(Number(range[1]), first)} to ${timeOf(Number(range[2]), first)}`;
  if (everyHour === null || exact !== 0) return null;
  return every(everyHour, 'hour') + (first === 0 ? '' : ` at minute ${first}`);
}

const every = (count: number, unit: string): string =>
  count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;

/** The step of a field that repeats evenly; null for any other. */
function stepOf(field: string, size: number): number | null {
  if (field === '*') return 1;
  const step = Number(/^(?:\*|0)\/(\d+)$/.exec(field)?.[1] ?? 0);
  return step > 0 && size % step === 0 ? step : null;
}

function dayWords(dayOfMonth: string, month: string, dayOfWeek: string): string | null {
  const months = isOpen(month) ? '' : namesIn(month, MONTH, MONTHS);
  if (months === null) return null;
  const during = months === '' ? '' : months.startsWith('from ') ? ` ${months}` : ` in ${months}`;
  if (isOpen(dayOfMonth) && isOpen(dayOfWeek)) return during.trim();
  const day = isOpen(dayOfWeek) ? monthDay(dayOfMonth) : weekDay(dayOfWeek);
  if (day === null) return null;
  if (!day.includes(' of the month')) return day + during;
  return months === '' || during.startsWith(' from')
    ? day + during
    : day.replace('of the month', `of ${months}`);
}

function monthDay(field: string): string | null {
  const nearest = /^(\d+)W$/.exec(field)?.[1];
  const beforeLast = /^L-(\d+)$/.exec(field)?.[1];
  const range = /^(\d+)-(\d+)$/.exec(field);
  const numbers = numbersOf(field);
  if (field === 'L') return 'on the last day of the month';
  if (field === 'LW') return 'on the last working day of the month';
  if (nearest !== undefined)
    return `on the working day nearest to the ${ordinal(Number(nearest))} of the month`;
  if (beforeLast !== undefined)
    return `${beforeLast} ${beforeLast === '1' ? 'day' : 'days'} before the last day of the month`;
  if (range !== null)
    return `from the ${ordinal(Number(range[1]))} to the ${ordinal(Number(range[2]))} of the month`;
  return numbers && `on the ${listed(numbers.map(ordinal))} of the month`;
}

function weekDay(field: string): string | null {
  const nth = /^(\w+)#([1-5])$/.exec(field);
  const last = /^(\w+)L$/.exec(field);
  const named = nth ?? last;
  if (field === 'L') return 'on Saturday';
  if (named !== null) {
    const day = namesIn(named[1] ?? '', DAY_OF_WEEK, DAYS);
    const which = nth === null ? 'last' : ORDINALS[Number(nth[2]) - 1];
    return day && `on the ${which} ${day} of the month`;
  }
  const days = namesIn(field, DAY_OF_WEEK, DAYS);
  if (days === 'from Monday to Friday') return 'on weekdays';
  if (days === 'from Saturday to Sunday') return 'on weekends';
  return days === null || days.startsWith('from ') ? days : `on ${days}`;
}

/** Names of listed values, or of a range from one to another; null for anything else. */
function namesIn(field: string, at: number, names: readonly string[]): string | null {
  const { from = 0, names: codes = [] } = CRON_FIELDS[at] ?? {};
  const nameOf = (part: string): string | undefined =>
    names[/^\d+$/.test(part) ? Number(part) - from : codes.indexOf(part)];
  const range = field.split('-').map(nameOf);
  if (range.length === 2 && !range.includes(undefined)) return `from ${range.join(' to ')}`;
  const list = field.split(',').map(nameOf);
  return list.includes(undefined) ? null : listed(list as string[]);
}

function yearWords(field: string): string | null {
  const years = field === '*' ? [] : numbersOf(field);
  return years && (years.length === 0 ? '' : `in ${listed(years.map(String))}`);
}

const numbersOf = (field: string): number[] | null =>
  /^\d+(?:,\d+)*$/.test(field) ? field.split(',').map(Number) : null;

const listed = (items: readonly string[]): string =>
  [items.slice(0, -1).join(', '), ...items.slice(-1)].filter((part) => part !== '').join(' and ');

function ordinal(number: number): string {
  const ending = [11, 12, 13].includes(number) ? undefined : ['st', 'nd', 'rd'][(number % 10) - 1];
  return `${number}${ending ?? 'th'}`;
}
