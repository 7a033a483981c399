/** A repetition that people name in words. Times are `HH:MM`. */
export type Repetition =
  | { readonly kind: 'never' }
  | { readonly kind: 'minutes'; readonly every: number }
  | { readonly kind: 'hourly'; readonly minute: number }
  | { readonly kind: 'daily' | 'weekdays'; readonly time: string }
  | { readonly kind: 'weekly'; readonly day: string; readonly time: string }
  /** `L`: the last day. */
  | { readonly kind: 'monthly'; readonly dayOfMonth: string; readonly time: string };

export const WEEKDAYS: Readonly<Record<string, string>> = {
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
};

/** The fields of an expression; the last one may be missing. */
export const CRON_FIELDS = [
  'Second',
  'Minute',
  'Hour',
  'Day of month',
  'Month',
  'Day of week',
  'Year',
] as const;

/** Values of the fields of which nothing was entered. */
const EMPTY_FIELDS = ['0', '0', '0', '*', '*', '?', ''];

const timeOf = (hour: string, minute: string): string =>
  `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;

const cronTimeOf = (time: string): string => {
  const [hour, minute] = time.split(':');
  return `0 ${Number(minute)} ${Number(hour)}`;
};

/** Returns the texts of all seven fields. */
export function fieldsOfCron(cron: string): readonly string[] {
  const texts = cron.trim().split(/\s+/).filter(Boolean);
  return CRON_FIELDS.map((_name, at) => texts[at] ?? '');
}

/** Returns the expression with one field replaced. */
export function withCronField(cron: string, at: number, text: string): string {
  const fields = fieldsOfCron(cron).map((field, each) =>
    each === at
      ? text.replaceAll(/\s/g, '') || (EMPTY_FIELDS[at] ?? '')
      : field || (EMPTY_FIELDS[each] ?? ''),
  );
  return fields.join(' ').trim();
}

/** Returns the repetition that an expression means, or null if there is no name for it. */
export function repetitionOf(cron: string): Repetition | null {
  if (cron.trim() === '') return { kind: 'never' };
  const [second, minute = '', hour = '', dayOfMonth = '', month, day = '', year] =
    fieldsOfCron(cron);
  if (second !== '0' || month !== '*' || !['', '*'].includes(year ?? '')) return null;
  const isEveryDay = [dayOfMonth, day].every((text) => text === '*' || text === '?');
  const every = /^[0*]\/(\d{1,2})$/.exec(minute)?.[1] ?? (minute === '*' ? '1' : undefined);
  if (isEveryDay && hour === '*') {
    if (every !== undefined && 60 % Number(every) === 0)
      return { kind: 'minutes', every: Number(every) };
    return isNumberUpTo(minute, 59) ? { kind: 'hourly', minute: Number(minute) } : null;
  }
  if (!isNumberUpTo(minute, 59) || !isNumberUpTo(hour, 23)) return null;
  const time = timeOf(hour, minute);
  if (isEveryDay) return { kind: 'daily', time };
  if (dayOfMonth === '?' || dayOfMonth === '*') {
    if (day === 'MON-FRI') return { kind: 'weekdays', time };
    return day in WEEKDAYS ? { kind: 'weekly', day, time } : null;
  }
  return (day === '?' || day === '*') && (dayOfMonth === 'L' || isNumberUpTo(dayOfMonth, 31))
    ? { kind: 'monthly', dayOfMonth, time }
    : null;
}

const isNumberUpTo = (text: string, maximum: number): boolean =>
  /^\d{1,2}$/.test(text) && Number(text) <= maximum;

export function cronOf(repetition: Repetition): string {
  switch (repetition.kind) {
    case 'never':
      return '';
    case 'minutes':
      return `0 ${repetition.every === 1 ? '*' : `0/${repetition.every}`} * * * ?`;
    case 'hourly':
      return `0 ${repetition.minute} * * * ?`;
    case 'daily':
      return `${cronTimeOf(repetition.time)} * * ?`;
    case 'weekdays':
      return `${cronTimeOf(repetition.time)} ? * MON-FRI`;
    case 'weekly':
      return `${cronTimeOf(repetition.time)} ? * ${repetition.day}`;
    case 'monthly':
      return `${cronTimeOf(repetition.time)} ${repetition.dayOfMonth} * ?`;
  }
}
