import type { Actor } from './access/actor';
import type { Authentication } from './access/need';
import type { EventBus } from './events/bus';

/**
 * The services of all features. Each feature adds its own by declaration merging in its service file:
 * `declare module '../../platform/context' { interface Services { groups: GroupService } }`.
 */
export interface Services {
  /** For subscriptions that pass events on as they are. */
  readonly bus: EventBus;
}

/** Where a request came from. */
export interface Origin {
  /** Ours: in the log, the audit, the errors and the `X-Request-Id` of the answer. */
  readonly requestId: string;
  /** What the client calls the request in its own `X-Request-Id`, where that is short and plain: written beside ours, never instead. */
  readonly clientRequestId: string | null;
  /** Address of the client, as seen behind the configured trusted proxies. */
  readonly address: string;
  /** What of the address its holder cannot choose, to count clients by: all of an IPv4 address, the /64 of an IPv6 one. */
  readonly network: string;
  readonly userAgent: string;
  /** `scheme://host[:port]` under which the client reached us: the origin of our own pages. */
  readonly ownOrigin: string;
  /** The same with the path prefix of the public URL, for absolute links. */
  readonly baseUrl: string;
  /** What `X-Master-Password` holds; whoever shows credentials for it asks the service of the master password. Never logged. */
  readonly masterPassword?: string;
  /** What `X-Hypha-Run` holds: the run that makes the request, if it is ours to believe. */
  readonly runMark?: string;
  /** A browser sent it for a page that may not call us (`cors.origins`). */
  readonly foreignPage: boolean;
}

/** What a session that acts is told of the request it acts in. */
export type RequestMarks = Pick<Origin, 'requestId' | 'clientRequestId' | 'runMark'>;

/**
 * Why a token is read. An `operation` is something the user does and keeps his session from going idle; an `event` that is sent to a
 * listening socket, a look whether its session still holds, or a HEAD, which changes nothing, does not.
 */
export type TokenUse = 'operation' | 'event';

/**
 * Reads a token. Called once per HTTP request, and again for every operation and event of a socket. `use` defaults to `operation`. At once where what is known
 * of the session may be believed, since thousands of sockets come together; else when it has been read.
 */
export type Authenticate = (
  token: string | undefined,
  request: RequestMarks,
  use?: TokenUse,
) => Authentication | Promise<Authentication>;

/** What a GraphQL resolver sees as its context. */
export interface GraphqlContext {
  readonly origin: Origin;
  /** Within a document of several mutations it is read again before each one. */
  readonly authentication: Authentication;
  /** The actor of a guarded field: the guard has run, so he is there. Throws in a public field without a session. */
  readonly actor: Actor;
  /** The actor as he is by now: for a subscription that works before it has something to tell. Rejects when his session has ended. */
  actorNow(): Promise<Actor>;
  readonly services: Services;
  /** A loader of this request, made at first use: batches and caches by key. An error in the place of a value is thrown to who asked for it. */
  loader<K, V>(
    name: string,
    load: (keys: readonly K[]) => Promise<readonly (V | Error | null)[]>,
  ): { load(key: K): Promise<V | null> };
  /** Called before each field of a mutation: empties the loaders and, from the second field on, reads the session again. */
  beginMutation(): Promise<void>;
  /** Aborted when nobody waits any more: client gone, unsubscribed, time-out. */
  readonly signal: AbortSignal;
  /** Entries of a list that is asked for without `first` and `last`. */
  readonly defaultPage: number;
  /** Headers to set on the HTTP answer (a no-op on a socket). */
  setHeader(name: string, value: string): void;
}
