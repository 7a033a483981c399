import { JsonReader } from './json-reader';
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

/** Smaller texts are parsed in one step. */
const LARGE_BYTES = 2 * PIECE_BYTES;

/** Parses JSON written by this service: in pieces if large, without checks. */
export async function parseOwnJson(bytes: Buffer): Promise<unknown> {
  // parseJson assigns fields one by one, which would set the prototype for this name.
  if (bytes.length < LARGE_BYTES || bytes.includes('__proto__'))
    return JSON.parse(bytes.toString());
  return parseJson(bytes, { depth: Infinity, values: Infinity, names: Infinity });
}
