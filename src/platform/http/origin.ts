import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hostInUrl } from '../text/host';
import type { Config } from '../../config/config';
import type { Origin, RequestMarks } from '../context';
import { RUN_HEADER } from '../crypto/run-marks';
import { isAllowedOrigin, isForeignPage } from './allowed-origin';
import { clientAddress, plainAddress, trustedProxies } from '../trusted-proxies';
import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { randomFillSync } from 'node:crypto';

const BYTES = 16;
/** Random bytes for the next ids: fetching many at once is a thousand times faster. */
const pool = Buffer.alloc(256 * BYTES);
let used = pool.length;

const HEX = Buffer.from('0123456789abcdef');
/** Positions of the two hex digits of each byte. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const text = Buffer.from('00000000-0000-0000-0000-000000000000');

/**
 * Returns a random UUID (RFC 9562, version 4) as one flat string. The string of Node's `randomUUID`
 * is a chain of twenty pieces, ten times as large, which each open socket would keep for hours;
 * flattening it takes three times as long as this.
 */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  pool[used + 6] = (pool[used + 6] & 0x0f) | 0x40;
  pool[used + 8] = (pool[used + 8] & 0x3f) | 0x80;
  for (const place of PLACES) {
    const byte = pool[used++];
    text[place] = HEX[byte >> 4];
    text[place + 1] = HEX[byte & 15];
  }
  return text.toString('latin1');
}

/**
 * Identifies a client for limits: an IPv4 address, also one mapped into IPv6, or the /64 of an IPv6
 * address, `2001:db8:1:2::/64`: a subscriber is given at least that much (RFC 6177) and chooses the
 * rest. A text that is not an address is returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const plain = ipaddr.process(address);
  return plain instanceof ipaddr.IPv6
    ? `${new ipaddr.IPv6([...plain.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
    : plain.toString();
}

/** Reads where a request came from; returns the same object each time for one request. */
export type OriginReader = (request: IncomingMessage) => Origin;
/**
 * Like `OriginReader`, but does not read the address yet: for requests that are about to become
 * sockets.
 */
export type ArrivalReader = (request: IncomingMessage) => Arrival;

/**
 * Key of the `Arrival` that is stored on a request, so that all handlers use the same request id. A
 * map would cost more than all other work, with the requests of thousands of sockets in it.
 */
const READ = Symbol('arrival');
/** Key of the `traceparent` of the span of a request; none without tracing. */
const TRACE = Symbol('trace');
/** Key of the rules of the port that received a request; none for the port of the service. */
const RULES = Symbol('rules');
type MaybeRead = IncomingMessage & { [READ]?: Arrival; [TRACE]?: string; [RULES]?: Rules };

/** Must be called before the request is read. */
export function setTrace(request: MaybeRead, traceparent: string): void {
  request[TRACE] = traceparent;
}

const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
/** Longer than any master password. */
const LONGEST_PASSWORD = 512;
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Returns whether links may be built from this Host header. */
export const isHost = (host: string | undefined): host is string =>
  host !== undefined && HOST.test(host);

const first = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.split(',')[0]?.trim();

const isEncrypted = (socket: Socket): boolean => 'encrypted' in socket && socket.encrypted === true;

function schemeOf(headers: IncomingHttpHeaders, behindProxy: boolean, socket: Socket): string {
  const forwarded = behindProxy ? first(headers['x-forwarded-proto'])?.toLowerCase() : undefined;
  if (forwarded === 'https' || forwarded === 'http') return forwarded;
  return isEncrypted(socket) ? 'https' : 'http';
}

function hostOf(headers: IncomingHttpHeaders, behindProxy: boolean, fallback: string): string {
  const forwarded = behindProxy ? first(headers['x-forwarded-host']) : undefined;
  if (isHost(forwarded)) return forwarded;
  return isHost(headers.host) ? headers.host : fallback;
}

/** Settings for reading origins. */
interface Rules {
  readonly isTrusted: (address: string) => boolean;
  readonly publicOrigin: string | null;
  readonly pathPrefix: string;
  readonly fallbackHost: string;
  readonly origins: readonly string[];
  /** Returns the origin of the service's pages, if that is another port. */
  readonly pageOrigin: (own: string) => string | null;
}

/**
 * A new request. The address of its connection is read only when it is needed: that takes the
 * kernel as long as all other work, and thousands of sockets may connect at once. It must be read
 * while the connection is open.
 */
class Arrival implements RequestMarks {
  readonly requestId = newRequestId();
  readonly clientRequestId: string | null;
  readonly runMark: string | undefined;
  readonly ownOrigin: string;
  private readonly ownOrigins: readonly string[];
  private readonly foreignPage: boolean;
  private readonly userAgent: string;
  private readonly masterPassword: string | undefined;
  private readonly forwardedFor: string | undefined;
  private read: Origin | undefined;

  constructor(
    private readonly rules: Rules,
    headers: IncomingHttpHeaders,
    private readonly connection: Socket,
    readonly trace: string | undefined,
  ) {
    const { publicOrigin, fallbackHost, origins, isTrusted, pageOrigin } = rules;
    const inboundId = first(headers['x-request-id']);
    this.clientRequestId = inboundId !== undefined && REQUEST_ID.test(inboundId) ? inboundId : null;
    this.runMark = first(headers[RUN_HEADER]);
    const isForwarded =
      headers['x-forwarded-proto'] !== undefined || headers['x-forwarded-host'] !== undefined;
    const behindProxy = isForwarded && isTrusted(this.peer());
    this.ownOrigin =
      publicOrigin ??
      `${schemeOf(headers, behindProxy, connection)}://${hostOf(headers, behindProxy, fallbackHost)}`;
    // Other requests do not need the second origin.
    const pages = headers.origin === undefined ? null : pageOrigin(this.ownOrigin);
    this.ownOrigins = pages === null ? [this.ownOrigin] : [this.ownOrigin, pages];
    this.foreignPage = isForeignPage(origins, headers, this.ownOrigins);
    this.userAgent = (headers['user-agent'] ?? '').slice(0, 512);
    this.masterPassword =
      headers['x-master-password'] === undefined
        ? undefined
        : String(headers['x-master-password']).slice(0, LONGEST_PASSWORD);
    this.forwardedFor =
      headers['x-forwarded-for'] === undefined
        ? undefined
        : [headers['x-forwarded-for']].flat().join(',');
  }

  get origin(): Origin {
    return (this.read ??= this.readOrigin());
  }

  get address(): string {
    return this.origin.address;
  }

  /** Returns whether pages of this origin may call the API here. */
  allows(origin: string): boolean {
    return isAllowedOrigin(this.rules.origins, origin, this.ownOrigins);
  }

  private peer(): string {
    return plainAddress(this.connection.remoteAddress ?? '');
  }

  private readOrigin(): Origin {
    const {
      requestId,
      clientRequestId,
      userAgent,
      ownOrigin,
      masterPassword,
      runMark,
      trace,
      foreignPage,
      rules: { pathPrefix, isTrusted },
    } = this;
    const address = clientAddress(this.peer(), this.forwardedFor, isTrusted);
    return {
      requestId,
      clientRequestId,
      address,
      network: clientNetwork(address),
      userAgent,
      ownOrigin,
      baseUrl: ownOrigin + pathPrefix,
      masterPassword,
      runMark,
      ...(trace !== undefined && { trace }),
      foreignPage,
    };
  }
}

/**
 * Reads id, address and base URL of requests. An inbound `X-Request-Id` is kept in addition to ours
 * if it is short and plain. `X-Forwarded-*` counts only from a trusted proxy. The configured public
 * URL takes precedence over what a request contains.
 */
export function createArrivalReader(config: Pick<Config, 'server' | 'cors'>): ArrivalReader {
  const { publicUrl, pathPrefix, trustedProxies: proxies, host, port } = config.server;
  const rules: Rules = {
    isTrusted: trustedProxies(proxies),
    publicOrigin: publicUrl === null ? null : new URL(publicUrl).origin,
    pathPrefix,
    fallbackHost: `${hostInUrl(host)}:${port}`,
    origins: config.cors.origins,
    pageOrigin: () => null,
  };
  return (request: MaybeRead) =>
    (request[READ] ??= new Arrival(
      request[RULES] ?? rules,
      request.headers,
      request.socket,
      request[TRACE],
    ));
}

function withPort(origin: string, port: number): string {
  const url = new URL(origin);
  url.port = String(port);
  return url.origin;
}

/**
 * Marks requests that arrive at the additional port: links lead back to that port, and pages of the
 * port of the service may call it. A request must be marked before it is read.
 * @param port the port of the service
 */
export function createAdditionalMarker(
  config: Pick<Config, 'server' | 'cors'>,
  port: number,
): (request: IncomingMessage) => void {
  const { publicUrl, trustedProxies: proxies, host, additionalPort } = config.server;
  const rules: Rules = {
    isTrusted: trustedProxies(proxies),
    publicOrigin: null,
    pathPrefix: '',
    fallbackHost: `${hostInUrl(host)}:${additionalPort}`,
    origins: config.cors.origins,
    pageOrigin: (own) => (publicUrl === null ? withPort(own, port) : new URL(publicUrl).origin),
  };
  return (request: MaybeRead) => {
    request[RULES] = rules;
  };
}

/** Like `createArrivalReader`, but reads the address at once. */
export function createOriginReader(config: Pick<Config, 'server' | 'cors'>): OriginReader {
  const arrivalOf = createArrivalReader(config);
  return (request) => arrivalOf(request).origin;
}

/** The token of an `Authorization: Bearer ...` header, or undefined. */
export function bearerToken(headers: IncomingHttpHeaders): string | undefined {
  return headers.authorization === undefined
    ? undefined
    : /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1];
}
