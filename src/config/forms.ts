/**
 * Parses a value and describes the accepted form. Values come from YAML (typed) or the environment
 * (text).
 */
export interface Form<T> {
  readonly accepts: string;
  /** Returns the value, or undefined if it does not have this form. */
  read(raw: unknown): T | undefined;
}

const trimmed = (raw: unknown): string | undefined =>
  typeof raw === 'string'
    ? raw.trim()
    : typeof raw === 'number' || typeof raw === 'boolean'
      ? String(raw)
      : undefined;

export function wholeNumber(min: number, max: number): Form<number> {
  return {
    accepts: `a whole number from ${min} to ${max}`,
    read(raw) {
      const text = trimmed(raw);
      if (text === undefined || !/^-?\d{1,15}$/.test(text)) return undefined;
      const value = Number(text);
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function flag(): Form<boolean> {
  return {
    accepts: 'true or false',
    read(raw) {
      const text = trimmed(raw)?.toLowerCase();
      if (text === undefined) return undefined;
      if (['true', 'on', 'yes', '1'].includes(text)) return true;
      return ['false', 'off', 'no', '0'].includes(text) ? false : undefined;
    },
  };
}

export function oneOf<const T extends string>(...values: T[]): Form<T> {
  return {
    accepts: `one of ${values.join(', ')}`,
    read: (raw) => values.find((value) => value === trimmed(raw)?.toLowerCase()),
  };
}

/** A text for which `holds` is true. `accepts` describes the condition. */
export function text(
  accepts = 'a text that is not empty',
  holds: (value: string) => boolean = (value) => value !== '',
): Form<string> {
  return {
    accepts,
    read(raw) {
      const value = trimmed(raw);
      return value !== undefined && holds(value) ? value : undefined;
    },
  };
}

/** A text that is not trimmed, for passwords and keys. Length is counted in characters. */
export function secretText(accepts: string, holds: (value: string) => boolean): Form<string> {
  return {
    accepts,
    read(raw) {
      const value = typeof raw === 'number' ? String(raw) : raw;
      return typeof value === 'string' && holds(value) ? value : undefined;
    },
  };
}

/** A YAML list or comma-separated texts. Every entry must satisfy `holds`. */
export function list(
  accepts: string,
  holds: (entry: string) => boolean = () => true,
): Form<readonly string[]> {
  return {
    accepts,
    read(raw) {
      const entries = Array.isArray(raw)
        ? raw.map(trimmed)
        : (trimmed(raw)
            ?.split(',')
            .map((entry) => entry.trim()) ?? [undefined]);
      const values = entries.filter((entry) => entry !== '');
      return values.every((entry): entry is string => entry !== undefined && holds(entry))
        ? values
        : undefined;
    },
  };
}

const parsedUrl = (value: string): URL | undefined => {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
};

/** Accepts `https://host[:port]` without a path. */
export const isOrigin = (value: string): boolean => {
  const url = parsedUrl(value);
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.origin === value.replace(/\/$/, '') &&
    !url.hostname.includes('*')
  );
};

/** A line break would add headers to a mail. */
export const isEmail = (value: string): boolean =>
  /^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254;
