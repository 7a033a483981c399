import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config/config';
import type { Origin } from '../context';
import { RUN_HEADER } from '../crypto/run-marks';
import { isForeignPage } from './allowed-origin';
import { clientNetwork } from './client-network';
import { newRequestId } from './request-id';
import { clientAddress, plainAddress, trustedProxies } from './trusted-proxies';

/** Where a request came from; the same answer each time for one request. Works for HTTP requests and socket upgrades. */
export type OriginReader = (request: IncomingMessage) => Origin;

/** Of a request that was read: every door gives one request one id. A map beside the requests costs more than the rest of the reading, where thousands of sockets keep theirs. */
const READ = Symbol('origin');
type MaybeRead = IncomingMessage & { [READ]?: Origin };

const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
/** More than any master password has. */
const LONGEST_PASSWORD = 512;
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Is this a Host header a link may be built from? */
export const isHost = (host: string | undefined): host is string => host !== undefined && HOST.test(host);

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

/**
 * Reads id, address and base URL of requests. An inbound `X-Request-Id` is kept beside ours when it is short and plain; `X-Forwarded-*` counts
 * only when a trusted proxy sent it; the configured public URL wins over what a request says of itself.
 */
export function createOriginReader(config: Pick<Config, 'server' | 'cors'>): OriginReader {
  const { publicUrl, pathPrefix, trustedProxies: proxies, host, port } = config.server;
  const isTrusted = trustedProxies(proxies);
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin;
  const fallbackHost = `${host.includes(':') ? `[${host}]` : host}:${port}`;

  const read = ({ headers, socket }: IncomingMessage): Origin => {
    const peer = plainAddress(socket.remoteAddress ?? '');
    const behindProxy = isTrusted(peer);
    const inboundId = first(headers['x-request-id']);
    const address = clientAddress(peer, [headers['x-forwarded-for']].flat().join(','), isTrusted);
    const ownOrigin = publicOrigin ?? `${schemeOf(headers, behindProxy, socket)}://${hostOf(headers, behindProxy, fallbackHost)}`;
    return {
      requestId: newRequestId(),
      clientRequestId: inboundId !== undefined && REQUEST_ID.test(inboundId) ? inboundId : null,
      address,
      network: clientNetwork(address),
      userAgent: (headers['user-agent'] ?? '').slice(0, 512),
      ownOrigin,
      baseUrl: ownOrigin + pathPrefix,
      masterPassword: headers['x-master-password'] === undefined ? undefined : String(headers['x-master-password']).slice(0, LONGEST_PASSWORD),
      runMark: first(headers[RUN_HEADER]),
      foreignPage: isForeignPage(config.cors.origins, headers, ownOrigin),
    };
  };

  return (request: MaybeRead) => (request[READ] ??= read(request));
}

/** The token of an `Authorization: Bearer ...` header, or undefined. */
export function bearerToken(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
