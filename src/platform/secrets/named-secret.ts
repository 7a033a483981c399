/** Parts of a workflow that are executed; titles and layout are not. */
const EXECUTED = ['fromConnector', 'toConnector', 'fieldBinding'] as const;

/**
 * Returns the keys (`secretKey`) of all secrets that the executed parts of a workflow use with
 * `{%secret.NAME%}`. Accepts documents of any shape.
 */
export function secretsNamedIn(document: object): Set<string> {
  return secretsIn(EXECUTED.map((part) => (document as Record<string, unknown>)[part]));
}

/** The same for all texts in these values, at any depth. */
export function secretsIn(parts: readonly unknown[]): Set<string> {
  const names = new Set<string>();
  const open: unknown[] = [...parts];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') namesIn(value, names);
    else if (Array.isArray(value)) for (const item of value as unknown[]) open.push(item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, field] of Object.entries(value)) open.push(name, field);
  }
  return names;
}

function namesIn(text: string, names: Set<string>): void {
  for (let at = text.indexOf('{%'); at >= 0; at = text.indexOf('{%', at)) {
    const mark = secretMarkAt(text, at);
    if (mark !== null && SECRET_NAME.test(mark.name)) names.add(secretKey(mark.name));
    at = mark?.end ?? at + 2;
  }
}

/** A named secret as passed to a run. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
  /** Origins it may be sent to, normalized by `normalOrigin`. */
  readonly origins: readonly string[];
}

/** Pattern for names of secrets. */
export const SECRET_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * Folds a name: names are case-insensitive. Only ASCII letters are folded, so that other characters
 * whose lower case is ASCII, such as the Kelvin sign, match no name.
 */
export const secretKey = (name: string): string =>
  name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** `{%secret.NAME%}`. Also matches invalid names, which then refer to no secret. */
const MARK = /\{%\s*secret\.([^{}%]*)%\}/iy;
const ANY_MARK = /\{%\s*secret\.[^{}%]*%\}/i;

/** A use of a named secret in a text. */
interface SecretMark {
  readonly name: string;
  /** Offset after the mark. */
  readonly end: number;
}

/** Returns the mark that starts at `from`, or null. */
export function secretMarkAt(text: string, from: number): SecretMark | null {
  MARK.lastIndex = from;
  const match = MARK.exec(text);
  return match === null ? null : { name: (match[1] ?? '').trim(), end: MARK.lastIndex };
}

/** Returns whether a text refers to a named secret, existing or not. */
export const usesSecret = (text: string): boolean => text.includes('{%') && ANY_MARK.test(text);

/** Maximum length of an origin in characters; a host name has at most 253. */
export const LONGEST_ORIGIN = 300;

const ORIGIN =
  /^(https?):\/\/(\*\.)?((?:[\p{L}\p{M}\p{N}_-]+\.)*[\p{L}\p{M}\p{N}_-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/iu;
const ADDRESS = /^(?:\[.*\]|\d+\.\d+\.\d+\.\d+)$/;

/**
 * Normalizes `http(s)://[*.]host[:port]`: lower case, host in punycode or shortest address form, no
 * default port. Returns null for anything else: path, user info, other wildcards, or a wildcard
 * before an address.
 */
export function normalOrigin(text: string): string | null {
  const typed = text.trim();
  const parts = typed.length > LONGEST_ORIGIN ? null : ORIGIN.exec(typed);
  if (parts === null) return null;
  const [, scheme = '', wildcard = '', host = '', port] = parts;
  const address = `${scheme.toLowerCase()}://${host}${port === undefined ? '' : `:${port}`}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.hostname === '' || (wildcard !== '' && ADDRESS.test(url.hostname))) return null;
  return `${url.protocol}//${wildcard}${url.host}`;
}

/**
 * Returns whether an origin covers a URL. A leading `*.` matches subdomains, not the host itself.
 */
export function takesOrigin(origin: string, url: URL): boolean {
  const wildcard = origin.indexOf('//*.');
  if (wildcard < 0) return origin === url.origin;
  // Parse the origin without `*.` to get the parent host and port.
  const below = new URL(`${origin.slice(0, wildcard)}//${origin.slice(wildcard + 4)}`);
  return (
    below.protocol === url.protocol &&
    below.port === url.port &&
    url.hostname.length > below.hostname.length + 1 &&
    url.hostname.endsWith(`.${below.hostname}`)
  );
}

/** Returns whether one of the origins covers the URL. */
export const mayGoTo = (origins: readonly string[], url: URL): boolean =>
  origins.some((origin) => takesOrigin(origin, url));
