import { isXmlText } from './xml-text';

/** An element to be written. The text of one with children stands before them. */
export interface XmlNode {
  readonly name: string;
  /** Those without a value are left out. */
  readonly attributes?: Readonly<Record<string, string | null | undefined>>;
  readonly text?: string | null;
  readonly children?: readonly XmlNode[];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escaped(text: string, those: RegExp): string {
  if (!isXmlText(text))
    throw new Error('A text with characters that XML cannot hold was to be written.');
  return text.replace(those, (character) => ESCAPES[character] ?? character);
}

/** Line breaks of a text stay line breaks; only what a reader would make one of is escaped. */
const asText = (text: string): string => escaped(text, /[&<>\r]/g);
const asAttribute = (text: string): string => escaped(text, /[&<"\t\n\r]/g);

/**
 * Writes a document, indented, a line for each element: read again, it says the same. In pieces of a line.
 * @throws Error a text that XML cannot hold: to be refused where it comes from
 */
export function* writeXml(root: XmlNode): Generator<string, void, void> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield* element(root, '');
}

function* element(
  { name, attributes = {}, text, children = [] }: XmlNode,
  indent: string,
): Generator<string, void, void> {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value == null ? [] : [` ${key}="${asAttribute(value)}"`]))
    .join('');
  const start = `${indent}<${name}${written}`;
  if (children.length > 0) {
    yield `${start}>${text ? asText(text) : ''}\n`;
    for (const child of children) yield* element(child, `${indent}  `);
    yield `${indent}</${name}>\n`;
    return;
  }
  yield text ? `${start}>${asText(text)}</${name}>\n` : `${start}/>\n`;
}
