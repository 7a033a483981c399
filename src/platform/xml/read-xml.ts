import { SaxesParser } from 'saxes';
import type { SaxesStartTagPlain } from 'saxes';
import { TooLarge } from '../errors/errors';
import { TimeSlices } from '../event-loop';
import { decodeXml, ParserText } from './decode';
import { XmlFault } from './xml-fault';
import type { XmlPlace } from './xml-fault';

/** Returns the text of an element; trims it if there are child elements. */
export const ownText = ({ children, text }: Pick<XmlElement, 'children' | 'text'>): string =>
  children.length > 0 ? text.trim() : text;

/** Returns the name of an element or attribute without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const LF = 10;
const CR = 13;

/** Converts offsets to lines and columns. Offsets must ascend, so that the text is scanned once. */
class Places {
  private offset = 0;
  private line = 1;
  private lineStart = 0;

  constructor(private readonly text: string) {}

  /** @param offset not lower than in the previous call */
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

/** A parsed element. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Concatenated text directly in the element, including CDATA, without comments. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Limits for a document from an untrusted source. */
interface XmlLimits {
  readonly bytes: number;
  /** Maximum nesting of elements. */
  readonly depth: number;
  readonly elements: number;
  /** Maximum number of attributes of one element. */
  readonly attributes: number;
}

export const XML_LIMITS: XmlLimits = {
  bytes: 10 * 1024 * 1024,
  depth: 64,
  elements: 200_000,
  attributes: 100,
};

/** Characters parsed in one step, a fraction of a time slice. */
const PIECE_LENGTH = 8 * 1024;

/**
 * Decodes a document. A string is returned as it is, regardless of the declared encoding.
 * @throws XmlFault unsupported encoding or invalid bytes
 * @throws TooLarge the document exceeds `limits.bytes`
 */
export function xmlText(source: Buffer | string, limits: XmlLimits = XML_LIMITS): string {
  const size = typeof source === 'string' ? Buffer.byteLength(source) : source.length;
  if (size > limits.bytes)
    throw new TooLarge(`An XML document may have ${limits.bytes} bytes at most.`);
  if (typeof source !== 'string') return decodeXml(source);
  if (!source.isWellFormed())
    throw new XmlFault('The text is not well-formed Unicode.', { line: 1, column: 1 });
  return source.replace(/^\ufeff/, '');
}

/**
 * Parses an XML document without blocking the event loop. Rejects `DOCTYPE`, so only the five
 * predefined entities exist (docs/adr/0013).
 * @throws XmlFault the first error, with line and column
 * @throws TooLarge the document exceeds `limits.bytes`
 */
export async function readXml(
  source: Buffer | string,
  limits: XmlLimits = XML_LIMITS,
): Promise<XmlElement> {
  const reader = new XmlReader(xmlText(source, limits), limits);
  const slices = new TimeSlices();
  while (!reader.advance()) {
    if (slices.over) await slices.next();
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

/** Maximum length of a message, which may quote names of the document. */
const MAX_REASON = 300;

class XmlReader {
  private readonly parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  private readonly places: Places;
  private readonly held = new ParserText(this.parser);
  private readonly open: OpenElement[] = [];
  /** Text parts of each open element. */
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
      attribute.value = this.held.takeText(attribute.value);
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

  /** Parses the next piece. Returns true at the end. */
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
    const fullText = this.held.takeText(text);
    this.texts.at(-1)?.push(fullText);
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

/** Formats a message of the parser as a sentence without position. */
function sentence(message: string): string {
  const reason = message
    .slice(message.indexOf(': ') + 2)
    .trim()
    .slice(0, MAX_REASON);
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`;
}
