import type { Dispatcher } from 'undici';
import type * as Undici from 'undici';
import type buildConnector from 'undici/lib/core/connect';
import type Agent from 'undici/lib/dispatcher/agent';
import type { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { pinnedLookup } from './address-policy';
import type { AddressPolicy } from './address-policy';
import { NameLookups } from './name-lookups';
import { checkAddresses, NO_PROXIES, proxyFor } from './proxies';
import type { ProxyConfig } from './proxies';
import type { Target } from './target';

const MAX_HEADER_BYTES = 65_536;
const MAX_ASKING = 1_000;

interface DispatcherConfig {
  /** Timeout for connecting, ms. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly maxHeaderBytes?: number;
  readonly proxies?: ProxyConfig;
}

/** Separate dispatchers per proxy and certificate check, so that connections are not mixed. */
export class Dispatchers {
  readonly lookups = new NameLookups();
  readonly maxHeaderBytes: number;
  /** Origins that asked for a client certificate, and whether they have answered without one. */
  private readonly asking = new LRUCache<string, { hasAnswered: boolean }>({ max: MAX_ASKING });
  private readonly dispatchers = new Map<string, Dispatcher>();
  private readonly proxies: ProxyConfig;
  private readonly isProxied: boolean;

  constructor(
    private readonly config: DispatcherConfig,
    private readonly policy: AddressPolicy,
  ) {
    this.maxHeaderBytes = config.maxHeaderBytes ?? MAX_HEADER_BYTES;
    this.proxies = config.proxies ?? NO_PROXIES;
    this.isProxied = this.proxies.http !== null || this.proxies.https !== null;
  }

  get(target: Target, verifyTls: boolean): Dispatcher | Promise<Dispatcher> {
    const proxy = this.isProxied ? proxyFor(target.url, this.proxies) : null;
    return proxy === null
      ? this.dispatcher(null, verifyTls)
      : checkAddresses(target.url.hostname, this.policy, this.config.timeoutMs).then(() =>
          this.dispatcher(proxy, verifyTls),
        );
  }

  /** Returns whether the origin asked for a client certificate and has never answered without. */
  asksForCertificate(origin: string): boolean {
    return this.asking.get(origin)?.hasAnswered === false;
  }

  /** Call when a response has started: the certificate that the origin may ask for is optional. */
  noteAnswer(origin: string): void {
    const asking = this.asking.get(origin);
    if (asking !== undefined) asking.hasAnswered = true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.dispatchers.values()].map((each) => each.destroy()));
  }

  private dispatcher(proxy: string | null, verifyTls: boolean): Dispatcher {
    const key = `${verifyTls} ${proxy ?? ''}`;
    const dispatcher = this.dispatchers.get(key) ?? this.create(proxy, verifyTls);
    this.dispatchers.set(key, dispatcher);
    return dispatcher;
  }

  private create(proxy: string | null, verifyTls: boolean): Dispatcher {
    const { timeoutMs, maxResponseBytes } = this.config;
    // Calls have their own deadline, so undici's timeouts are off, except for connecting.
    const options = {
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: maxResponseBytes,
      maxHeaderSize: this.maxHeaderBytes,
    };
    const connect = { timeout: timeoutMs, rejectUnauthorized: verifyTls };
    if (proxy !== null) return createProxyAgent(proxy, { ...options, connect });
    const lookup = this.lookups.measured(pinnedLookup(this.policy));
    return createAgent({ ...options, connect: this.watched({ ...connect, lookup }) });
  }

  /** Connects, and notes whether the server asks for a client certificate. */
  private watched(options: buildConnector.BuildOptions): buildConnector.connector {
    const connect = (require('undici/lib/core/connect') as typeof buildConnector)(options);
    return (place, callback) => {
      // It returns the socket, unlike the type says.
      const socket: unknown = connect(place, (...result) => {
        const origin = `${place.protocol}//${place.host}`;
        if (place.protocol === 'https:' && asksForCertificate(socket as TLSSocket))
          this.asking.set(origin, this.asking.get(origin) ?? { hasAnswered: false });
        else this.asking.delete(origin);
        callback(...result);
      });
    };
  }
}

/** A client knows signature algorithms of the server only from a request for a certificate. */
const asksForCertificate = (socket: TLSSocket): boolean =>
  // A closed socket has none.
  ((socket.getSharedSigalgs() as string[] | null) ?? []).length > 0;

/** Loaded on first use, to save memory in services without runs. */
function createAgent(options: ConstructorParameters<typeof Agent>[0]): Agent {
  const LateAgent = require('undici/lib/dispatcher/agent') as typeof Agent;
  return new LateAgent(options);
}

/** Sends `http:` requests to the proxy directly and tunnels `https:`; many proxies deny port 80. */
function createProxyAgent(
  uri: string,
  {
    connect,
    ...options
  }: {
    headersTimeout: number;
    bodyTimeout: number;
    maxResponseSize: number;
    maxHeaderSize: number;
    connect: { timeout: number; rejectUnauthorized: boolean };
  },
): Dispatcher {
  const { ProxyAgent } = require('undici') as typeof Undici;
  return new ProxyAgent({
    ...options,
    uri,
    proxyTunnel: false,
    proxyTls: { timeout: connect.timeout },
    requestTls: connect,
  });
}
