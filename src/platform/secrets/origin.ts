/** Characters of an origin that are looked at; a host name has 253 at most. */
export const LONGEST_ORIGIN = 300;

const PATTERN =
  /^(https?):\/\/(\*\.)?((?:[\p{L}\p{M}\p{N}_-]+\.)*[\p{L}\p{M}\p{N}_-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/iu;
const ADDRESS = /^(?:\[.*\]|\d+\.\d+\.\d+\.\d+)$/;

/**
 * `http(s)://[*.]host[:port]` as it is stored and compared: in lower case, the host as it travels (punycode, shortest form of an address), the
 * port of the scheme left out. Null for everything else: a path, a user, a `*` in any other place or before an address.
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

/** May what is sent to this URL hold a secret of this origin? A leading `*.` takes any depth below the host, and not the host itself. */
export function takesOrigin(origin: string, url: URL): boolean {
  const wildcard = origin.indexOf('//*.');
  if (wildcard < 0) return origin === url.origin;
  // `.host` of the origin without its port.
  const below = new URL(`${origin.slice(0, wildcard)}//${origin.slice(wildcard + 4)}`);
  return (
    below.protocol === url.protocol &&
    below.port === url.port &&
    url.hostname.length > below.hostname.length + 1 &&
    url.hostname.endsWith(`.${below.hostname}`)
  );
}

/** May it be sent there by any of these? */
export const mayGoTo = (origins: readonly string[], url: URL): boolean =>
  origins.some((origin) => takesOrigin(origin, url));
