/** Supported versions of STOMP, the newest first. */
export const VERSIONS = ['1.2', '1.1', '1.0'] as const;
export type Version = (typeof VERSIONS)[number];

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
export function heartBeatMs(headers: Frame['headers']): {
  readonly sendMs: number;
  readonly header: string;
} {
  const [, requestedMs = '0'] = /^\d{1,15},(\d{1,15})$/.exec(headers.get('heart-beat') ?? '') ?? [];
  const sendMs =
    Number(requestedMs) === 0 ? 0 : Math.min(Math.max(BEAT_MS, Number(requestedMs)), LONGEST_MS);
  return { sendMs, header: `${BEAT_MS},0` };
}

/** Subprotocols of the versions in the WebSocket handshake; browsers name none with SockJS. */
const PROTOCOLS = VERSIONS.map((version) => `v${version.replace('.', '')}.stomp`);

/** Returns the subprotocol to accept of those that a client offers, or false. */
export const stompProtocol = (offered: ReadonlySet<string>): string | false =>
  PROTOCOLS.find((protocol) => offered.has(protocol)) ?? false;

/** How STOMP frames are carried in WebSocket messages. */
export interface Envelope {
  /** Sent first, before anything is received. */
  readonly opening: string | null;
  wrap(frame: string): string;
  /** Returns the contents of a message, or null if it is malformed. */
  unwrap(message: Buffer): readonly Uint8Array[] | null;
  /** Builds the last message before the socket is closed. */
  readonly closeMessage?: (code: number, reason: string) => string;
}

/** Each message is a piece of the stream of frames. */
export const BARE: Envelope = {
  opening: null,
  wrap: (frame) => frame,
  unwrap: (message) => [message],
};

/**
 * SockJS: `o` opens, `a["…"]` carries texts, `c[code,"reason"]` closes; a client
 * sends a list of texts, or one text.
 */
export const SOCKJS: Envelope = {
  opening: 'o',
  wrap: (frame) => `a[${JSON.stringify(frame)}]`,
  unwrap(message) {
    if (message.length === 0) return [];
    const content = parsed(message.toString());
    const texts: readonly unknown[] = Array.isArray(content) ? content : [content];
    return texts.every((text) => typeof text === 'string')
      ? texts.map((text) => Buffer.from(text))
      : null;
  },
  closeMessage: (code, reason) => `c${JSON.stringify([code, reason])}`,
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
/** A frame from a client. Bodies are skipped: no command that clients may send here has one. */
export interface Frame {
  readonly command: string;
  /** The first value counts if a header is repeated. */
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * A frame is rejected. The message is sent in an ERROR frame, after which the protocol requires the
 * connection to be closed: with this code.
 */
export class InvalidFrame extends Error {
  constructor(
    message: string,
    readonly closeCode: number,
  ) {
    super(message);
  }
}

/** Frames whose headers are never escaped, as in version 1.0. */
const PLAIN: ReadonlySet<string> = new Set(['CONNECT', 'CONNECTED']);
const ESCAPES: Readonly<Record<Version, Readonly<Record<string, string>>>> = {
  '1.0': {},
  '1.1': { '\\': '\\\\', '\n': '\\n', ':': '\\c' },
  '1.2': { '\\': '\\\\', '\n': '\\n', ':': '\\c', '\r': '\\r' },
};
const SPECIAL = /[\\\n\r:]/g;

/** Returns a frame as text, including its NUL. */
export function writeFrame(
  command: string,
  headers: Readonly<Record<string, string>>,
  version: Version,
  body = '',
): string {
  const escapes = PLAIN.has(command) ? {} : ESCAPES[version];
  const escaped = (text: string): string => text.replace(SPECIAL, (one) => escapes[one] ?? one);
  let head = `${command}\n`;
  for (const [name, value] of Object.entries(headers))
    head += `${escaped(name)}:${escaped(value)}\n`;
  if (body !== '') head += `content-length:${Buffer.byteLength(body)}\n`;
  return `${head}\n${body}\0`;
}

const ESCAPED = /\\[\s\S]?/g;

/**
 * Unescapes a name or value of a header. Unknown escapes are kept in version 1.1, since some
 * clients announce 1.1 and do not escape; version 1.2 requires them to be rejected.
 * @returns null if it must be rejected
 */
export function unescaped(text: string, command: string, version: Version): string | null {
  if (PLAIN.has(command) || version === '1.0' || !text.includes('\\')) return text;
  let isKnown = true;
  const plain = text.replace(ESCAPED, (escape) => {
    const [character] =
      Object.entries(ESCAPES[version]).find(([, written]) => written === escape) ?? [];
    isKnown &&= character !== undefined;
    return character ?? escape;
  });
  return isKnown || version === '1.1' ? plain : null;
}
