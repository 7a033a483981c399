import { syntaxError } from '../errors';

/** A place in a text that only moves forward. */
export class Cursor {
  constructor(
    readonly text: string,
    public offset = 0,
  ) {}

  get done(): boolean {
    return this.offset >= this.text.length;
  }

  at(part: string): boolean {
    return this.text.startsWith(part, this.offset);
  }

  /** Consumes `part` if it is next; returns whether it was. */
  take(part: string): boolean {
    if (!this.at(part)) return false;
    this.offset += part.length;
    return true;
  }

  expect(part: string): void {
    if (!this.take(part)) throw this.error(`"${part}"`);
  }

  /** Consumes and returns what a sticky pattern matches here; empty if it does not match. */
  match(sticky: RegExp): string {
    sticky.lastIndex = this.offset;
    const match = sticky.exec(this.text)?.[0] ?? '';
    this.offset += match.length;
    return match;
  }

  /** Returns the text up to the next `end` and moves past it. */
  until(end: string): string {
    const stop = this.text.indexOf(end, this.offset);
    if (stop < 0) throw syntaxError(this.text, this.text.length, `"${end}"`);
    const part = this.text.slice(this.offset, stop);
    this.offset = stop + end.length;
    return part;
  }

  error(expected: string): Error {
    return syntaxError(this.text, this.offset, expected);
  }
}
