import { SaxesParser } from 'saxes';
import type { SaxesStartTagPlain } from 'saxes';
import { TooLarge } from '../errors/errors';
import { Turns } from '../json/turns';
import { decodeXml } from './decode';
import { ParserText } from './parser-text';
import { XmlFault } from './xml-fault';
import type { XmlPlace } from './xml-fault';

const LF = 10;
const CR = 13;

/** Says where in a text an offset is. Asked in ascending order, so that the text is looked through once. */
class Places {
  private offset = 0;
  private line = 1;
  private lineStart = 0;

  constructor(private readonly text: string) {}

  /** @param offset not below one that was asked for before */
  at(offset: number): XmlPlace {
    const end = Math.min(offset, this.text.length);
    for (; this.offset < end; this.offset += 1) {
      const code = this.text.charCodeAt(this.offset);
      const isBreak = code === LF || (code === CR && this.text.charCodeAt(this.offset + 1) !== LF);
      if (!isBreak) continue;
      this.line += 1;
      this.lineStart = this.offset + 1;
    }
    return { line: this.line, column: Math.max(end - this.lineStart, 0) + 1 };
  }
}

/** An element of a document that was read. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** All text directly in it, as it stands there; `CDATA` too, comments not. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** What a document of untrusted origin may have. */
export interface XmlLimits {
  readonly bytes: number;
  /** Elements inside each other. */
  readonly depth: number;
  readonly elements: number;
  /** Of one element. */
  readonly attributes: number;
}

export const XML_LIMITS: XmlLimits = {
  bytes: 10 * 1024 * 1024,
  depth: 64,
  elements: 200_000,
  attributes: 100,
};

/** What is parsed at one go: a fraction of a turn, whatever stands there. */
const PIECE_LENGTH = 8 * 1024;

/**
 * The text of a document, decoded as its bytes say. A text is characters already, whatever encoding it names.
 * @throws XmlFault no text of an encoding that is read
 * @throws TooLarge more bytes than `limits` has
 */
export async function xmlText(
  source: Buffer | string,
  limits: XmlLimits = XML_LIMITS,
): Promise<string> {
  const size = typeof source === 'string' ? Buffer.byteLength(source) : source.length;
  if (size > limits.bytes)
    throw new TooLarge(`An XML document may have ${limits.bytes} bytes at most.`);
  if (typeof source !== 'string') return decodeXml(source);
  if (!source.isWellFormed())
    throw new XmlFault('The text is not well-formed Unicode.', { line: 1, column: 1 });
  return source.replace(/^\ufeff/, '');
}

/**
 * Reads a whole XML document; never holds the event loop for long. `DOCTYPE` is refused, and with it every entity but the five of XML
 * itself (docs/adr/0041).
 * @throws XmlFault what is wrong first, with line and column
 * @throws TooLarge more bytes than `limits` has
 */
export async function readXml(
  source: Buffer | string,
  limits: XmlLimits = XML_LIMITS,
): Promise<XmlElement> {
  const reader = new XmlReader(await xmlText(source, limits), limits);
  const turns = new Turns();
  while (!reader.advance()) {
    if (turns.over) await turns.next();
  }
  return reader.root;
}

interface OpenElement {
  readonly name: string;
  attributes: Readonly<Record<string, string>>;
  readonly children: OpenElement[];
  text: string;
  readonly line: number;
  readonly column: number;
}

/** Reasons quote names of the document, which may be of any length. */
const MAX_REASON = 300;

class XmlReader {
  private readonly parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  private readonly places: Places;
  private readonly held = new ParserText(this.parser);
  private readonly open: OpenElement[] = [];
  /** The parts of text of each open element. */
  private readonly texts: string[][] = [];
  private from = 0;
  private elements = 0;
  private attributes = 0;
  private document: XmlElement | undefined;

  constructor(
    private readonly source: string,
    private readonly limits: XmlLimits,
  ) {
    this.places = new Places(source);
    const { parser } = this;
    parser.on('error', ({ message }) => this.refuse(sentence(message)));
    parser.on('xmldecl', ({ version }) => {
      this.held.drop();
      if (version !== undefined && version !== '1.0') this.refuse('Only XML 1.0 is read.');
    });
    parser.on('doctype', () =>
      this.refuse('A DOCTYPE is not read here.', source.lastIndexOf('<!DOCTYPE', parser.position)),
    );
    parser.on('opentagstart', (tag) => this.start(tag));
    parser.on('attribute', (attribute) => {
      this.countAttribute();
      attribute.value = this.held.whole(attribute.value);
    });
    parser.on('opentag', ({ attributes }) =>
      this.current((element) => {
        element.attributes = attributes;
      }),
    );
    parser.on('text', (text) => this.addText(text));
    parser.on('cdata', (text) => this.addText(text));
    parser.on('comment', () => this.held.drop());
    parser.on('processinginstruction', () => this.held.drop());
    parser.on('closetag', () => this.end());
  }

  get root(): XmlElement {
    return this.document ?? this.refuse('There is no element.');
  }

  /** Parses a piece. True when it was the last. */
  advance(): boolean {
    if (this.from >= this.source.length) {
      this.parser.close();
      return true;
    }
    this.parser.write(this.source.slice(this.from, this.from + PIECE_LENGTH));
    this.from += PIECE_LENGTH;
    if (!this.held.take()) this.refuse('An entity has no end.');
    return false;
  }

  private current(change: (element: OpenElement) => void): void {
    const element = this.open.at(-1);
    if (element) change(element);
  }

  private addText(text: string): void {
    const whole = this.held.whole(text);
    this.texts.at(-1)?.push(whole);
  }

  private end(): void {
    const [element, parts] = [this.open.pop(), this.texts.pop()];
    if (element && parts) element.text = parts.join('');
  }

  private start({ name }: SaxesStartTagPlain): void {
    const { limits } = this;
    const start = this.source.lastIndexOf('<', this.parser.position - 1);
    const element: OpenElement = {
      name,
      attributes: {},
      children: [],
      text: '',
      ...this.places.at(start),
    };
    this.elements += 1;
    if (this.elements > limits.elements)
      this.refuse(`A document may have ${limits.elements} elements at most.`, start);
    if (this.open.length >= limits.depth)
      this.refuse(`Elements may stand ${limits.depth} deep in each other at most.`, start);
    this.current(({ children }) => children.push(element));
    this.document ??= element;
    this.open.push(element);
    this.texts.push([]);
    this.attributes = 0;
  }

  private countAttribute(): void {
    this.attributes += 1;
    if (this.attributes > this.limits.attributes)
      this.refuse(`An element may have ${this.limits.attributes} attributes at most.`);
  }

  private refuse(reason: string, offset = this.parser.position - 1): never {
    throw new XmlFault(reason, this.places.at(Math.max(offset, 0)));
  }
}

/** What the parser says, as a sentence and without the place. */
function sentence(message: string): string {
  const reason = message
    .slice(message.indexOf(': ') + 2)
    .trim()
    .slice(0, MAX_REASON);
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`;
}
