import { cached } from '../../platform/cache';
import { firstMomentOf } from '../../platform/clock/time-zone';

/** Names of days in the API. */
export const DAYS_OF_WEEK = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
] as const;
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

/** A day of the calendar: `2026-05-04`. */
export type Day = string;

export interface Calendar {
  readonly dayOf: (moment: Date) => Day;
  /** `count` days up to the day of `until`, oldest first. */
  readonly lastDays: (until: Date, count: number) => Day[];
  /** Start of a day, and start of the next one. */
  readonly boundsOf: (day: Day) => readonly [Date, Date];
}

/** Calendar days of a time zone, correct across clock changes. */
export function calendarIn(timeZone: string): Calendar {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });

  function dayOf(moment: Date): Day {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  }

  /** @param wall local midnight, as ms in UTC */
  const startOf = cached(
    'daysOfTimeZone',
    (wall: number) => new Date(firstMomentOf(timeZone, wall)),
  );

  return {
    dayOf,
    lastDays(until, count) {
      const last = dayOf(until);
      return Array.from({ length: count }, (_, nth) =>
        new Date(midnightOf(last, nth + 1 - count)).toISOString().slice(0, 10),
      );
    },
    boundsOf: (day) => [startOf(midnightOf(day)), startOf(midnightOf(day, 1))],
  };
}

/** Midnight some days later, in UTC, where every day has 24 hours. */
function midnightOf(day: Day, later = 0): number {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number);
  return Date.UTC(year, month - 1, of + later);
}

/** All days of the month of a day, first to last. */
export function daysOfMonth(day: Day): Day[] {
  const first = `${day.slice(0, 'yyyy-mm'.length)}-01`;
  const [year = 0, month = 1] = day.split('-').map(Number);
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length }, (_, nth) =>
    new Date(midnightOf(first, nth)).toISOString().slice(0, first.length),
  );
}

export const dayOfWeek = (day: Day): DayOfWeek =>
  DAYS_OF_WEEK[new Date(midnightOf(day)).getUTCDay()] ?? 'SUNDAY';
