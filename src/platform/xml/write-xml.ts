/** Characters that XML 1.0 cannot represent, escaped or not. */
const UNWRITABLE = /[\u0000-\u0008\v\f\u000e-\u001f\ufffe\uffff]/;

/** Returns whether XML can represent the text. */
export const isXmlText = (text: string): boolean => text.isWellFormed() && !UNWRITABLE.test(text);

/** An element to write. Its text precedes its children. */
export interface XmlNode {
  readonly name: string;
  /** Attributes without a value are omitted. */
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

function escaped(text: string, pattern: RegExp): string {
  if (!isXmlText(text))
    throw new Error('A text with characters that XML cannot hold was to be written.');
  return text.replace(pattern, (character) => ESCAPES[character] ?? character);
}

/** Keeps line breaks in text; escapes only carriage returns, which a parser would convert. */
const asText = (text: string): string => escaped(text, /[&<>\r]/g);
const asAttribute = (text: string): string => escaped(text, /[&<"\t\n\r]/g);

/**
 * Serializes a document, indented. Parsing it again gives the same content.
 * @throws Error a text contains characters that XML cannot represent; validate before
 */
export const writeXml = (root: XmlNode): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, '')}`;

function writeElement(
  { name, attributes = {}, text, children = [] }: XmlNode,
  indent: string,
): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) => (value == null ? [] : [` ${key}="${asAttribute(value)}"`]))
    .join('');
  const start = `${indent}<${name}${written}`;
  const content = text ? asText(text) : '';
  if (children.length === 0)
    return content === '' ? `${start}/>\n` : `${start}>${content}</${name}>\n`;
  const within = children.map((child) => writeElement(child, `${indent}  `)).join('');
  return `${start}>${content}\n${within}${indent}</${name}>\n`;
}
