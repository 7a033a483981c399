import { VERSIONS } from './frame';
import type { Frame, Version } from './frame';

/** Shortest interval of heart-beats to clients that want them, ms. */
const BEAT_MS = 10_000;
/** Maximum delay of `setInterval`, ms. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Returns the newest version that a CONNECT accepts, 1.0 if it names none, or null if none is
 * supported.
 */
export function versionOf(headers: Frame['headers']): Version | null {
  const accepted = (headers.get('accept-version') ?? '1.0').split(',').map((one) => one.trim());
  return VERSIONS.find((version) => accepted.includes(version)) ?? null;
}

/**
 * Negotiates heart-beats with a CONNECT. The client need not send any: each socket is pinged, which
 * browsers answer even in background pages, whose timers are throttled.
 */
export function beatMs(headers: Frame['headers']): {
  readonly wanted: number;
  readonly said: string;
} {
  const [, asked = '0'] = /^\d{1,15},(\d{1,15})$/.exec(headers.get('heart-beat') ?? '') ?? [];
  const wanted = Number(asked) === 0 ? 0 : Math.min(Math.max(BEAT_MS, Number(asked)), LONGEST_MS);
  return { wanted, said: `${BEAT_MS},0` };
}

/** Subprotocols of the versions in the WebSocket handshake; browsers name none with SockJS. */
const PROTOCOLS = VERSIONS.map((version) => `v${version.replace('.', '')}.stomp`);

/** Returns the subprotocol to accept of those that a client offers, or false. */
export const stompProtocol = (offered: ReadonlySet<string>): string | false =>
  PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false;
