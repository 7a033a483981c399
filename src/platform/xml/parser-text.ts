import type { SaxesParser } from 'saxes';

/** Longer than any entity of XML, written by name or by number. */
const MAX_ENTITY = 32;

/** Texts up to this length stay in the parser. */
const MAX_KEPT = 2;
/** V8 makes trees of longer texts only. */
const MIN_TREE = 13;

/** Fields of the parser, which appends to both one character at a time; `saxes` is pinned to the version that has them. */
interface Appended {
  text: string;
  entity: string;
}

/**
 * The text that the parser holds of a construct it has not finished: text, CDATA, a comment, an attribute value.
 * V8 keeps a text that grows by appending as a tree of 32 bytes a node, which took 330 MB for one CDATA of 10 MB. So after each
 * piece of the document the text is taken out of the parser, copied flat, and put in front of what the parser reports later.
 */
export class ParserText {
  private readonly parser: Appended;
  private parts: string[] = [];

  constructor(parser: SaxesParser<{ xmlns: false }>) {
    this.parser = parser as unknown as Appended;
  }

  /** To be called after each piece. Returns false if an entity is longer than any that is defined. */
  take(): boolean {
    const { parser } = this;
    // The last character stays, with both of its halves: the parser reports nothing where it has no text.
    if (parser.text.length > MAX_KEPT) {
      const whole = flat(parser.text);
      const end = whole.length - (isSecondHalf(whole.charCodeAt(whole.length - 1)) ? 2 : 1);
      this.parts.push(whole.slice(0, end));
      parser.text = whole.slice(end);
    }
    return parser.entity.length <= MAX_ENTITY;
  }

  /** The whole text of a construct, of which the parser reports the end. */
  whole(reported: string): string {
    if (this.parts.length === 0) return flat(reported);
    this.parts.push(reported);
    const whole = this.parts.join('');
    this.parts = [];
    return whole;
  }

  /** Forgets the text of a construct that is not kept. */
  drop(): void {
    this.parts = [];
  }
}

const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** A copy that is no tree, and no part of a longer text that would stay in memory with it. */
const flat = (text: string): string =>
  text.length < MIN_TREE ? text : Buffer.from(text).toString();
