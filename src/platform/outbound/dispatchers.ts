import type { Dispatcher } from 'undici';
import type * as Undici from 'undici';
import type Agent from 'undici/lib/dispatcher/agent';
import { pinnedLookup } from './address-policy';
import type { AddressPolicy } from './address-policy';
import { NameLookups } from './name-lookups';
import { checkAddresses, NO_PROXIES, proxyFor } from './proxies';
import type { ProxyConfig } from './proxies';
import type { Target } from './target';

interface DispatcherConfig {
  /** Timeout for connecting, ms. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly proxies?: ProxyConfig;
}

/** Separate dispatchers per proxy and certificate check, so that connections are not mixed. */
export class Dispatchers {
  readonly lookups = new NameLookups();
  private readonly dispatchers = new Map<string, Dispatcher>();
  private readonly proxies: ProxyConfig;
  private readonly isProxied: boolean;

  constructor(
    private readonly config: DispatcherConfig,
    private readonly policy: AddressPolicy,
  ) {
    this.proxies = config.proxies ?? NO_PROXIES;
    this.isProxied = this.proxies.http !== null || this.proxies.https !== null;
  }

  get(target: Target, verifyTls: boolean): Dispatcher | Promise<Dispatcher> {
    const proxy = this.isProxied ? proxyFor(target.url, this.proxies) : null;
    return proxy === null
      ? this.dispatcher(null, verifyTls)
      : checkAddresses(target.url.hostname, this.policy).then(() =>
          this.dispatcher(proxy, verifyTls),
        );
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
    const options = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: maxResponseBytes };
    if (proxy !== null)
      return createProxyAgent(proxy, { ...options, rejectUnauthorized: verifyTls });
    const connect = {
      lookup: this.lookups.measured(pinnedLookup(this.policy)),
      timeout: timeoutMs,
    };
    return createAgent({ ...options, connect: { ...connect, rejectUnauthorized: verifyTls } });
  }
}

/** Loaded on first use, to save memory in services without runs. */
function createAgent(options: ConstructorParameters<typeof Agent>[0]): Agent {
  const LateAgent = require('undici/lib/dispatcher/agent') as typeof Agent;
  return new LateAgent(options);
}

/** Sends `http:` requests to the proxy directly and tunnels `https:`; many proxies deny port 80. */
function createProxyAgent(
  uri: string,
  {
    rejectUnauthorized,
    ...options
  }: {
    headersTimeout: number;
    bodyTimeout: number;
    maxResponseSize: number;
    rejectUnauthorized: boolean;
  },
): Dispatcher {
  const { ProxyAgent } = require('undici') as typeof Undici;
  return new ProxyAgent({
    ...options,
    uri,
    proxyTunnel: false,
    requestTls: { rejectUnauthorized },
  });
}
