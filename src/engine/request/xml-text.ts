import { isXmlText } from '../../platform/xml/xml-text';
import { EngineError } from '../errors';
import type { ValueWriter } from '../text/template';

/** Where in a document something stands: `tag` is a start tag outside of the values of its attributes. */
type Zone = 'text' | 'tag' | 'double' | 'single' | 'cdata' | 'comment' | 'instruction';

/** What ends a zone. */
const MARKS: Readonly<Record<Zone, RegExp>> = {
  text: /<!\[CDATA\[|<!--|<\?|</g,
  tag: /["'>]/g,
  double: /"/g,
  single: /'/g,
  cdata: /\]\]>/g,
  comment: /-->/g,
  instruction: /\?>/g,
};
/** What begins there. */
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
/** A reader makes a blank of every other one there. */
const inAttribute = (value: string): string => value.replace(/[&<>"'\t\n\r]/g, entity);

/** No entity is read there. What ends a section is divided between two, and what could become such an end with what stands around it has one of its own. */
function inSection(value: string): string {
  const divided = value.replaceAll(']]>', ']]]]><![CDATA[>');
  return /^[\]>]|\]$/.test(value) ? `]]><![CDATA[${divided}]]><![CDATA[` : divided;
}

/** Nor there, and nobody reads what stands in them as data: a blank keeps it from ending them. */
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

/** Writes values into XML that is written as a text: none of them ends the place where it stands, and a reader finds there what it was. */
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
