/** Supported versions of STOMP, the newest first. */
export const VERSIONS = ['1.2', '1.1', '1.0'] as const;
export type Version = (typeof VERSIONS)[number];

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
export class FrameRefused extends Error {
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
  const meant = text.replace(ESCAPED, (escape) => {
    const [character] =
      Object.entries(ESCAPES[version]).find(([, written]) => written === escape) ?? [];
    isKnown &&= character !== undefined;
    return character ?? escape;
  });
  return isKnown || version === '1.1' ? meant : null;
}
