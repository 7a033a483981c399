import type { Cron } from 'croner';
import { LAST_YEAR } from './cron-fields';
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
export class DaysBeforeLast {
  /** All days that can match in any month. */
  private readonly candidates: Cron;

  /** @param createCron creates the pattern of the expression with this day of month */
  constructor(
    private readonly meant: DayBeforeLast,
    createCron: (dayOfMonth: string) => Cron,
  ) {
    const { days, isWorkingDay } = meant;
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
      if (this.isMeant(date)) return date;
    }
    return null;
  }

  private isMeant(date: Date): boolean {
    const daysOfMonth = countDaysOfMonth(date);
    const day = daysOfMonth - this.meant.days;
    if (day < 1) return false;
    return (
      date.getUTCDate() ===
      (this.meant.isWorkingDay ? nearestWorkingDay(date, day, daysOfMonth) : day)
    );
  }
}

const lastMomentOf = (date: Date): Date =>
  new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS + DAY_MS - 1);
