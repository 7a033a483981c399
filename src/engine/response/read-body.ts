import { encodingSaidBy } from '../../platform/xml/decode';
import { EngineError } from '../errors';
import { NumberTooLarge, parseExactJson } from '../exact-json';
import type { OutboundResponse } from '../ports';
import type { Value } from '../value';

export interface ReadBody {
  readonly value: Value;
  /** Why the value is not what the answer says it is. */
  readonly problem: EngineError | null;
}

/** Types under which servers send JSON without saying so; such a text counts as JSON when it looks like it and is. */
const MAYBE_JSON = new Set(['', 'text/plain', 'text/javascript', 'application/javascript', 'application/octet-stream']);
const UTF_8 = new TextDecoder();

/**
 * The body of an answer: JSON as a value, everything else as text, nothing as null. What cannot be read as what it calls itself is a problem:
 * RESPONSE_ENCODING_UNKNOWN (the http port has undone the ones it knows), RESPONSE_NOT_JSON, RESPONSE_NUMBER_TOO_LARGE.
 * @param asText takes any body as the text it is
 * @param saysJson what is called says that it answers JSON, so whatever looks like it and is counts as JSON
 */
export function readBody(response: OutboundResponse, asText: boolean, saysJson = false): ReadBody {
  if (response.body.length === 0) return plain(null);
  const contentType = String(response.headers['content-type'] ?? '').toLowerCase();
  const coding = String(response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (!asText && coding !== '' && coding !== 'identity') return { value: null, problem: encodingUnknown() };
  const text = decode(response.body, contentType);
  if (asText) return plain(text);
  const type = contentType.split(';')[0].trim();
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
    return new EngineError('RESPONSE_NUMBER_TOO_LARGE', 'The answer holds a number that would be rounded or lost; a response type of text takes it as it is.');
  }
  if (error instanceof RangeError) return new EngineError('VALUE_TOO_LARGE', 'The answer is nested too deeply.');
  return new EngineError('RESPONSE_NOT_JSON', 'The answer calls itself JSON and is not; a response type of text takes it as it is.');
}

const encodingUnknown = (): EngineError => new EngineError('RESPONSE_ENCODING_UNKNOWN', 'The answer is packed in a way that is not known here.');

/** The text of an answer, whatever it calls itself. */
export const bodyText = ({ body, headers }: OutboundResponse): string => decode(body, String(headers['content-type'] ?? '').toLowerCase());

/** UTF-8 unless the answer names another character set that is known here: by its first bytes, its header or its declaration of XML, in the order of RFC 7303. */
function decode(body: Buffer, contentType: string): string {
  const { signed, declared } = encodingSaidBy(body);
  const charset = signed ?? /charset\s*=\s*"?([^";\s]+)/.exec(contentType)?.[1] ?? declared ?? 'utf-8';
  if (charset === 'utf-8') return UTF_8.decode(body);
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return UTF_8.decode(body);
  }
}
