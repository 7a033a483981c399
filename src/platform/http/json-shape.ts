const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface JsonShape {
  /** Objects and arrays inside each other. */
  readonly depth: number;
  /** About how many values there are: opened brackets and commas. */
  readonly values: number;
}

/** The place of the quote that ends a string, or the end of the bytes. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Measures JSON without parsing it: 20 MB of brackets would take the parser seconds and a gigabyte. Stops as soon as it knows that
 * either limit is passed. Says nothing about whether the bytes are JSON.
 */
export function measureJson(bytes: Buffer, limits: JsonShape): JsonShape {
  let open = 0;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length && depth <= limits.depth && values <= limits.values; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++;
      depth = Math.max(depth, ++open);
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) open--;
  }
  return { depth, values };
}
