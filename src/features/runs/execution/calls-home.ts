import { LRUCache } from 'lru-cache';
import type { HttpPort } from '../../../engine';

/** How calls to the service itself are known, and what they are marked with. */
export interface CallsHome {
  /** What the URLs of the service begin with. */
  readonly addresses: readonly string[];
  readonly header: string;
  /** Signed by the service: a process of a run has no key. */
  readonly mark: string;
}

/** Scheme and host of a URL in which a parser could see no others: letters only, up to where a path or query begins. */
const SPELLED_OUT = /^https?:\/\/[\w.:-]+(?=[/?#])/;
/** A run calls a few places over and over. */
const MOST_PLACES = 100;

/** Without what a URL says of who calls: it leads to the same place. */
function placeOf(url: URL): string {
  if (url.username === '' && url.password === '') return url.href;
  const place = new URL(url);
  place.username = place.password = '';
  return place.href;
}

/**
 * Marks calls to the service itself with the run that makes them, so that runs which start each other are counted: also where a redirect of somebody
 * else leads here. Nobody else is sent the mark.
 */
export function markingCallsHome(http: HttpPort, { addresses, header, mark }: CallsHome): HttpPort {
  const homes = new Set(addresses.map((address) => new URL(address).origin));
  const elsewhere = new LRUCache<string, true>({ max: MOST_PLACES });
  const isHome = (url: URL): boolean =>
    homes.has(url.origin) && addresses.some((address) => placeOf(url).startsWith(address));
  const leadsHome = (url: string): boolean => {
    const place = SPELLED_OUT.exec(url)?.[0];
    if (place !== undefined && elsewhere.has(place)) return false;
    if (!URL.canParse(url)) return false;
    const read = new URL(url);
    if (place !== undefined && !homes.has(read.origin)) elsewhere.set(place, true);
    return isHome(read);
  };
  const unmarked = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== header));
  const headersTo = (to: URL, headers: Readonly<Record<string, string>>): Record<string, string> =>
    isHome(to) ? { ...unmarked(headers), [header]: mark } : unmarked(headers);
  return {
    createCookies: http.createCookies?.bind(http),
    send(request, signal) {
      // A request is made for one call: to copy each for the sake of redirects costs a run of quick steps some hundredths of its time.
      request.headersTo = headersTo;
      return http.send(
        leadsHome(request.url)
          ? { ...request, headers: { ...unmarked(request.headers), [header]: mark } }
          : request,
        signal,
      );
    },
  };
}
