import { CREDENTIAL_SCHEMES, isSecretName } from '../secrets';
import type { Range } from './mask';

/** An opening tag (its part after the name). */
interface Tag {
  /** The values of its attributes. */
  readonly attributes: readonly Range[];
  /** False for an empty-element tag. */
  readonly isOpen: boolean;
  /** End of the tag, or of the text if it is truncated. */
  readonly end: number;
}

const LONGEST_TAG = 200;
const TAG_NAME = /[^\s<>/"'=!?]{1,200}(?=[\s/>]|$)/y;
const ATTRIBUTE =
  /\s*(?<name>[^\s<>/"'=]+)\s*=\s*(?:"(?<double>[^"<]*)"?|'(?<single>[^'<]*)'?|(?<bare>[^\s<>"']+))/dy;
/** Attributes that describe the format only. */
const OF_FORM = /^(?:xml(?:ns)?(?::|$)|xsi:|type$)/i;
const END_OF_TAG = /[<>]/g;
/** A CDATA section or tag (possibly truncated), or text. */
const PIECE = /<!\[CDATA\[(?<data>[^]*?)(?:\]\]>|$)|<(?:"[^"<]*"|'[^'<]*'|[^<>"'])*>?|[^<]+/g;

/** Returns the name of the opening tag whose `<` precedes the offset, or null. */
function tagNameAt(text: string, start: number): string | null {
  TAG_NAME.lastIndex = start;
  return TAG_NAME.exec(text)?.[0] ?? null;
}

/** Parses an opening tag (possibly truncated) from the end of its name. */
function tagBehind(text: string, start: number): Tag {
  const attributes: Range[] = [];
  let end = start;
  ATTRIBUTE.lastIndex = start;
  for (let match = ATTRIBUTE.exec(text); match !== null; match = ATTRIBUTE.exec(text)) {
    const { double, single, bare } = match.indices?.groups ?? {};
    const [from, to] = double ?? single ?? bare ?? [0, 0];
    if (!OF_FORM.test(match.groups?.name ?? '')) attributes.push({ start: from, end: to });
    end = ATTRIBUTE.lastIndex;
  }
  END_OF_TAG.lastIndex = end;
  const last = END_OF_TAG.exec(text)?.index ?? text.length;
  const isClosed = text[last] === '>';
  return {
    attributes,
    isOpen: isClosed && text[last - 1] !== '/',
    end: isClosed ? last + 1 : last,
  };
}

/** Returns the content range of an element; handles nested elements of the same name. */
function elementAfter(text: string, start: number, tag: string): Range {
  let open = 1;
  for (let at = text.indexOf('<', start); at >= 0; at = text.indexOf('<', at + 1)) {
    const isEnd = text[at + 1] === '/';
    const name = at + (isEnd ? 2 : 1);
    if (!text.startsWith(tag, name) || !/[\s/>]/.test(text[name + tag.length] ?? '>')) continue;
    open += isEnd ? -1 : isEmptyTag(text, name) ? 0 : 1;
    if (open === 0) return { start, end: at };
  }
  return { start, end: text.length };
}

function isEmptyTag(text: string, name: number): boolean {
  const tag = text.slice(name, name + LONGEST_TAG);
  return tag[tag.indexOf('>') - 1] === '/';
}

/** Yields all texts, CDATA sections and attribute values of XML (possibly truncated). */
export function* textsInXml(xml: string): Generator<string> {
  for (const { 0: piece, groups } of xml.matchAll(PIECE)) {
    if (groups?.data !== undefined) yield groups.data;
    else if (!piece.startsWith('<')) yield piece;
    else
      for (const { start, end } of tagBehind(
        piece,
        1 + (tagNameAt(piece, 1)?.length ?? piece.length),
      ).attributes)
        yield piece.slice(start, end);
  }
}

/** A value after a secret name in a text. */
interface NamedValue extends Range {
  readonly name: string;
}

const LONGEST_NAME = 64;
const MOST_SPACES = 8;
/** The text has one character per byte, so non-ASCII letters are above 0x7f. */
const BEYOND_ASCII = /[\x80-\xff]/;
const NAME_LETTERS = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\w.$\-\x80-\xff]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const USER_PART = /\/\/([^\s/?#@:"'<>]{0,256}):([^\s/?#@"'<>]{0,512})@/y;
const SCHEME = new RegExp(`(?:${CREDENTIAL_SCHEMES.join('|')}) {1,4}`, 'iy');
const END_OF_VALUE = /[\s,;&"'<>\\)}\]|]/g;
/** These headers have several parts, all of them secret. */
const WHOLE_LINE = /authori[sz]ation|cookie/i;
const END_OF_LINE = /[\r\n"'<]/g;

/**
 * Finds values after secret names in any text with one character per byte: `name: value`, `"name":
 * "value"`, `name=value`, `<name attribute="value">value</name>`; values may be objects and lists.
 * Linear time.
 */
export function* namedValues(text: string): Generator<NamedValue> {
  const separator = /[=:<]/g;
  while (separator.test(text)) {
    const start = separator.lastIndex;
    const character = text[start - 1];
    if (character === '<') {
      const name = tagNameAt(text, start);
      if (name === null || !isSecret(name)) continue;
      const { attributes, isOpen, end } = tagBehind(text, start + name.length);
      const content = isOpen ? elementAfter(text, end, name) : { start: end, end };
      for (const value of [...attributes, content])
        if (value.end > value.start) yield { name, ...value };
      separator.lastIndex = content.end;
      continue;
    }
    const isUrl = character === ':' && text.startsWith('//', start);
    const password = isUrl ? passwordAfter(text, start) : null;
    if (password !== null) {
      if (password.end > password.start) yield { name: 'password', ...password };
      continue;
    }
    const name = nameBefore(text, start - 1);
    if (name === null || !isSecret(name)) continue;
    const value = valueAfter(text, start, name);
    separator.lastIndex = Math.max(separator.lastIndex, value.end);
    if (value.end > value.start) yield { name, ...value };
  }
}

const isSecret = (name: string): boolean =>
  isSecretName(BEYOND_ASCII.test(name) ? Buffer.from(name, 'latin1').toString('utf8') : name);

function nameBefore(text: string, separator: number): string | null {
  let end = separator;
  while (end > 0 && end > separator - 4 && text[end - 1] === ' ') end -= 1;
  const quote = text[end - 1];
  if (quote === '"' || quote === "'") {
    const start = text.lastIndexOf(quote, end - 2);
    return start >= 0 && end - start <= LONGEST_NAME ? text.slice(start + 1, end - 1) : null;
  }
  let start = end;
  while (start > 0 && end - start < LONGEST_NAME && NAME_LETTERS[text.charCodeAt(start - 1)] === 1)
    start -= 1;
  return start === end ? null : text.slice(start, end);
}

/** Password in `//user:password@` of a URL; in `//key:@`, the key. */
function passwordAfter(text: string, start: number): Range | null {
  USER_PART.lastIndex = start;
  const match = USER_PART.exec(text);
  if (match === null) return null;
  const [, user, password] = match;
  const end = USER_PART.lastIndex - 1;
  return password === ''
    ? { start: start + 2, end: start + 2 + user.length }
    : { start: end - password.length, end };
}

function valueAfter(text: string, from: number, name: string): Range {
  let start = text[from] === '>' ? from + 1 : from;
  for (const limit = start + MOST_SPACES; start < limit && /\s/.test(text[start] ?? '');)
    start += 1;
  const first = text[start];
  if (first === '"' || first === "'")
    return { start: start + 1, end: endOfQuoted(text, start + 1, first) };
  if (first === '{' || first === '[') return { start, end: endOfBrackets(text, start) };
  if (WHOLE_LINE.test(name)) return { start, end: endAt(END_OF_LINE, text, start) };
  SCHEME.lastIndex = start;
  const credentials = SCHEME.test(text) ? SCHEME.lastIndex : start;
  return { start: credentials, end: endAt(END_OF_VALUE, text, credentials) };
}

function endAt(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

function endOfQuoted(text: string, start: number, quote: string): number {
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote) return index;
  }
  return text.length;
}

function endOfBrackets(text: string, start: number): number {
  let open = 0;
  for (let index = start; index < text.length; index += 1) {
    const letter = text[index];
    if (letter === '"') index = endOfQuoted(text, index + 1, '"');
    else if (letter === '{' || letter === '[') open += 1;
    else if (letter === '}' || letter === ']') open -= 1;
    if (open === 0) return index + 1;
  }
  return text.length;
}

/** Yields the quoted texts of JSON (possibly truncated) that are not field names. */
export function* quotedTexts(json: string): Generator<string> {
  for (let index = json.indexOf('"'); index >= 0; index = json.indexOf('"', index)) {
    const end = endOfQuoted(json, index + 1, '"');
    if (!/^\s{0,8}:/.test(json.slice(end + 1, end + 10))) yield json.slice(index + 1, end);
    index = end + 1;
  }
}
