/** How STOMP frames are carried in WebSocket messages. */
export interface Envelope {
  /** Sent first, before anything is received. */
  readonly opening: string | null;
  wrap(frame: string): string;
  /** Returns the contents of a message, or null if it is malformed. */
  unwrap(message: Buffer): readonly Uint8Array[] | null;
  /** Builds the last message before the socket is closed. */
  readonly farewell?: (code: number, reason: string) => string;
}

/** Each message is a piece of the stream of frames. */
export const BARE: Envelope = {
  opening: null,
  wrap: (frame) => frame,
  unwrap: (message) => [message],
};

/**
 * SockJS over a WebSocket: `o` opens, `a["…"]` carries texts, `c[code,"reason"]` closes; a client
 * sends a list of texts, or one text.
 */
export const SOCKJS: Envelope = {
  opening: 'o',
  wrap: (frame) => `a[${JSON.stringify(frame)}]`,
  unwrap(message) {
    if (message.length === 0) return [];
    const heard = parsed(message.toString());
    const texts: readonly unknown[] = Array.isArray(heard) ? heard : [heard];
    return texts.every((text) => typeof text === 'string')
      ? texts.map((text) => Buffer.from(text))
      : null;
  },
  farewell: (code, reason) => `c${JSON.stringify([code, reason])}`,
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
