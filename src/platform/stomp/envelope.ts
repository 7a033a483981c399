/** How the frames of STOMP travel in the messages of a socket. */
export interface Envelope {
  /** What is said first, before anything is heard. */
  readonly opening: string | null;
  wrap(frame: string): string;
  /** What a message holds; null: it is none. */
  unwrap(message: Buffer): readonly Uint8Array[] | null;
  /** What is said before the socket is closed. */
  readonly farewell?: (code: number, reason: string) => string;
}

/** Each message is a piece of the stream of frames. */
export const BARE: Envelope = {
  opening: null,
  wrap: (frame) => frame,
  unwrap: (message) => [message],
};

/** As SockJS does it over a WebSocket: `o` opens, `a["…"]` carries texts, `c[code,"why"]` closes; a client sends lists of texts, or one. */
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
