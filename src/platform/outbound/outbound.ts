import type { Dispatcher } from 'undici';
import { createAddressPolicy } from './address-policy';
import type { AddressPolicy } from './address-policy';
import { call, locationOf } from './call';
import { CallProgress } from './call-progress';
import type { RawAnswer } from './call';
import { Cookies } from './cookies';
import type { CookieStore } from './cookies';
import { digestAuthorization } from './digest';
import { Dispatchers } from './dispatchers';
import { explainFailure, OutboundError } from './outbound-error';
import type { ProxyConfig } from './proxies';
import { ACCEPTED_CODINGS, unpack } from './unpack';
import { headerOf, isRedirect, isSameOrigin, nextHop } from './redirect';
import { decodedHeaders } from './header-text';
import type { Hop } from './redirect';
import { basicCredentials, createTargets, userInfoOf } from './target';
import type { Target } from './target';

export interface OutboundConfig {
  /** Default timeout, ms. */
  readonly timeoutMs: number;
  /** Limit of the decompressed body. */
  readonly maxResponseBytes: number;
  /** Limit of the headers of a response; default: 64 KiB. */
  readonly maxHeaderBytes?: number;
  /** 0: redirects are not followed. */
  readonly maxRedirects: number;
  /** Denied addresses, CIDR blocks, host names, `*.domain` or `*`. */
  readonly deny: readonly string[];
  /** Exceptions from `deny`, in the same notation. */
  readonly allow: readonly string[];
  /** Default: no proxies. */
  readonly proxies?: ProxyConfig;
}

export interface OutboundRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /**
   * Timeout of the whole call, including redirects, from sending to the complete body. It does not
   * pass while host names are resolved.
   */
  timeoutMs?: number;
  /** The timeout with the setting that it comes from, for the error message. */
  timeoutText?: string;
  /** Receives the duration of the call when it ends, as far as it counts for the timeout, ms. */
  onTime?: (milliseconds: number) => void;
  /** False: do not verify certificates. */
  verifyTls?: boolean;
  /** Limit of the decompressed body, if lower than the configured one. */
  maxResponseBytes?: number;
  /**
   * Cookie store to send from and save to. Default: cookies are kept for redirects of this call.
   */
  cookies?: CookieStore;
  /** Called before each redirect; false ends the call with OUTBOUND_REDIRECT_REFUSED. */
  allowRedirect?: (to: URL) => boolean;
  /** Replaces the headers that are sent to a redirect target. */
  headersTo?: (to: URL, headers: Readonly<Record<string, string>>) => Record<string, string>;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case; values decoded as UTF-8 if valid, else as Latin-1. */
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** Words of the `Content-Encoding` that name no compression and were ignored. */
  ignoredCodings?: readonly string[];
}

export interface Outbound {
  /**
   * Makes a call and follows redirects.
   * @throws OutboundError there is no response
   * @throws the reason of the signal
   */
  send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse>;
  createCookies(): Cookies;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** @throws TypeError invalid rule in `deny` or `allow` */
export function createOutbound(config: OutboundConfig): Outbound {
  const policy = createAddressPolicy(config);
  const targetOf = createTargets(policy);
  const dispatchers = new Dispatchers(config, policy);
  return {
    async send(request, signal) {
      signal.throwIfAborted();
      const first = firstHop(request, targetOf(request.url));
      const { timeoutMs = config.timeoutMs } = request;
      const progress = new CallProgress(
        first.target,
        signal,
        dispatchers.lookups,
        timeoutMs,
        request.timeoutText ??
          `${timeoutMs} ms${request.timeoutMs === undefined ? ' (the setting outbound.timeout)' : ''}`,
      );
      const {
        verifyTls = true,
        maxResponseBytes = Infinity,
        allowRedirect: allows = anywhere,
        headersTo = asTheyAre,
        cookies,
      } = request;
      const maxBytes = Math.min(config.maxResponseBytes, maxResponseBytes);
      const send = async (hop: Hop, follows: boolean): Promise<RawAnswer> => {
        try {
          const dispatcher = dispatchers.get(hop.target, verifyTls);
          return await sendHop(hop, dispatcher, progress, { follows, maxBytes });
        } finally {
          if (progress.hasHeaders) dispatchers.noteAnswer(progress.target.origin);
        }
      };
      try {
        return await follow(first, send, {
          policy,
          maxRedirects: config.maxRedirects,
          maxBytes,
          allows,
          headersTo,
          cookies: cookies ?? null,
        });
      } catch (error) {
        signal.throwIfAborted();
        throw explainFailure(progress.reason ?? error, {
          host: progress.target.url.host,
          hasHeaders: progress.hasHeaders,
          asksForCertificate: dispatchers.asksForCertificate(progress.target.origin),
          maxHeaderBytes: dispatchers.maxHeaderBytes,
        });
      } finally {
        request.onTime?.(progress.spentMs);
        progress.dispose();
      }
    },
    createCookies: () => new Cookies(),
    close: () => dispatchers.close(),
  };
}

/** Makes one call; repeats it if the response asks for Digest and the URL has user info. */
async function sendHop(
  hop: Hop,
  source: Dispatcher | Promise<Dispatcher>,
  progress: CallProgress,
  reading: { readonly follows: boolean; readonly maxBytes: number },
): Promise<RawAnswer> {
  const dispatcher =
    source instanceof Promise
      ? await Promise.race([source, new Promise<never>((_, reject) => progress.watch(reject))])
      : source;
  const answer = await call(hop, dispatcher, progress, reading);
  if (answer.status !== 401 || hop.userInfo === null) return answer;
  const challenges = [answer.headers['www-authenticate'] ?? []].flat();
  const authorization = digestAuthorization(challenges, hop.userInfo, hop.method, hop.target.path);
  if (authorization === null) return answer;
  // `userInfo` is set only if the workflow sets no Authorization header.
  return call(
    { ...hop, headers: { ...hop.headers, authorization } },
    dispatcher,
    progress,
    reading,
  );
}

const anywhere = (): boolean => true;
const asTheyAre = (
  _: URL,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => headers;

interface Rules {
  readonly policy: AddressPolicy;
  readonly maxRedirects: number;
  /** Limit of the decompressed body. */
  readonly maxBytes: number;
  readonly allows: (to: URL) => boolean;
  readonly headersTo: (
    to: URL,
    headers: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>;
  readonly cookies: CookieStore | null;
}

async function follow(
  first: Hop,
  send: (hop: Hop, follows: boolean) => Promise<RawAnswer>,
  { policy, maxRedirects, maxBytes, allows, headersTo, cookies }: Rules,
): Promise<OutboundResponse> {
  const follows = maxRedirects > 0;
  let jar: CookieStore = cookies ?? new Cookies();
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await send(withCookies(hop, jar), follows);
    const location = locationOf(answer.headers);
    const isFollowed = follows && isRedirect(answer.status, location);
    const set = answer.headers['set-cookie'];
    if (set !== undefined && (isFollowed || cookies !== null)) jar.store(hop.target.url, set);
    if (!isFollowed) {
      const decoded = { ...answer, headers: decodedHeaders(answer.headers) };
      return isPacked(decoded) ? unpacked(decoded, maxBytes) : decoded;
    }
    if (redirects >= maxRedirects) {
      throw new OutboundError(
        'OUTBOUND_TOO_MANY_REDIRECTS',
        `More than ${maxRedirects} redirects, starting at ${first.target.url.host}.`,
      );
    }
    // Call `allows` before other checks of the redirect: callers track the targets with it.
    const { url: from } = hop.target;
    const to = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
    if (to !== null && !allows(to))
      throw new OutboundError(
        'OUTBOUND_REDIRECT_REFUSED',
        `${from.host} redirects to ${to.host || to.protocol}, where this call may not go.`,
      );
    const next = nextHop(hop, answer.status, location, policy);
    hop = { ...next, headers: headersTo(next.target.url, next.headers) };
    // Without a cookie store of the caller, cookies are not sent to another origin.
    if (cookies === null && !isSameOrigin(from, next.target.url)) jar = new Cookies();
  }
}

const isPacked = ({ headers, body }: RawAnswer): boolean =>
  headers['content-encoding'] !== undefined && body.length > 0;

async function unpacked(answer: RawAnswer, limit: number): Promise<OutboundResponse> {
  const contentEncoding = [answer.headers['content-encoding'] ?? []].flat().join(',');
  const read = await unpack(answer.body, contentEncoding, limit);
  // Unknown content codings are left to the caller.
  if (read === null) return answer;
  const headers = { ...answer.headers };
  // These headers describe the compressed body.
  delete headers['content-encoding'];
  delete headers['content-length'];
  return { status: answer.status, headers, body: read.body, ignoredCodings: read.ignored };
}

function withCookies(hop: Hop, jar: CookieStore): Hop {
  if (jar.isEmpty) return hop;
  const [name, own] = headerOf(hop.headers, 'cookie');
  const cookie = jar.headerFor(hop.target.url, own);
  return cookie === undefined ? hop : { ...hop, headers: { ...hop.headers, [name]: cookie } };
}

/** Headers of the workflow keep their spelling and override the default headers. */
function firstHop(request: OutboundRequest, target: Target): Hop {
  const names = new Map<string, string>();
  for (const name of Object.keys(request.headers)) names.set(name.toLowerCase(), name);
  const headers: Record<string, string> = {};
  for (const name of Object.keys(DEFAULT_HEADERS))
    if (!names.has(name)) headers[name] = DEFAULT_HEADERS[name];
  const userInfo =
    request.url.includes('@') && !names.has('authorization') ? userInfoOf(target.url) : null;
  if (userInfo !== null) headers.authorization = basicCredentials(userInfo);
  for (const name of names.values()) headers[name] = request.headers[name];
  return { target, method: request.method, headers, body: request.body, userInfo };
}

const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'hypha',
  accept: '*/*',
  'accept-encoding': ACCEPTED_CODINGS,
};
