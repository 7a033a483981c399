import type { XmlNode } from '../../platform/xml/write-xml';
import { isXmlText, writeXml } from '../../platform/xml/write-xml';
import { EngineError } from '../errors';
import { ATTRIBUTES_FIELD, VALUE_FIELD } from '../reference/xml-marks';
import { isList, isMap, toText } from '../value';
import type { Value, ValueMap } from '../value';
import type { ValueWriter } from '../text/template';

/** Position in a document; `tag` is a start tag outside of attribute values. */
type Zone = 'text' | 'tag' | 'double' | 'single' | 'cdata' | 'comment' | 'instruction';

/** Marks that end a zone. */
const MARKS: Readonly<Record<Zone, RegExp>> = {
  text: /<!\[CDATA\[|<!--|<\?|</g,
  tag: /["'>]/g,
  double: /"/g,
  single: /'/g,
  cdata: /\]\]>/g,
  comment: /-->/g,
  instruction: /\?>/g,
};
/** Zone after a mark. */
const OPENED: Readonly<Record<Zone, Readonly<Record<string, Zone>>>> = {
  text: { '<![CDATA[': 'cdata', '<!--': 'comment', '<?': 'instruction', '<': 'tag' },
  tag: { '"': 'double', "'": 'single', '>': 'text' },
  double: { '"': 'tag' },
  single: { "'": 'tag' },
  cdata: { ']]>': 'text' },
  comment: { '-->': 'text' },
  instruction: { '?>': 'text' },
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const entity = (character: string): string => ENTITIES[character] ?? character;
const inText = (value: string): string => value.replace(/[&<>"'\r]/g, entity);
/** Escapes white space too: parsers convert it to spaces in attributes. */
const inAttribute = (value: string): string => value.replace(/[&<>"'\t\n\r]/g, entity);

/**
 * CDATA has no entities: splits `]]>` between two sections, and puts characters that could join
 * with adjacent text to `]]>` into a section of their own.
 */
function inSection(value: string): string {
  const divided = value.replaceAll(']]>', ']]]]><![CDATA[>');
  return /^[\]>]|\]$/.test(value) ? `]]><![CDATA[${divided}]]><![CDATA[` : divided;
}

/** Comments and instructions have no entities either: inserts blanks, so that they do not end. */
const inComment = (value: string): string => value.replace(/^[->]|-(?=[->]|$)/g, ' $& ');
const inInstruction = (value: string): string => value.replace(/^>|\?(?=>|$)/g, ' $& ');

const ESCAPES: Readonly<Record<Zone, (value: string) => string>> = {
  text: inText,
  tag: inAttribute,
  double: inAttribute,
  single: inAttribute,
  cdata: inSection,
  comment: inComment,
  instruction: inInstruction,
};

/** Escapes values in an XML text so that they cannot end their context and parse back unchanged. */
export class XmlTextWriter implements ValueWriter {
  private zone: Zone = 'text';

  pass(text: string): void {
    for (let at = 0; ;) {
      const mark = MARKS[this.zone];
      mark.lastIndex = at;
      const match = mark.exec(text);
      if (match === null) return;
      at = mark.lastIndex;
      this.zone = OPENED[this.zone][match[0]] ?? this.zone;
    }
  }

  /** @throws EngineError REQUEST_BODY_INVALID */
  write(value: string): string {
    if (!isXmlText(value))
      throw new EngineError(
        'REQUEST_BODY_INVALID',
        'A value holds characters that XML cannot hold.',
      );
    return ESCAPES[this.zone](value);
  }
}

const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}._-]*(?::[\p{L}_][\p{L}\p{M}\p{N}._-]*)?$/u;

/**
 * Serializes a body as XML: its only field is the root, lists become repeated elements,
 * `__oc__attributes` and `@name` fields become attributes (including namespaces). Escapes
 * everything.
 * @throws EngineError REQUEST_BODY_INVALID, VALUE_TOO_LARGE
 */
export function writeXmlBody(value: Value): string {
  const roots = isMap(value) ? Object.entries(value) : [];
  const [root] = roots;
  if (root === undefined || roots.length > 1 || isList(root[1]))
    throw invalid('A body in XML has one field, which is its root element.');
  try {
    return writeXml(element(...root));
  } catch (error) {
    if (error instanceof RangeError)
      throw new EngineError(
        'VALUE_TOO_LARGE',
        'A value is nested too deeply to be written as XML.',
      );
    throw error;
  }
}

function element(name: string, value: Value): XmlNode {
  if (!NAME.test(name))
    throw invalid(`${JSON.stringify(name.slice(0, 100))} cannot be the name of an element.`);
  if (!isMap(value)) return { name, text: textOf(value) };
  const attributes = attributesOf(value);
  const { [VALUE_FIELD]: content = null } = value;
  const fields = isMap(content) ? { ...value, ...content } : value;
  const children = Object.entries(fields)
    .filter(
      ([field]) => field !== VALUE_FIELD && field !== ATTRIBUTES_FIELD && !field.startsWith('@'),
    )
    .flatMap(([field, inner]) =>
      isList(inner) ? inner.map((item) => element(field, item)) : [element(field, inner)],
    );
  return { name, attributes, children, text: isMap(content) ? null : textOf(content) };
}

function attributesOf(value: ValueMap): Record<string, string> {
  const declared = value[ATTRIBUTES_FIELD] ?? null;
  const own = Object.entries(value)
    .filter(([name]) => name.startsWith('@'))
    .map(([name, inner]) => [name.slice(1), inner] as const);
  const attributes: Record<string, string> = {};
  for (const [name, inner] of [...own, ...(isMap(declared) ? Object.entries(declared) : [])]) {
    if (!NAME.test(name))
      throw invalid(`${JSON.stringify(name.slice(0, 100))} cannot be the name of an attribute.`);
    if (inner !== null) attributes[name] = textOf(inner);
  }
  return attributes;
}

function textOf(value: Value): string {
  const text = toText(value);
  if (!isXmlText(text)) throw invalid('A value holds characters that XML cannot hold.');
  return text;
}

const invalid = (message: string): EngineError => new EngineError('REQUEST_BODY_INVALID', message);
