const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const numbers = new Intl.NumberFormat('en-GB');
const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** `23 Nov 2026, 05:36:12 CET`, in the time zone of the browser. */
export const fullTime = (at: string): string => `${moment.format(new Date(at))} ${zone}`;
export const shortTime = (at: string): string => short.format(new Date(at));
export const clockTime = (at: string): string => clock.format(new Date(at));
export const count = (value: number): string => numbers.format(value);

const isSameDay = (at: string, now: number): boolean => new Date(at).toDateString() === new Date(now).toDateString();

/** A moment as a list shows it: the time of today, else with the day. */
export const listTime = (at: string, now: number): string => (isSameDay(at, now) ? clockTime(at) : shortTime(at));

/** `340 ms`, `2.4 s`, `1 min 12 s`, `2 h 3 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} days`;
}

/** `in 5 min`, `3 h ago`, `now`. */
export function distance(at: string, now: number): string {
  const ms = new Date(at).getTime() - now;
  const size = Math.abs(ms);
  if (size < 1_000) return 'now';
  const text = size < MINUTE ? `${Math.floor(size / 1_000)} s` : size < HOUR ? `${Math.floor(size / MINUTE)} min` : size < 2 * DAY ? `${Math.floor(size / HOUR)} h` : `${Math.floor(size / DAY)} days`;
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

/** `MANUAL` as people read it: `Manual`. */
export const words = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

/** A JSON value on one line or several, as text. */
export const jsonText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2) ?? '');
