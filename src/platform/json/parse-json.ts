import { JsonReader } from './json-reader';
import { brokenJson } from './json-source';
import type { JsonLimits } from './json-reader';
import { TimeSlices } from '../event-loop';

/** Bytes parsed in one step. The worst case (a thousand containers) takes some milliseconds. */
const PIECE_BYTES = 64 * 1024;

/** More values would take a gigabyte; an object with more names would block the event loop. */
export const JSON_LIMITS: JsonLimits = { depth: 100, values: 1_000_000, names: 30_000 };

/** For JSON whose numbers are read from the text. */
export const TEXT_LIMITS: JsonLimits = { ...JSON_LIMITS, anyNumbers: true };

/**
 * Parses and checks JSON of any size without blocking the event loop (docs/adr/0013). Returns
 * undefined for blank input.
 * @throws BadInput invalid JSON or UTF-8, nested too deeply, the name `__proto__`, or a number that
 *   a double cannot hold
 * @throws TooLarge too many values, or too many names in one object
 */
export async function parseJson(
  bytes: Buffer,
  limits = JSON_LIMITS,
  pieceBytes = PIECE_BYTES,
): Promise<unknown> {
  const reader = new JsonReader(bytes, limits, pieceBytes);
  const slices = new TimeSlices();
  while (!reader.advance(pieceBytes)) {
    if (slices.over) await slices.next();
  }
  return reader.result;
}

/**
 * Parses a JSON file of a user, which editors and exports of Windows also write in UTF-16.
 * @throws BadInput, TooLarge as `parseJson`
 */
export const parseJsonFile = async (bytes: Buffer, limits = JSON_LIMITS): Promise<unknown> =>
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

/** Smaller texts are parsed in one step. */
const LARGE_BYTES = 2 * PIECE_BYTES;

/** Parses JSON written by this service: in pieces if large, without checks. */
export async function parseOwnJson(bytes: Buffer): Promise<unknown> {
  // parseJson assigns fields one by one, which would set the prototype for this name.
  if (bytes.length < LARGE_BYTES || bytes.includes('__proto__'))
    return JSON.parse(bytes.toString());
  return parseJson(bytes, { depth: Infinity, values: Infinity, names: Infinity });
}
