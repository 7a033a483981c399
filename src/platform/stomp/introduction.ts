import { VERSIONS } from './frame';
import type { Frame, Version } from './frame';

/** How often something is said to clients that want to hear that we are there, ms. */
const BEAT_MS = 10_000;
/** The longest time `setInterval` can wait, ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** The newest version that a CONNECT accepts, 1.0 where it names none; null: we speak none of them. */
export function versionOf(headers: Frame['headers']): Version | null {
  const accepted = (headers.get('accept-version') ?? '1.0').split(',').map((one) => one.trim());
  return VERSIONS.find((version) => accepted.includes(version)) ?? null;
}

/**
 * The heart-beats that a CONNECT and we agree on. We want none of the client: each socket is pinged, which its page need not answer itself,
 * and pages in the background have their timers held back.
 */
export function beatMs(headers: Frame['headers']): {
  readonly wanted: number;
  readonly said: string;
} {
  const [, asked = '0'] = /^\d{1,15},(\d{1,15})$/.exec(headers.get('heart-beat') ?? '') ?? [];
  const wanted = Number(asked) === 0 ? 0 : Math.min(Math.max(BEAT_MS, Number(asked)), LONGEST_MS);
  return { wanted, said: `${BEAT_MS},0` };
}

/** How the versions are called where a WebSocket is opened; browsers name none in SockJS. */
const PROTOCOLS = VERSIONS.map((version) => `v${version.replace('.', '')}.stomp`);

/** Which of the subprotocols that a client offers is taken. */
export const stompProtocol = (offered: ReadonlySet<string>): string | false =>
  PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false;
