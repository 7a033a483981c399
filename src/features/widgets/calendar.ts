/** The names of days as clients read them. */
export const DAYS_OF_WEEK = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

/** A day of the calendar: `2026-05-04`. */
export type Day = string;

/** Days as people of a time zone count them, whatever its clocks do meanwhile. */
export function calendarIn(timeZone: string): { dayOf(moment: Date): Day; lastDays(until: Date, count: number): Day[] } {
  const format = new Intl.DateTimeFormat('en', { timeZone, calendar: 'iso8601', numberingSystem: 'latn', year: 'numeric', month: '2-digit', day: '2-digit' });

  function dayOf(moment: Date): Day {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  }

  return {
    dayOf,
    /** `count` days ending with that of `until`, the oldest first. */
    lastDays(until, count) {
      const [year = 0, month = 1, day = 1] = dayOf(until).split('-').map(Number);
      // Calendar arithmetic in UTC, where every day has 24 hours.
      return Array.from({ length: count }, (_, back) => new Date(Date.UTC(year, month - 1, day - (count - 1 - back))).toISOString().slice(0, 10));
    },
  };
}

export const dayOfWeek = (day: Day): DayOfWeek => DAYS_OF_WEEK[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'SUNDAY';
