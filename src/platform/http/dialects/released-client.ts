import type { IncomingHttpHeaders } from 'node:http';

/** The lines of the released web client, which read some responses differently. */
export type ReleasedClient = '4.x' | '5.x';

/** Names of the headers that `clientOf` reads, for `Vary`. */
export const CLIENT_HEADERS = 'crossDomain, timeout';

/**
 * Returns which released client sent a request. The 4.x client sends these two headers with every
 * request, the 5.x client neither: it is the only reliable difference.
 */
export const clientOf = (headers: IncomingHttpHeaders): ReleasedClient =>
  headers.crossdomain !== undefined && headers.timeout !== undefined ? '4.x' : '5.x';

/** What presenters know of the client that a response is for. */
export interface Audience {
  /** Of the dialect of the request, for links in the response. */
  readonly baseUrl: string;
  /**
   * Returns the client, and adds the headers that it depends on to `Vary`. Only presenters call it,
   * and before the response begins.
   */
  readonly client: () => ReleasedClient;
}

/** Reads the client now, for lists that are presented while the response is sent. */
export function withKnownClient({ baseUrl, client }: Audience): Audience {
  const releasedClient = client();
  return { baseUrl, client: () => releasedClient };
}
