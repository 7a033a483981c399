import { endOfReference } from '../../../platform/secrets';

/** A piece of text that may be a name or a value: where it stands, and what it says without quotes. */
export interface Token {
  readonly kind: 'quoted' | 'bare' | 'reference' | 'mark';
  readonly from: number;
  readonly to: number;
}

const BLANK = /[ \t\r\n]/;
/** An apostrophe within a word opens nothing. */
const BEFORE_QUOTE = /[\s:=,;&?(){}[\]<>]/;
const ENDS_BARE = /[\s"'`=:&?,;{}()[\]<>/\\]/;

/** Reads texts of any kind (JSON, forms, URLs, XML, GraphQL) as far as names and values go. Only moves forward. */
export class TextLexer {
  at = 0;
  /** A quote that is never closed is no quote; nobody looks twice. */
  private readonly unclosed = new Set<string>();

  constructor(readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  skipBlanks(): void {
    while (!this.done && BLANK.test(this.text[this.at] ?? '')) this.at += 1;
  }

  next(): Token | null {
    this.skipBlanks();
    if (this.done) return null;
    const from = this.at;
    const reference = endOfReference(this.text, from);
    if (reference >= 0) return this.token('reference', from, reference);
    const quote = this.text[from] ?? '';
    if ((quote === '"' || quote === "'") && BEFORE_QUOTE.test(this.text[from - 1] ?? ' ')) {
      const end = this.endOfQuoted(quote);
      if (end > 0) return this.token('quoted', from, end);
    }
    let to = from;
    while (to < this.text.length && !ENDS_BARE.test(this.text[to] ?? '')) to += 1;
    return to > from ? this.token('bare', from, to) : this.token('mark', from, from + 1);
  }

  /** To the first of these characters, or the end of the line; references stay whole. */
  until(ends: string): Token {
    const from = this.at;
    let to = from;
    while (to < this.text.length) {
      const reference = endOfReference(this.text, to);
      if (reference >= 0) {
        to = reference;
        continue;
      }
      const char = this.text[to] ?? '';
      if (char === '\n' || char === '\r' || ends.includes(char)) break;
      to += 1;
    }
    return this.token('bare', from, to);
  }

  private token(kind: Token['kind'], from: number, to: number): Token {
    this.at = to;
    return { kind, from, to };
  }

  /** Just behind the closing quote; -1 when there is none. */
  private endOfQuoted(quote: string): number {
    if (this.unclosed.has(quote)) return -1;
    for (let to = this.at + 1; to < this.text.length; to += 1) {
      if (this.text[to] === '\\') to += 1;
      else if (this.text[to] === quote) return to + 1;
    }
    this.unclosed.add(quote);
    return -1;
  }
}
