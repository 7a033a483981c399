import { LRUCache } from 'lru-cache';
import type { HttpPort } from '../../../engine';

/** How to recognise calls to the service itself, and the header that marks them. */
export interface CallsHome {
  /** Base URLs of the service. */
  readonly addresses: readonly string[];
  readonly header: string;
  /** Signed by the service: child processes have no key. */
  readonly mark: string;
}

/**
 * Scheme and host that every URL parser reads the same way: plain characters up to the path or
 * query.
 */
const SPELLED_OUT = /^https?:\/\/[\w.:-]+(?=[/?#])/;
/** A run calls few hosts, repeatedly. */
const MOST_PLACES = 100;

/** The URL without credentials, which do not change its target. */
function placeOf(url: URL): string {
  if (url.username === '' && url.password === '') return url.href;
  const place = new URL(url);
  place.username = place.password = '';
  return place.href;
}

/**
 * Marks calls to the service itself with the calling run, so that chains of runs are counted, also
 * after a redirect from another host. The mark is not sent to other hosts.
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
      // The request belongs to one call, so it is mutated: copies slow a run of quick steps by a
      // few percent.
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
