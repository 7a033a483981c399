import type { Actor } from './access/actor';
import type { Authentication } from './access/need';
import type { EventBus } from './events/bus';

/**
 * The services of all features. Each feature adds its own by declaration merging in its service
 * file: `declare module '../../platform/context' { interface Services { groups: GroupService } }`.
 */
export interface Services {
  /** For subscriptions that pass on events unchanged. */
  readonly bus: EventBus;
}

/** Where a request came from. */
export interface Origin {
  /**
   * Created by the service: in the log, the audit, errors and the `X-Request-Id` of the response.
   */
  readonly requestId: string;
  /** The client's own `X-Request-Id`, if it is short and plain. Logged in addition to ours. */
  readonly clientRequestId: string | null;
  /** Address of the client, as seen behind the configured trusted proxies. */
  readonly address: string;
  /**
   * Identifies a client for limits: the part of the address that its owner cannot choose, which is
   * all of an IPv4 address and the /64 of an IPv6 address.
   */
  readonly network: string;
  readonly userAgent: string;
  /** `scheme://host[:port]` under which the client reached the service: the origin of its pages. */
  readonly ownOrigin: string;
  /** `ownOrigin` with the path prefix of the public URL, for absolute links. */
  readonly baseUrl: string;
  /**
   * The `X-Master-Password` header, unchecked: the master password service checks it before
   * credentials are shown. Never logged.
   */
  readonly masterPassword?: string;
  /** The `X-Hypha-Run` header, unchecked: it names the run that makes the request. */
  readonly runMark?: string;
  /** `traceparent` of the span of the request; missing without tracing. */
  readonly trace?: string;
  /** Whether a browser sent it for a page of an origin that is not allowed (`cors.origins`). */
  readonly foreignPage: boolean;
}

/** The parts of a request that go into an `Actor`. */
export type RequestMarks = Pick<
  Origin,
  'requestId' | 'clientRequestId' | 'runMark' | 'address' | 'trace'
>;

/**
 * Why a token is read. An `operation` is done by the user and keeps the session from going idle. An
 * `event` does not: an event sent to a socket, a check of the session, a probe, or a HEAD request,
 * which changes nothing.
 */
export type TokenUse = 'operation' | 'event';

/**
 * Reads a token. Called once per HTTP request, and for every operation and event of a socket. `use`
 * defaults to `operation`. Returns no promise if the session is cached, since thousands of sockets
 * may connect at once.
 */
export type Authenticate = (
  token: string | undefined,
  request: RequestMarks,
  use?: TokenUse,
) => Authentication | Promise<Authentication>;

export interface GraphqlContext {
  readonly origin: Origin;
  /** Read again before each mutation of a document with several. */
  readonly authentication: Authentication;
  /** The actor of a guarded field. Throws in a public field without a session. */
  readonly actor: Actor;
  /**
   * Reads the session again, for a subscription that works before it has an event to send. Rejects
   * if the session has ended.
   */
  actorNow(): Promise<Actor>;
  readonly services: Services;
  /**
   * Returns a loader of this request, created at first use, that batches and caches by key. `load`
   * may return an error in place of a value: it is thrown to the caller of that key.
   */
  loader<K, V>(
    name: string,
    load: (keys: readonly K[]) => Promise<readonly (V | Error | null)[]>,
  ): { load(key: K): Promise<V | null> };
  /**
   * Called before each field of a mutation: clears the loaders and, from the second field on, reads
   * the session again.
   */
  beginMutation(): Promise<void>;
  /** Whether most mutations are refused because the disk is full. */
  isStorageFull(): boolean;
  /** Aborted when the client is gone or has unsubscribed, or the operation times out. */
  readonly signal: AbortSignal;
  /** Page size of a list without `first` and `last`. */
  readonly defaultPage: number;
  /** Sets a header of the HTTP response; does nothing on a socket. */
  setHeader(name: string, value: string): void;
}
