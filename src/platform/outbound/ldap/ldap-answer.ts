import { LdapFailure } from './ldap-failure';

/**
 * Reads answers of directory servers. Own code, since the reader of the library trusts lengths: a
 * negative one makes it read the same bytes forever.
 */

/** An entry that a search found. Attribute names are in lower case. `objectguid` is hexadecimal. */
export interface LdapEntry {
  readonly dn: string;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export interface LdapResult {
  readonly code: number;
  readonly diagnostic: string;
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/** A message of a server: the id of its request, and what it is by its tag. */
export interface LdapMessage {
  readonly id: number;
  readonly operation: Element;
  /** The elements of its controls; empty if there are none. */
  readonly controls: Buffer;
}

const TAG = {
  integer: 0x02,
  octets: 0x04,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
  controls: 0xa0,
} as const;
const PAGED_RESULTS = '1.2.840.113556.1.4.319';
const NOTHING = Buffer.alloc(0);
/** Attributes whose values are bytes. */
const BINARY: ReadonlySet<string> = new Set(['objectguid']);

/** Tags of answers that are no results (RFC 4511, section 4.5.2). */
export const ANSWER = { entry: 0x64, reference: 0x73 } as const;

const bad = (detail: string): LdapFailure =>
  new LdapFailure('BAD_ANSWER', `sent an answer that is not LDAP: ${detail}`);

/** Returns tag, and where the content begins and ends; null if the header is not complete. */
function readHeader(
  bytes: Buffer,
  at: number,
): { readonly tag: number; readonly start: number; readonly end: number } | null {
  if (bytes.length < at + 2) return null;
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if ((tag & 0x1f) === 0x1f) throw bad('a tag of several bytes');
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first };
  const size = first & 0x7f;
  if (size === 0 || size > 4) throw bad('a length that LDAP does not allow');
  const start = at + 2 + size;
  if (bytes.length < start) return null;
  return { tag, start, end: start + bytes.readUIntBE(at + 2, size) };
}

/**
 * Returns where the message at this position ends, or null if its length is not there yet.
 * @throws LdapFailure BAD_ANSWER if it does not begin like a message
 */
export function endOfMessage(bytes: Buffer, at: number): number | null {
  if (bytes.length > at && bytes[at] !== TAG.sequence) throw bad('it begins with another byte');
  return readHeader(bytes, at)?.end ?? null;
}

/** Returns the elements that follow each other in a content. */
function elementsOf(content: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < content.length;) {
    const header = readHeader(content, at);
    if (header === null || header.end > content.length) throw bad('a part is cut off');
    elements.push({ tag: header.tag, content: content.subarray(header.start, header.end) });
    at = header.end;
  }
  return elements;
}

function contentOf(element: Element | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw bad(`a part with tag ${tag} is missing`);
  return element.content;
}

function wholeNumber(content: Buffer): number {
  if (content.length === 0 || content.length > 4) throw bad('a number of an invalid length');
  return content.readIntBE(0, content.length);
}

/** @throws LdapFailure BAD_ANSWER */
export function parseMessage(bytes: Buffer): LdapMessage {
  const [message] = elementsOf(bytes);
  const [id, operation, controls] = elementsOf(contentOf(message, TAG.sequence));
  if (operation === undefined) throw bad('a message without an operation');
  return {
    id: wholeNumber(contentOf(id, TAG.integer)),
    operation,
    controls: controls?.tag === TAG.controls ? controls.content : NOTHING,
  };
}

/** Returns the cookie for the next page of a search (RFC 2696), or null after the last one. */
export function nextPageOf(controls: Buffer): Buffer | null {
  for (const control of elementsOf(controls)) {
    const [type, ...rest] = elementsOf(contentOf(control, TAG.sequence));
    if (contentOf(type, TAG.octets).toString('utf8') !== PAGED_RESULTS) continue;
    const [value] = elementsOf(contentOf(rest.at(-1), TAG.octets));
    const cookie = contentOf(elementsOf(contentOf(value, TAG.sequence))[1], TAG.octets);
    return cookie.length > 0 ? cookie : null;
  }
  return null;
}

/** Parses the result of a bind, a search or an extended operation. */
export function parseResult({ content }: Element): LdapResult {
  const [code, , diagnostic] = elementsOf(content);
  return {
    code: wholeNumber(contentOf(code, TAG.enumerated)),
    diagnostic: contentOf(diagnostic, TAG.octets).toString('utf8'),
  };
}

export function parseEntry({ content }: Element): LdapEntry {
  const [dn, attributes] = elementsOf(content);
  const values = new Map<string, readonly string[]>();
  for (const attribute of elementsOf(contentOf(attributes, TAG.sequence))) {
    const [type, set] = elementsOf(contentOf(attribute, TAG.sequence));
    const name = contentOf(type, TAG.octets).toString('utf8').toLowerCase();
    const encoding = BINARY.has(name) ? 'hex' : 'utf8';
    values.set(
      name,
      elementsOf(contentOf(set, TAG.set)).map((value) =>
        contentOf(value, TAG.octets).toString(encoding),
      ),
    );
  }
  return { dn: contentOf(dn, TAG.octets).toString('utf8'), values };
}
