import { isXmlText } from '../../platform/xml/xml-text';
import { EngineError } from '../errors';
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
      const found = mark.exec(text);
      if (found === null) return;
      at = mark.lastIndex;
      this.zone = OPENED[this.zone][found[0]] ?? this.zone;
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
