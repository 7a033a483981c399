import { BadInput } from '../errors/errors';
import { mayNameProto, requireExactNumber, requireFitValue } from './judge';

const ZERO = 0x30;
const NINE = 0x39;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const SMALL_E = 0x65;
const CAPITAL_E = 0x45;

/** Numbers of at most this length are exact, since the exponent has at most two digits. */
const EXACT_CHARACTERS = 4;
/** Numbers with at most this many digits are exact. */
const EXACT_DIGITS = 15;

export const brokenJson = (): BadInput =>
  new BadInput('BAD_REQUEST', 'The body is not valid JSON.');

/** Decodes and parses parts of a JSON text, given as bytes. */
export class JsonSource {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  constructor(private readonly bytes: Buffer) {}

  parse(from: number, to: number, opening: string, closing: string): unknown {
    const text = this.decode(from, to);
    if (opening === '' && text.trim() === '') return undefined;
    let value: unknown;
    try {
      value = JSON.parse(opening + text + closing);
    } catch {
      // The message of JSON.parse quotes the body, which may contain a password.
      throw brokenJson();
    }
    if (mayNameProto(text)) requireFitValue(value);
    return value;
  }

  requireBlank(from: number, to: number): void {
    if (!this.isBlank(from, to)) throw brokenJson();
  }

  isBlank(from: number, to: number): boolean {
    return from >= to || !/[^ \t\r\n]/.test(this.decode(from, to));
  }

  /**
   * Returns the end of the number at `from`. `JSON.parse` rejects what is not a number.
   * @param acceptsAny numbers that a double cannot hold are accepted
   * @throws BadInput a double cannot hold the number
   */
  readNumber(from: number, acceptsAny: boolean): number {
    const { bytes } = this;
    let hasExponent = false;
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte >= ZERO && byte <= NINE) continue;
      if (byte === SMALL_E || byte === CAPITAL_E) hasExponent = true;
      else if (byte !== DOT && byte !== PLUS && byte !== MINUS) break;
    }
    const length = at - from;
    if (acceptsAny || length <= EXACT_CHARACTERS || (length <= EXACT_DIGITS && !hasExponent))
      return at;
    const token = bytes.toString('latin1', from, at);
    if (!Number.isNaN(Number(token))) requireExactNumber(token);
    return at;
  }

  private decode(from: number, to: number): string {
    try {
      return this.decoder.decode(this.bytes.subarray(from, to));
    } catch {
      throw new BadInput('BAD_REQUEST', 'The body is not valid UTF-8.');
    }
  }
}
