import { cached } from '../cache';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** Names only, no offsets: `+02:00` has no daylight saving time. */
const NAME = /^[A-Za-z][A-Za-z0-9_+\-]*(?:\/[A-Za-z0-9_+\-]+)*$/;
const LONGEST_NAME = 64;
/**
 * Abbreviations that the JavaScript engine accepts as zones but the IANA database does not contain.
 * Some are misleading: BST is Bangladesh.
 */
const ABBREVIATIONS: ReadonlySet<string> = new Set([
  'ACT',
  'AET',
  'AGT',
  'ART',
  'AST',
  'BET',
  'BST',
  'CAT',
  'CNT',
  'CST',
  'CTT',
  'EAT',
  'ECT',
  'IET',
  'IST',
  'JST',
  'MIT',
  'NET',
  'NST',
  'PLT',
  'PNT',
  'PRT',
  'PST',
  'SST',
  'VST',
]);
/** Names of another system that the JavaScript engine also accepts. */
const OTHER_SYSTEM = /^SystemV\//i;

const formatOf = cached(
  'timeZones',
  (timeZone: string) =>
    new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
);

/** Returns whether the IANA database contains a zone of this name. */
export function isTimeZone(name: string): boolean {
  if (
    name.length > LONGEST_NAME ||
    !NAME.test(name) ||
    OTHER_SYSTEM.test(name) ||
    ABBREVIATIONS.has(name.toUpperCase())
  )
    return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the name in the spelling of the IANA database: `Europe/Berlin` for `europe/berlin`.
 * Does not replace an alias by its canonical name.
 */
export function zoneName(name: string): string {
  const { timeZone } = formatOf(name).resolvedOptions();
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
}

/** UTC offset of a zone at a moment, ms; positive east of Greenwich. */
export function offsetAt(timeZone: string, moment: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(moment))
    shown[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return (
    Date.UTC(year, month - 1, day, hour, minute, second) -
    Math.floor(moment / SECOND_MS) * SECOND_MS
  );
}

/**
 * Returns the moment (resolution: 1 s) at which the offset of the zone first differs from that at
 * `from`. The offset at `to` must differ.
 */
export function changeBetween(timeZone: string, from: number, to: number): number {
  const before = offsetAt(timeZone, from);
  let [low, high] = [Math.floor(from / SECOND_MS), Math.floor(to / SECOND_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timeZone, middle * SECOND_MS) === before) low = middle;
    else high = middle;
  }
  return high * SECOND_MS;
}

/**
 * Returns the first moment at which a clock in the zone shows the local time `wall`, ms since 1970.
 * Returns the moment of the change if the clock skips that time.
 * @param wall local time, encoded as if it were UTC
 */
export function firstMomentOf(timeZone: string, wall: number): number {
  const [before, later] = [wall - DAY_MS, wall + DAY_MS];
  const offsets = [offsetAt(timeZone, before), offsetAt(timeZone, later)];
  for (const offset of offsets)
    if (offsetAt(timeZone, wall - offset) === offset) return wall - offset;
  return changeBetween(timeZone, before, later);
}
