/** The versions of STOMP that are spoken, the newest first. */
export const VERSIONS = ['1.2', '1.1', '1.0'] as const;
export type Version = (typeof VERSIONS)[number];

/** What a client sends. Bodies are read past: nothing that a client may say here has one. */
export interface Frame {
  readonly command: string;
  /** Of a header that stands there several times the first counts. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Why a frame is not taken. It is said in an ERROR frame, after which the protocol wants the connection closed: with this code. */
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

/** The text of a frame, its NUL included. */
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
 * A name or value of a header as it was meant. What is no escape stands as it is in version 1.1, for there are clients that say 1.1 and do
 * not escape; version 1.2 wants it refused.
 * @returns null where it is refused
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
