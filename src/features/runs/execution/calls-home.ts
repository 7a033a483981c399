import type { HttpPort } from '../../../engine';

/** How calls to the service itself are known, and what they are marked with. */
export interface CallsHome {
  /** What the URLs of the service begin with. */
  readonly addresses: readonly string[];
  readonly header: string;
  /** Signed by the service: a process of a run has no key. */
  readonly mark: string;
}

/** Marks calls to the service itself with the run that makes them, so that runs which start each other are counted. Nobody else is sent the mark. */
export function markingCallsHome(http: HttpPort, { addresses, header, mark }: CallsHome): HttpPort {
  const leadsHome = (url: string): boolean => {
    if (!URL.canParse(url)) return false;
    const { href } = new URL(url);
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
