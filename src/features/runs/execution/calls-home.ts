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

/** Marks calls to the service itself with the run that makes them, so that runs which start each other are counted. Nobody else is sent the mark. */
export function markingCallsHome(http: HttpPort, { addresses, header, mark }: CallsHome): HttpPort {
  const homes = new Set(addresses.map((address) => new URL(address).origin));
  const elsewhere = new LRUCache<string, true>({ max: MOST_PLACES });
  const leadsHome = (url: string): boolean => {
    const place = SPELLED_OUT.exec(url)?.[0];
    if (place !== undefined && elsewhere.has(place)) return false;
    if (!URL.canParse(url)) return false;
    const { href, origin } = new URL(url);
    if (place !== undefined && !homes.has(origin)) elsewhere.set(place, true);
    return addresses.some((address) => href.startsWith(address));
  };
  return {
    send(request, signal) {
      if (!leadsHome(request.url)) return http.send(request, signal);
      const others = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== header);
      return http.send({ ...request, headers: { ...Object.fromEntries(others), [header]: mark } }, signal);
    },
  };
}
