/** A node of an XML text with its position; for an element, the position of its content. */
export interface XmlNode {
  readonly kind: 'root' | 'element' | 'attribute' | 'text' | 'comment';
  /** Includes the prefix. */
  readonly name: string;
  readonly parent: XmlNode | null;
  readonly children: XmlNode[];
  readonly attributes: XmlNode[];
  /** Position in document order. */
  readonly order: number;
  readonly start: number;
  end: number;
  /** Decoded text of nodes without children. */
  value: string;
}

/** Maximum nesting of elements. */
const DEEPEST = 500;
const NAME = '[^\\s<>/=\'"&!?]+';
const START = new RegExp(`<(${NAME})`, 'y');
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const END_OF_START = /\s*(\/?)>/y;
const END = new RegExp(`</(${NAME})\\s*>`, 'y');
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * Parses XML into nodes. Decodes the five predefined entities only.
 * @throws SyntaxError invalid XML, or a `DOCTYPE`
 */
export function xmlNodes(text: string): XmlNode {
  return new NodeReader(text).read();
}

class NodeReader {
  private at = 0;
  private order = 0;
  private depth = 0;
  private open: XmlNode;
  private readonly root: XmlNode;

  constructor(private readonly text: string) {
    this.root = this.node('root', '', null, 0, text.length);
    this.open = this.root;
  }

  read(): XmlNode {
    while (this.at < this.text.length) this.readNext();
    if (this.open !== this.root || !this.root.children.some(({ kind }) => kind === 'element'))
      throw new SyntaxError('An element has no end, or there is none.');
    return this.root;
  }

  private readNext(): void {
    const { text, at } = this;
    if (text[at] !== '<') this.readText(at, this.orEnd('<', at), '');
    else if (text.startsWith('<!--', at))
      this.open.children.push(
        this.node('comment', '', this.open, at + 4, this.behind('-->', at + 4) - 3),
      );
    else if (text.startsWith('<![CDATA[', at))
      this.readText(at, this.behind(']]>', at), '<![CDATA[');
    else if (text.startsWith('<?', at)) this.behind('?>', at);
    else if (text.startsWith('</', at)) this.readEnd(at);
    else this.readStart();
  }

  /** Merges adjacent text and CDATA into one text node. */
  private readText(start: number, end: number, mark: string): void {
    this.at = end;
    const written = this.text.slice(start + mark.length, mark === '' ? end : end - 3);
    const value = mark === '' ? decoded(written) : written;
    const last = this.open.children.at(-1);
    if (last?.kind === 'text') {
      last.end = end;
      last.value += value;
      return;
    }
    if (this.open === this.root && value.trim() !== '' && value.trim() !== '\ufeff')
      throw new SyntaxError('Text stands outside of the element.');
    const node = this.node('text', '', this.open, start, end);
    node.value = value;
    this.open.children.push(node);
  }

  private readStart(): void {
    const name = this.match(START)[1] ?? '';
    const attributes: [name: string, end: number, written: string][] = [];
    for (let found = this.tryMatch(ATTRIBUTE); found !== null; found = this.tryMatch(ATTRIBUTE))
      attributes.push([found[1] ?? '', this.at - 1, found[2] ?? found[3] ?? '']);
    const isEmpty = this.match(END_OF_START)[1] === '/';
    const element = this.node('element', name, this.open, this.at, this.at);
    this.open.children.push(element);
    for (const [of, end, written] of attributes) {
      const attribute = this.node('attribute', of, element, end - written.length, end);
      attribute.value = decoded(written);
      element.attributes.push(attribute);
    }
    if (isEmpty) return;
    this.open = element;
    this.depth += 1;
    if (this.depth > DEEPEST) throw new SyntaxError('It is nested too deeply.');
  }

  private readEnd(at: number): void {
    const { open } = this;
    if (this.match(END)[1] !== open.name || open.parent === null)
      throw new SyntaxError('Another element is open.');
    open.end = at;
    this.open = open.parent;
    this.depth -= 1;
  }

  private node(
    kind: XmlNode['kind'],
    name: string,
    parent: XmlNode | null,
    start: number,
    end: number,
  ): XmlNode {
    this.order += 1;
    return {
      kind,
      name,
      parent,
      children: [],
      attributes: [],
      order: this.order,
      start,
      end,
      value: kind === 'comment' ? this.text.slice(start, end) : '',
    };
  }

  private orEnd(mark: string, from: number): number {
    const found = this.text.indexOf(mark, from);
    return found < 0 ? this.text.length : found;
  }

  /** Moves to the position after `mark`. */
  private behind(mark: string, from: number): number {
    const found = this.text.indexOf(mark, from);
    if (found < 0) throw new SyntaxError(`${mark} is missing.`);
    this.at = found + mark.length;
    return this.at;
  }

  private tryMatch(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  private match(pattern: RegExp): RegExpExecArray {
    const found = this.tryMatch(pattern);
    if (found === null) throw new SyntaxError(`This is no XML, from ${this.at} on.`);
    return found;
  }
}

const decoded = (written: string): string =>
  written.includes('&')
    ? written.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, characterOf)
    : written;

function characterOf(
  whole: string,
  decimal: string | undefined,
  hex: string | undefined,
  name: string | undefined,
): string {
  if (name !== undefined) return ENTITIES[name] ?? whole;
  const point = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
  return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
}
