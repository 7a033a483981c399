import type { SaxesParser } from 'saxes';

/** Longer than any entity of XML, named or numeric. */
const MAX_ENTITY = 32;

/** Texts up to this length stay in the parser. */
const MAX_KEPT = 2;
/** V8 builds trees (ropes) for longer texts only. */
const MIN_TREE = 13;

/** Internal fields of the parser, appended to one character at a time; `saxes` is pinned. */
interface Appended {
  text: string;
  entity: string;
}

/**
 * Collects the text of an unfinished construct (text, CDATA, comment, attribute value). V8 stores a
 * string built by appending as a tree with 32 bytes per node: 330 MB for a CDATA section of 10 MB.
 * Therefore, after each piece the text is moved out of the parser as a flat copy.
 */
export class ParserText {
  private readonly parser: Appended;
  private parts: string[] = [];

  constructor(parser: SaxesParser<{ xmlns: false }>) {
    this.parser = parser as unknown as Appended;
  }

  /** Call after each piece. Returns false if an entity is longer than any valid one. */
  take(): boolean {
    const { parser } = this;
    // Leave the last character in the parser (both halves): it reports nothing without text.
    if (parser.text.length > MAX_KEPT) {
      const whole = flat(parser.text);
      const end = whole.length - (isSecondHalf(whole.charCodeAt(whole.length - 1)) ? 2 : 1);
      this.parts.push(whole.slice(0, end));
      parser.text = whole.slice(end);
    }
    return parser.entity.length <= MAX_ENTITY;
  }

  /** Returns the whole text of a construct when the parser reports its end. */
  whole(reported: string): string {
    if (this.parts.length === 0) return flat(reported);
    this.parts.push(reported);
    const whole = this.parts.join('');
    this.parts = [];
    return whole;
  }

  /** Discards the text of a construct. */
  drop(): void {
    this.parts = [];
  }
}

const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** Copies the text, so that it is neither a tree nor a slice that keeps a longer text in memory. */
const flat = (text: string): string =>
  text.length < MIN_TREE ? text : Buffer.from(text).toString();
