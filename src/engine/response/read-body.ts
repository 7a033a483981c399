import { encodingSaidBy } from '../../platform/xml/decode';
import { EngineError } from '../errors';
import { NumberTooLarge, parseExactJson } from '../exact-json';
import type { OutboundResponse } from '../ports';
import { BinaryValue } from '../value';
import type { Value } from '../value';
import { readXml, XML_LIMITS } from '../../platform/xml/read-xml';
import type { XmlElement } from '../../platform/xml/read-xml';
import { XmlFault } from '../../platform/xml/xml-fault';

/** Returns whether a response is declared as XML, or starts like XML without a specific type. */
export function isXml({ headers }: Pick<OutboundResponse, 'headers'>, text: string): boolean {
  const type =
    String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim()
      .toLowerCase() ?? '';
  return (
    /[/+]xml$/.test(type) || ((type === '' || type === 'text/plain') && /^\s*<\?xml\b/.test(text))
  );
}

/**
 * Parses the root element of an XML response.
 * @returns an error RESPONSE_NOT_XML if it cannot be parsed
 */
export async function readXmlBody(
  text: string,
  maxBytes: number,
): Promise<XmlElement | EngineError> {
  try {
    return await readXml(text.toWellFormed(), { ...XML_LIMITS, bytes: maxBytes * 4 });
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    return new EngineError(
      'RESPONSE_NOT_XML',
      `The answer calls itself XML and is not, or more of it than is read (line ${error.line}); a response type of text takes it as it is.`,
    );
  }
}

interface ReadBody {
  readonly value: Value;
  /** Why the body does not match its declared type. */
  readonly problem: EngineError | null;
  /** Invalid bytes were replaced during decoding. */
  readonly isReplaced?: boolean;
}

/** Servers send JSON with these types too; such a body is JSON if it parses. */
const MAYBE_JSON = new Set([
  '',
  'text/plain',
  'text/javascript',
  'application/javascript',
  'application/octet-stream',
]);
const UTF_8 = new TextDecoder();
const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true });
/** Media types that are always binary. */
const BINARY =
  /^(?:(?:image|audio|video|font)\/(?!.*\+xml$)|application\/(?:octet-stream|pdf|zip|gzip|x-tar|x-7z-compressed|vnd\.rar|msword|vnd\.ms-|vnd\.openxmlformats-)).*/;
/** Media types that are always text. */
const TEXTUAL =
  /^text\/|[/+](?:json|xml)$|^application\/(?:x-www-form-urlencoded|javascript|x-ndjson|yaml|x-yaml|graphql)$/;

/**
 * Decodes a response body: JSON as a value, other text as text, other bytes as a `BinaryValue`, an
 * empty body as null. Returns a problem if it does not match its declared type:
 * RESPONSE_ENCODING_UNKNOWN (the HTTP port has decoded known codings), RESPONSE_NOT_JSON,
 * RESPONSE_NUMBER_TOO_LARGE.
 * @param asText treat any body as text
 * @param saysJson the operation declares JSON: treat the body as JSON if it parses
 */
export function readBody(response: OutboundResponse, asText: boolean, saysJson = false): ReadBody {
  if (response.body.length === 0) return plain(null);
  const contentType = String(response.headers['content-type'] ?? '').toLowerCase();
  const coding = String(response.headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  if (!asText && coding !== '' && coding !== 'identity')
    return { value: null, problem: encodingUnknown(coding) };
  const type = contentType.split(';')[0].trim();
  const binary = (): ReadBody =>
    plain(new BinaryValue(response.body, type === '' ? 'application/octet-stream' : type));
  if (BINARY.test(type) && !asText && !(saysJson || MAYBE_JSON.has(type))) return binary();
  const { text, isReplaced } = decode(response.body, contentType);
  if (isReplaced && !TEXTUAL.test(type)) return binary();
  const read = readText(text, type, asText, saysJson);
  if (BINARY.test(type) && typeof read.value === 'string' && !asText) return binary();
  return isReplaced ? { ...read, isReplaced } : read;
}

function readText(text: string, type: string, asText: boolean, saysJson: boolean): ReadBody {
  if (asText) return plain(text);
  if (/[/+]json$/.test(type)) return readJson(text);
  if (!(saysJson || MAYBE_JSON.has(type)) || !/^\s*[[{]/.test(text)) return plain(text);
  const read = readJson(text);
  return read.problem === null ? read : plain(text);
}

const plain = (value: Value): ReadBody => ({ value, problem: null });

function readJson(text: string): ReadBody {
  if (text.trim() === '') return plain(null);
  try {
    return plain(parseExactJson(text) as Value);
  } catch (error) {
    return { value: text, problem: problemOf(error) };
  }
}

function problemOf(error: unknown): EngineError {
  if (error instanceof NumberTooLarge) {
    return new EngineError(
      'RESPONSE_NUMBER_TOO_LARGE',
      'The answer holds a number that would be rounded or lost; a response type of text takes it as it is.',
    );
  }
  if (error instanceof RangeError)
    return new EngineError('VALUE_TOO_LARGE', 'The answer is nested too deeply.');
  return new EngineError(
    'RESPONSE_NOT_JSON',
    'The answer calls itself JSON and is not; a response type of text takes it as it is.',
  );
}

const encodingUnknown = (coding: string): EngineError =>
  new EngineError(
    'RESPONSE_ENCODING_UNKNOWN',
    `The answer is packed as ${JSON.stringify(coding.slice(0, 50))} (Content-Encoding), which is not known here.`,
  );

/** Returns the body as text regardless of its content type. */
export const bodyText = ({ body, headers }: OutboundResponse): string =>
  decode(body, String(headers['content-type'] ?? '').toLowerCase()).text;

/**
 * Decodes as UTF-8 unless signature, header or XML declaration (in the order of RFC 7303) name
 * another known charset. A text/* without charset that is not UTF-8 is windows-1252, as in
 * browsers.
 */
function decode(
  body: Buffer,
  contentType: string,
): { readonly text: string; readonly isReplaced: boolean } {
  const { signed, declared } = encodingSaidBy(body);
  const named = signed ?? /charset\s*=\s*"?([^";\s]+)/.exec(contentType)?.[1] ?? declared;
  for (const charset of [
    named,
    'utf-8',
    ...(named === undefined && contentType.startsWith('text/') ? ['windows-1252'] : []),
  ]) {
    if (charset === undefined) continue;
    try {
      return {
        text: (charset === 'utf-8'
          ? STRICT_UTF_8
          : new TextDecoder(charset, { fatal: true })
        ).decode(body),
        isReplaced: false,
      };
    } catch {
      // An unknown character set, or bytes that are not valid in it.
    }
  }
  return { text: (isKnown(named) ? new TextDecoder(named) : UTF_8).decode(body), isReplaced: true };
}

function isKnown(charset: string | undefined): charset is string {
  try {
    return charset !== undefined && new TextDecoder(charset) instanceof TextDecoder;
  } catch {
    return false;
  }
}
