import { InvalidFrame, unescaped } from './frame';
import type { Frame, Version } from './frame';

const NUL = 0;
const LF = 10;
const CR = 13;

/** Maximum bytes of a command and its headers. */
const LONGEST_HEAD = 16 * 1024;
const MOST_HEADERS = 64;
/** Close codes: RFC 6455, and 4400 as for GraphQL. */
const TOO_BIG = 1009;
const MALFORMED = 4400;

const malformed = (message: string): InvalidFrame => new InvalidFrame(message, MALFORMED);

type State = 'between' | 'head' | 'body';

/**
 * Reads frames from a stream of bytes: a WebSocket message may hold several frames, or a part of
 * one. Each byte is read once, and only the head of one frame is kept.
 */
export class FrameReader {
  /** How headers are escaped; 1.0 until CONNECT names the version. */
  version: Version = '1.0';
  private state: State = 'between';
  private head = Buffer.allocUnsafe(512);
  private used = 0;
  private lineBegin = 0;
  private frame: Frame = { command: '', headers: new Map() };
  /** Bytes of the body that are still to come; null if it ends with a NUL. */
  private left: number | null = null;
  private bodyBytes = 0;

  /** @param longest maximum bytes of a frame */
  constructor(private readonly longest: number) {}

  /**
   * Yields the frames that end within these bytes, each parsed when it is requested.
   * @throws FrameRefused the bytes are not a valid frame; nothing may be read after that
   */
  *read(bytes: Uint8Array): Generator<Frame, void, undefined> {
    for (let at = 0; at < bytes.length;) {
      if (this.state === 'body') {
        at = this.readBody(bytes, at);
        // TypeScript does not know that `readBody` changes the state.
        if ((this.state as State) === 'between') yield this.frame;
        continue;
      }
      const byte = bytes[at] ?? NUL;
      at += 1;
      if (this.state === 'between') {
        // Line ends between frames are heart-beats.
        if (byte === LF || byte === CR) continue;
        this.state = 'head';
        this.used = 0;
        this.lineBegin = 0;
      }
      this.readHead(byte);
    }
  }

  private readHead(byte: number): void {
    if (byte === NUL) throw malformed('A frame has an empty line behind its headers.');
    if (this.used === LONGEST_HEAD)
      throw new InvalidFrame(`The headers of a frame have ${LONGEST_HEAD} bytes at most.`, TOO_BIG);
    if (this.used === this.head.length)
      this.head = Buffer.concat([this.head], this.head.length * 2);
    this.head[this.used] = byte;
    this.used += 1;
    if (byte !== LF) return;
    const length = this.used - 1 - this.lineBegin;
    const isEmpty = length === 0 || (length === 1 && this.head[this.lineBegin] === CR);
    this.lineBegin = this.used;
    if (!isEmpty) return;
    this.frame = this.parseHead();
    this.left = lengthIn(this.frame);
    this.bodyBytes = 0;
    this.state = 'body';
    if (this.left !== null && this.left > this.longest - this.used) throw this.tooLong();
  }

  /** Skips bytes of the body. Returns the index of the next byte to read. */
  private readBody(bytes: Uint8Array, from: number): number {
    if (this.left !== null && this.left > 0) {
      const count = Math.min(this.left, bytes.length - from);
      this.left -= count;
      return from + count;
    }
    const end = this.left === null ? bytes.indexOf(NUL, from) : from;
    this.bodyBytes += (end < 0 ? bytes.length : end) - from;
    if (this.used + this.bodyBytes > this.longest) throw this.tooLong();
    if (end < 0) return bytes.length;
    if (bytes[end] !== NUL)
      throw malformed('A frame ends with a NUL, behind as many bytes as its content-length says.');
    this.state = 'between';
    return end + 1;
  }

  private parseHead(): Frame {
    const [command = '', ...lines] = decoded(this.head.subarray(0, this.used))
      .split('\n')
      .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
    // Leaves out the two empty strings that come from the blank line.
    const fields = lines.slice(0, -2);
    if (fields.length > MOST_HEADERS)
      throw malformed(`A frame has ${MOST_HEADERS} headers at most.`);
    const headers = new Map<string, string>();
    for (const field of fields) {
      const colon = field.indexOf(':');
      const [name, value] = [field.slice(0, Math.max(colon, 0)), field.slice(colon + 1)].map(
        (text) => unescaped(text, command, this.version),
      );
      if (colon < 0 || name == null || value == null)
        throw malformed('A header is a name, a colon and a value, escaped as the version wants.');
      if (!headers.has(name)) headers.set(name, value);
    }
    return { command, headers };
  }

  private tooLong(): InvalidFrame {
    return new InvalidFrame(`A frame has ${this.longest} bytes at most.`, TOO_BIG);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw malformed('Frames are UTF-8.');
  }
}

/** Returns the content-length of a frame, or null. */
function lengthIn({ headers }: Frame): number | null {
  const value = headers.get('content-length');
  if (value === undefined) return null;
  if (!/^\d{1,9}$/.test(value)) throw malformed('The content-length is a number of bytes.');
  return Number(value);
}
