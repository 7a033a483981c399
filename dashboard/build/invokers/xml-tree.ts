/**
 * XML as a tree that keeps what it does not know: comments, spaces and the writing of unchanged tags.
 * The content security policy of the page forbids the parser of the browser.
 */
export interface XmlElement {
  readonly name: string;
  readonly parent: XmlElement | null;
  readonly attributes: Map<string, string>;
  /** Elements, and the source of everything between them. */
  children: (XmlElement | string)[];
  /** The source of the start tag; null after a change of the attributes. */
  source: string | null;
}

/** A parsed text, with what precedes and follows the root element. */
export interface XmlDocument {
  readonly before: string;
  readonly root: XmlElement;
  readonly after: string;
}

/** Comment, CDATA section or instruction; end tag; start tag with attributes; text. */
const TOKEN =
  /(?<other><!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>)|<\/(?<end>[^\s<>/]+)\s*>|<(?<start>[^\s<>/!?]+)(?<attributes>(?:\s+[^\s=<>]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)/y;
const ATTRIBUTE = /([^\s=<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const decode = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (source, hex, digits, name) => {
    const code = hex === undefined ? Number(digits) : Number.parseInt(String(hex), 16);
    if (name === undefined) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : String(source);
    return ENTITIES[String(name)] ?? String(source);
  });

const encode = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const encodeAttribute = (text: string): string =>
  encode(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');

const newElement = (
  name: string,
  parent: XmlElement | null,
  attributes: Iterable<readonly [string, string]>,
  source: string | null,
): XmlElement => ({ name, parent, attributes: new Map(attributes), children: [], source });

function readAttributes(source: string): [string, string][] {
  return [...source.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [
    name,
    decode(double ?? single ?? ''),
  ]);
}

/** Returns null if the text is not well-formed. */
export function parseXml(text: string): XmlDocument | null {
  let [before, after] = ['', ''];
  let root: XmlElement | null = null;
  let open: XmlElement | null = null;
  const token = new RegExp(TOKEN);
  while (token.lastIndex < text.length) {
    const groups = token.exec(text)?.groups;
    if (groups === undefined) return null;
    const { start, end, empty, attributes = '', text: plain, other } = groups;
    if (start !== undefined) {
      if (open === null && root !== null) return null;
      const source = `<${start}${attributes}`;
      const element = newElement(start, open, readAttributes(attributes), source);
      open?.children.push(element);
      root ??= element;
      if (empty === '') open = element;
    } else if (end !== undefined) {
      if (open?.name !== end) return null;
      // Keeps `<a></a>`.
      if (open.children.length === 0) open.children.push('');
      open = open.parent;
    } else if (open !== null) open.children.push(other ?? plain ?? '');
    else if (plain !== undefined && plain.replace('\uFEFF', '').trim() !== '') return null;
    else if (root === null) before += other ?? plain;
    else after += other ?? plain;
  }
  return root === null || open !== null ? null : { before, root, after };
}

function writeElement({ name, attributes, children, source }: XmlElement): string {
  const list = [...attributes].map(([key, value]) => ` ${key}="${encodeAttribute(value)}"`);
  const tag = source ?? `<${name}${list.join('')}`;
  if (children.length === 0) return `${tag}/>`;
  return `${tag}>${children.map((child) => (typeof child === 'string' ? child : writeElement(child))).join('')}</${name}>`;
}

export const writeXml = ({ before, root, after }: XmlDocument): string =>
  `${before}${writeElement(root)}${after}`;

export const elementsOf = (parent: XmlElement | null, name: string): XmlElement[] =>
  (parent?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && child.name === name,
  );

export const elementOf = (parent: XmlElement | null, name: string): XmlElement | null =>
  elementsOf(parent, name)[0] ?? null;

export const attributeOf = ({ attributes }: XmlElement, name: string): string =>
  attributes.get(name) ?? '';

export function setAttribute(element: XmlElement, name: string, value: string): void {
  element.attributes.set(name, value);
  element.source = null;
}

/** The text of an element without its comments and the elements in it. */
export const textOf = ({ children }: XmlElement): string =>
  children
    .map((child) => {
      if (typeof child !== 'string' || /^<[!?](?!\[)/.test(child)) return '';
      return child.startsWith('<![CDATA[') ? child.slice(9, -3) : decode(child);
    })
    .join('')
    .trim();

/** Replaces everything in an element by a text. */
export function setText(element: XmlElement, text: string): void {
  element.children = text === '' ? [] : [encode(text)];
}

const isBlank = (child: XmlElement | string | undefined): boolean =>
  typeof child === 'string' && child.trim() === '';

const depthOf = ({ parent }: XmlElement): number => (parent === null ? 0 : depthOf(parent) + 1);

/** Adds an element on a line of its own. */
export function append(
  parent: XmlElement,
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  text = '',
): XmlElement {
  const element = newElement(name, parent, Object.entries(attributes), null);
  setText(element, text);
  if (isBlank(parent.children.at(-1))) parent.children.pop();
  const depth = depthOf(parent);
  parent.children.push(`\n${'  '.repeat(depth + 1)}`, element, `\n${'  '.repeat(depth)}`);
  return element;
}

/** Removes an element with the spaces before it. */
export function remove(element: XmlElement): void {
  const list = element.parent?.children ?? [];
  const at = list.indexOf(element);
  const from = isBlank(list[at - 1]) ? at - 1 : at;
  list.splice(from, at - from + 1);
}
