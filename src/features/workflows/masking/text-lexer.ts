import { endOfReference } from '../../../platform/secrets';

/** Character classes, as bits. */
const BLANK = 1;
const BEFORE_QUOTE = 2;
const ENDS_WORD = 4;
export const ENDS_AUTHORITY = 8;

/** The characters that `\s` matches. */
const SPACES =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const KINDS = kindsOf([
  [BLANK, ' \t\r\n'],
  // An apostrophe within a word does not start a quoted text.
  [BEFORE_QUOTE, `${SPACES}:=,;&?(){}[]<>`],
  [ENDS_WORD, `${SPACES}"'\`=:&?,;{}()[]<>/\\`],
  [ENDS_AUTHORITY, `${SPACES}/?#"'<>\\`],
]);

function kindsOf(kinds: readonly (readonly [kind: number, characters: string])[]): Uint8Array {
  const all = new Uint8Array(0x10000);
  for (const [kind, characters] of kinds)
    for (let at = 0; at < characters.length; at += 1) all[characters.charCodeAt(at)] |= kind;
  return all;
}

/** Returns whether the character at this position has this class. False past the end. */
export const isKind = (text: string, at: number, kind: number): boolean =>
  at < text.length && ((KINDS[text.charCodeAt(at)] ?? 0) & kind) !== 0;

/** A piece of text that may be a name or a value. */
export interface Token {
  readonly kind: 'quoted' | 'bare' | 'reference' | 'mark';
  readonly from: number;
  readonly to: number;
}

const BACKSLASH = 0x5c;

/**
 * Splits texts of any format (JSON, forms, URLs, XML, GraphQL) into names and values. Only moves
 * forward.
 */
export class TextLexer {
  at = 0;
  /** Quotes without a closing one. Remembered, so that the text is scanned only once for each. */
  private readonly unclosed = new Set<string>();

  constructor(readonly text: string) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  skipBlanks(): void {
    while (isKind(this.text, this.at, BLANK)) this.at += 1;
  }

  next(): Token | null {
    this.skipBlanks();
    if (this.done) return null;
    const from = this.at;
    const reference = endOfReference(this.text, from);
    if (reference >= 0) return this.token('reference', from, reference);
    const quote = this.text[from] ?? '';
    if (
      (quote === '"' || quote === "'") &&
      (from === 0 || isKind(this.text, from - 1, BEFORE_QUOTE))
    ) {
      const end = this.endOfQuoted(quote);
      if (end > 0) return this.token('quoted', from, end);
    }
    let to = from;
    while (to < this.text.length && !isKind(this.text, to, ENDS_WORD)) to += 1;
    return to > from ? this.token('bare', from, to) : this.token('mark', from, from + 1);
  }

  /** Reads up to the first of these characters or the end of the line; references are not split. */
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

  /** The position after the closing quote, or -1 if there is none. */
  private endOfQuoted(quote: string): number {
    if (this.unclosed.has(quote)) return -1;
    const closing = quote.charCodeAt(0);
    for (let to = this.at + 1; to < this.text.length; to += 1) {
      const code = this.text.charCodeAt(to);
      if (code === BACKSLASH) to += 1;
      else if (code === closing) return to + 1;
    }
    this.unclosed.add(quote);
    return -1;
  }
}
