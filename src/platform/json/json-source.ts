import { BadInput } from '../errors/errors';
import { mayNameProto, requireFitValue } from './judge';

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

  private decode(from: number, to: number): string {
    try {
      return this.decoder.decode(this.bytes.subarray(from, to));
    } catch {
      throw new BadInput('BAD_REQUEST', 'The body is not valid UTF-8.');
    }
  }
}
