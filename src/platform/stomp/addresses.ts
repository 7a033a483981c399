import { bearerToken } from '../http/origin';
import { queryOf, requestUrl } from '../http/request-url';
import type { IncomingMessage } from 'node:http';

/** Paths of SockJS in the newer and in the older frontends; some look for them below `/api`. */
export const SOCKJS_PREFIXES = ['/websocket', '/ws'] as const;

const ADDRESS = /^(?:\/api)?\/(?:websocket|ws)\/(?:([^/.]+\/[^/.]+)\/)?websocket$/;

/** Returns how STOMP is carried at a path, or null if it is not served there. */
export function envelopeAt(path: string): 'sockjs' | 'bare' | null {
  const match = ADDRESS.exec(path);
  if (!match) return null;
  return match[1] === undefined ? 'bare' : 'sockjs';
}

/**
 * Reads the token of the upgrade request: `?token=Bearer%20…`, with or without the scheme, or the
 * header, for clients that can set one.
 */
export function socketToken({ url, headers }: IncomingMessage): string | undefined {
  const { token } = queryIn(requestUrl(url).search);
  const said = typeof token === 'string' ? token.trim().replace(/^Bearer +/i, '') : '';
  return said === '' ? bearerToken(headers) : said;
}

function queryIn(search: string): Record<string, string | string[]> {
  try {
    return queryOf(search);
  } catch {
    return {};
  }
}
