import { BadInput } from '../errors/errors';
import { checkJson } from './check-json';
import type { JsonLimits } from './check-json';
import { mayNameProto, requireFitValue } from './judge';

/** More values would take a gigabyte. */
const JSON_LIMITS: JsonLimits = { depth: 100, values: 1_000_000, names: 30_000 };

/** For JSON whose numbers are read from the text. */
export const TEXT_LIMITS: JsonLimits = { ...JSON_LIMITS, anyNumbers: true };

const brokenJson = (): BadInput => new BadInput('BAD_REQUEST', 'The body is not valid JSON.');

/**
 * Checks and parses JSON from a client (docs/adr/0013). Returns undefined for blank input.
 * @throws BadInput invalid JSON or UTF-8, nested too deeply, the name `__proto__`, or a number that
 *   a double cannot hold
 * @throws TooLarge too many values, or too many names in one object
 */
export function parseJson(bytes: Buffer, limits = JSON_LIMITS): unknown {
  const text = decode(bytes);
  if (text.trim() === '') return undefined;
  checkJson(bytes, limits);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the body, which may contain a password.
    throw brokenJson();
  }
  if (mayNameProto(text)) requireFitValue(value);
  return value;
}

/** Without the byte order mark. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadInput('BAD_REQUEST', 'The body is not valid UTF-8.');
  }
}

/**
 * Parses a JSON file of a user, which editors and exports of Windows also write in UTF-16.
 * @throws BadInput, TooLarge as `parseJson`
 */
export const parseJsonFile = (bytes: Buffer, limits = JSON_LIMITS): unknown =>
  parseJson(inUtf8(bytes), limits);

/** JSON begins with an ASCII character, so that zero bytes tell UTF-16 also without a signature. */
function inUtf8(bytes: Buffer): Buffer {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return fromUtf16(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return fromUtf16(bytes, 'utf-16be');
  if (bytes.length < 2 || (first !== 0) === (second !== 0)) return bytes;
  return fromUtf16(bytes, second === 0 ? 'utf-16le' : 'utf-16be');
}

function fromUtf16(bytes: Buffer, encoding: string): Buffer {
  try {
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    throw brokenJson();
  }
}
