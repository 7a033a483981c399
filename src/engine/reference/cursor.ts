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

  /** Moves over `part` when it stands here. */
  take(part: string): boolean {
    if (!this.at(part)) return false;
    this.offset += part.length;
    return true;
  }

  expect(part: string): void {
    if (!this.take(part)) throw this.error(`"${part}"`);
  }

  /** Moves over what a sticky pattern matches here; empty text when it does not. */
  match(sticky: RegExp): string {
    sticky.lastIndex = this.offset;
    const found = sticky.exec(this.text)?.[0] ?? '';
    this.offset += found.length;
    return found;
  }

  /** Moves to the next `end` and behind it, and gives the text before it. */
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
