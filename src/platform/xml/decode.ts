import { isUtf8 } from 'node:buffer';
import { XmlFault } from './xml-fault';
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
      const text = flat(parser.text);
      const end = text.length - (isSecondHalf(text.charCodeAt(text.length - 1)) ? 2 : 1);
      this.parts.push(text.slice(0, end));
      parser.text = text.slice(end);
    }
    return parser.entity.length <= MAX_ENTITY;
  }

  /** Returns the whole text of a construct when the parser reports its end. */
  takeText(reported: string): string {
    if (this.parts.length === 0) return flat(reported);
    this.parts.push(reported);
    const text = this.parts.join('');
    this.parts = [];
    return text;
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

const START = { line: 1, column: 1 };
/** Maximum length of an XML declaration. */
const DECLARATION_LENGTH = 300;
const LF = 10;
const LESS_THAN = 0x3c;

/** Supported encoding names and the decoder for each. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16',
  'utf-16be': 'utf-16',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
};

/** Byte signatures that determine the encoding regardless of the declaration. */
const SIGNATURES: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe, 0, 0], 'utf-32'],
  [[0, 0, 0xfe, 0xff], 'utf-32'],
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0, 0x3f, 0], 'utf-16le'],
  [[0, 0x3c, 0, 0x3f], 'utf-16be'],
];

/**
 * Decodes an XML document: UTF-8, UTF-16 with a signature, or Latin-1 if declared.
 * @throws XmlFault unsupported encoding, declaration that contradicts the bytes, or invalid bytes
 */
export function decodeXml(bytes: Buffer): string {
  const signed = signedEncoding(bytes);
  if (signed === 'utf-32') throw new XmlFault('UTF-32 is not read; save the file as UTF-8.', START);
  const named =
    signed === undefined
      ? declaredEncoding(bytes.toString('latin1', 0, DECLARATION_LENGTH))
      : undefined;
  const encoding = signed ?? named ?? 'utf-8';
  if (encoding === 'utf-16')
    throw new XmlFault('The declaration says UTF-16, and the bytes are no UTF-16.', START);
  const text = decoded(bytes, encoding);
  if (signed !== undefined) {
    const contradicted = declaredEncoding(text.slice(0, DECLARATION_LENGTH));
    if (contradicted !== undefined && !encoding.startsWith(contradicted))
      throw new XmlFault(
        `The declaration says ${contradicted}, and the bytes are ${encoding}.`,
        START,
      );
  }
  return text;
}

/**
 * Returns the encoding of a text according to its first bytes (`signed`) and its XML declaration
 * (`declared`); either may be missing or unsupported. A declaration that can be read byte by byte
 * excludes UTF-16.
 */
export function encodingSaidBy(bytes: Buffer): {
  readonly signed?: string;
  readonly declared?: string;
} {
  if (!maySay(bytes[0])) return {};
  const declared = declaredName(bytes.toString('latin1', 0, DECLARATION_LENGTH));
  return {
    signed: signedEncoding(bytes),
    declared: /^utf-?16/i.test(declared ?? '') ? undefined : declared,
  };
}

/** No other first byte begins a signature or, as `<`, a declaration. */
const maySay = (byte: number): boolean => byte === 0 || byte === LESS_THAN || byte >= 0xef;

const signedEncoding = (bytes: Buffer): string | undefined =>
  SIGNATURES.find(([signature]) => signature.every((byte, at) => bytes[at] === byte))?.[1];

/** Returns undefined without a declaration or without an encoding in it. */
function declaredName(head: string): string | undefined {
  const end = head.indexOf('?>');
  if (!head.startsWith('<?xml') || end < 0) return undefined;
  return /encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head.slice(0, end))?.[1];
}

function declaredEncoding(head: string): string | undefined {
  const name = declaredName(head);
  if (name === undefined) return undefined;
  const encoding = ENCODINGS[name.toLowerCase()];
  if (encoding === undefined)
    throw new XmlFault(`The encoding ${name} is not read; save the file as UTF-8.`, START);
  return encoding;
}

function decoded(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new XmlFault(
      `The text is not well-formed ${encoding.toUpperCase()}.`,
      encoding === 'utf-8' ? brokenLine(bytes) : START,
    );
  }
}

/** Returns the position of the first line that is not valid UTF-8. */
function brokenLine(bytes: Buffer): { line: number; column: number } {
  for (let line = 1, start = 0; ; line += 1) {
    const end = bytes.indexOf(LF, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return { line, column: 1 };
    start = end + 1;
  }
}
