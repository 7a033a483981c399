import { bearerToken } from '../http/origin';
import { queryOf, requestUrl } from '../http/request-url';
import type { IncomingMessage } from 'node:http';

/** Paths of SockJS in the newer and in the older frontends; some look for them below `/api`. */
export const SOCKJS_PREFIXES = ['/websocket', '/ws'] as const;

const ADDRESS = /^(?:\/api)?\/(?:websocket|ws)\/(?:([^/.]+\/[^/.]+)\/)?websocket$/;

const XHR = /^(?:\/api)?\/(?:websocket|ws)\/[^/.]+\/([^/.]+)\/(xhr_streaming|xhr_send|xhr)$/;

/** The fallbacks of SockJS that are served, for clients whose proxy does not pass WebSockets. */
export type XhrTransport = 'xhr_streaming' | 'xhr_send' | 'xhr';

/** Returns the session and the transport of SockJS that a path names, or null. */
export function xhrAt(
  path: string,
): { readonly session: string; readonly transport: XhrTransport } | null {
  const [, session, transport] = XHR.exec(path) ?? [];
  return session === undefined ? null : { session, transport: transport as XhrTransport };
}

/** Returns how STOMP is carried at a path, or null if it is not served there. */
export function envelopeAt(path: string): 'sockjs' | 'bare' | null {
  const match = ADDRESS.exec(path);
  if (!match) return null;
  return match[1] === undefined ? 'bare' : 'sockjs';
}

/** What the request that opens a socket says about its client. */
export interface SocketClaims {
  /** `?token=Bearer%20…`, with or without the scheme, or the header. */
  readonly token: string | undefined;
  /** The schedule whose log a 4.x client shows; null if none is named. */
  readonly scheduleId: number | null;
}

export function socketClaims({ url, headers }: IncomingMessage): SocketClaims {
  const { token, schedulerId } = queryIn(requestUrl(url).search);
  const queryToken = typeof token === 'string' ? token.trim().replace(/^Bearer +/i, '') : '';
  return {
    token: queryToken === '' ? bearerToken(headers) : queryToken,
    scheduleId:
      typeof schedulerId === 'string' && /^[1-9]\d{0,9}$/.test(schedulerId)
        ? Number(schedulerId)
        : null,
  };
}

function queryIn(search: string): Record<string, string | string[]> {
  try {
    return queryOf(search);
  } catch {
    return {};
  }
}
