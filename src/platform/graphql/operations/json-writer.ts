import { GraphQLError } from 'graphql';
import { isLargeJson, jsonPieces } from '../../json/write-json';

/** Length of a text that takes some hundred microseconds to write. */
export const LIGHT_CHARACTERS = 32 * 1024;

/** The answer exceeds its limit. */
export class JsonTooLarge extends GraphQLError {
  constructor(maxBytes: number) {
    super(`The answer has more than ${maxBytes} bytes. Ask for less at a time.`, {
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    });
  }
}

/** A value of a field cannot be written as JSON, so that there is no answer. */
export class NotWritable extends Error {}

/**
 * Writes JSON like `JSON.stringify`, yielding the event loop in between if it is large.
 * @throws JsonTooLarge more than `maxBytes`
 * @throws TypeError    a value that is not JSON, such as a BigInt
 */
export async function writeJson(value: unknown, maxBytes: number): Promise<string> {
  const text = await writeJsonPart(value, maxBytes);
  requireSize(text, maxBytes);
  return text;
}

/** @throws JsonTooLarge the text and `otherBytes` together have more than `maxBytes` in UTF-8 */
export function requireSize(text: string, maxBytes: number, otherBytes = 0): void {
  const most = maxBytes - otherBytes;
  if (text.length * 3 > most && Buffer.byteLength(text) > most) throw new JsonTooLarge(maxBytes);
}

/** Writes a part of an answer like `writeJson`, at once if it is small. */
export function writeJsonPart(value: unknown, maxBytes: number): string | Promise<string> {
  const isLarge = typeof value === 'string' ? value.length > LIGHT_CHARACTERS : isLargeJson(value);
  return isLarge ? joinPieces(value, maxBytes) : JSON.stringify(value);
}

async function joinPieces(value: unknown, maxBytes: number): Promise<string> {
  let text = '';
  for await (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length > maxBytes) throw new JsonTooLarge(maxBytes);
  }
  return text;
}
