/** Maximum length of an origin in characters; a host name has at most 253. */
export const LONGEST_ORIGIN = 300;

const PATTERN =
  /^(https?):\/\/(\*\.)?((?:[\p{L}\p{M}\p{N}_-]+\.)*[\p{L}\p{M}\p{N}_-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/iu;
const ADDRESS = /^(?:\[.*\]|\d+\.\d+\.\d+\.\d+)$/;

/**
 * Normalizes `http(s)://[*.]host[:port]`: lower case, host in punycode or shortest address form, no
 * default port. Returns null for anything else: path, user info, other wildcards, or a wildcard
 * before an address.
 */
export function normalOrigin(text: string): string | null {
  const typed = text.trim();
  const parts = typed.length > LONGEST_ORIGIN ? null : PATTERN.exec(typed);
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
