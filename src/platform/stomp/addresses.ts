import { bearerToken } from '../http/origin';
import { queryOf, requestUrl } from '../http/request-url';
import type { IncomingMessage } from 'node:http';

/** Where SockJS is: at the prefix of the newer frontends and at that of the older ones, which some look for below the address of the API. */
export const SOCKJS_PREFIXES = ['/websocket', '/ws'] as const;

const ADDRESS = /^(?:\/api)?\/(?:websocket|ws)\/(?:([^/.]+\/[^/.]+)\/)?websocket$/;

/** What is spoken at a path: STOMP in SockJS, or bare; null: neither. */
export function envelopeAt(path: string): 'sockjs' | 'bare' | null {
  const match = ADDRESS.exec(path);
  if (!match) return null;
  return match[1] === undefined ? 'bare' : 'sockjs';
}

/** The token that a socket is opened with: `?token=Bearer%20…`, the scheme or not; or the header, for clients that can set one. */
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
