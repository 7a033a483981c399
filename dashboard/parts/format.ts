const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SHORT_FORMAT = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const fullFormat = new Intl.DateTimeFormat('en-GB', {
  ...SHORT_FORMAT,
  year: 'numeric',
  second: '2-digit',
  timeZoneName: 'short',
});
const shortFormat = new Intl.DateTimeFormat('en-GB', SHORT_FORMAT);
const shortFormatWithYear = new Intl.DateTimeFormat('en-GB', { ...SHORT_FORMAT, year: 'numeric' });
const shortFormatWithSeconds = new Intl.DateTimeFormat('en-GB', {
  ...SHORT_FORMAT,
  second: '2-digit',
});
const numberFormat = new Intl.NumberFormat('en-GB');

/** `23 Nov 2026, 05:36:12 CET`, in the time zone of the browser as it was at that moment. */
export const formatDateTime = (at: string): string => fullFormat.format(new Date(at));
export const formatNumber = (value: number): string => numberFormat.format(value);

/** `340 B`, `1.5 KiB`, `12 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1_024 ** at;
  return `${at === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}

/** `1 run`, `1,200 runs`. */
export const formatQuantity = (value: number, one: string, many: string): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

/** Milliseconds between two times. */
export const msBetween = (from: string, to: string): number =>
  new Date(to).getTime() - new Date(from).getTime();

const isSameDay = (at: string, now: number): boolean =>
  new Date(at).toDateString() === new Date(now).toDateString();

const isSameYear = (at: string, now: number): boolean =>
  new Date(at).getFullYear() === new Date(now).getFullYear();

/** Formats a time for lists: `29 Nov, 05:36`, today with seconds, other years with the year. */
export function formatListTime(at: string, now: number): string {
  const format = isSameDay(at, now)
    ? shortFormatWithSeconds
    : isSameYear(at, now)
      ? shortFormat
      : shortFormatWithYear;
  return format.format(new Date(at));
}

export const formatDayTime = (at: string): string => shortFormatWithYear.format(new Date(at));

/** `340 ms`, `2.4 s`, `30 s`, `1 min 12 s`, `2 h 3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(ms % 1_000 === 0 ? 0 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} days`;
}

/** `in 5 min`, `3 h ago`, `now`. */
export function formatRelativeTime(at: string, now: number): string {
  const ms = new Date(at).getTime() - now;
  const size = Math.abs(ms);
  if (size < 1_000) return 'now';
  const text =
    size < MINUTE
      ? `${Math.floor(size / 1_000)} s`
      : size < HOUR
        ? `${Math.floor(size / MINUTE)} min`
        : size < 2 * DAY
          ? `${Math.floor(size / HOUR)} h`
          : `${Math.floor(size / DAY)} days`;
  return ms < 0 ? `${text} ago` : `in ${text}`;
}

/** Formats a constant: `MANUAL` as `Manual`. */
export const formatConstant = (name: string): string =>
  name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ');

/** Isolates the text direction of user content where `<bdi>` is not possible. */
export const isolateDirection = (text: string): string => `\u2068${text}\u2069`;

export const formatJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
