import { JsonReader } from './json-reader';
import type { JsonLimits } from './json-reader';
import { Turns } from './turns';

/** What is read at one go. The worst of this size (a thousand containers in a few bytes each) takes the parser some milliseconds. */
const PIECE_BYTES = 64 * 1024;

/** Deeper input serves nobody and costs whoever walks it; more values than these take a gigabyte; to ask an object for more names than these holds the loop. */
export const JSON_LIMITS: JsonLimits = { depth: 100, values: 1_000_000, names: 30_000 };

/** Of JSON whose numbers are read from its text. */
export const TEXT_LIMITS: JsonLimits = { ...JSON_LIMITS, anyNumbers: true };

/**
 * Parses and judges JSON of any size; never holds the event loop for long (docs/adr/0021). Blanks alone are undefined.
 * @throws BadInput no JSON, no UTF-8, nested too deep, the name `__proto__`, or a number no double holds
 * @throws TooLarge more values, or more names in one object, than anybody needs
 */
export async function parseJson(
  bytes: Buffer,
  limits = JSON_LIMITS,
  pieceBytes = PIECE_BYTES,
): Promise<unknown> {
  const reader = new JsonReader(bytes, limits, pieceBytes);
  const turns = new Turns();
  while (!reader.advance(pieceBytes)) {
    if (turns.over) await turns.next();
  }
  return reader.result;
}

/** Smaller texts are read at one go. */
const LARGE_BYTES = 2 * PIECE_BYTES;

/** Parses JSON that this service wrote itself: in pieces where it is large, and without judging it. */
export async function parseOwnJson(bytes: Buffer): Promise<unknown> {
  // Pieces are put together by assignment, which this name would not survive.
  if (bytes.length < LARGE_BYTES || bytes.includes('__proto__'))
    return JSON.parse(bytes.toString());
  return parseJson(bytes, { depth: Infinity, values: Infinity, names: Infinity });
}
