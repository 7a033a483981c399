import { ViewBuilder } from './view';
import type { DecodedView, View } from './view';

/**
 * Minimum length of base64 or hex sequences to decode, in decoded bytes; less at a truncated end.
 */
export interface LettersWanted {
  readonly bytes: number;
  readonly isCut: boolean;
}

/** Encoding of bytes as letters with a fixed number of bits. */
interface LetterEncoding {
  readonly bits: number;
  /** The value of each letter, -1 for all other bytes. */
  readonly values: Int8Array;
  /** 1 for letters and line breaks within the encoding. */
  readonly inside: Uint8Array;
  /** Number of possible alignments of a text within a sequence; each is decoded. */
  readonly places: number;
}

/** Range of a sequence; the end is exclusive. */
type Letters = readonly [number, number];

/** Letters at the same position of the alphabets have the same value. */
function valuesOf(...alphabets: readonly string[]): Int8Array {
  const values = new Int8Array(256).fill(-1);
  for (const alphabet of alphabets)
    [...alphabet].forEach((letter, value) => (values[letter.charCodeAt(0)] = value));
  return values;
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The value of each hexadecimal digit, -1 for all other bytes. */
export const HEX_DIGITS = valuesOf('0123456789abcdef', '0123456789ABCDEF');

const encoding = (bits: number, values: Int8Array, places: number): LetterEncoding => ({
  bits,
  values,
  inside: Uint8Array.from(values, (value, byte) =>
    value >= 0 || byte === 0x0a || byte === 0x0d ? 1 : 0,
  ),
  places,
});

const BASE64 = encoding(6, valuesOf(`${ALPHANUMERIC}+/`, `${ALPHANUMERIC}-_`), 4);
const HEX = encoding(4, HEX_DIGITS, 2);

/** Not a valid UTF-8 byte, so that no match extends across sequences. */
const BETWEEN = 0xff;

/** Yields decoded base64 and hex sequences, which may start anywhere and contain line breaks. */
export function* lettersDecoded(view: View, limits: LettersWanted): Generator<DecodedView> {
  const allLetters: Letters = [0, view.bytes.length];
  const base64 = lettersIn(view.bytes, allLetters, BASE64, limits);
  yield* decodedFromEach(view, base64, BASE64);
  // Hex digits are base64 letters, and hex is longer, so search within the base64 sequences.
  yield* decodedFromEach(
    view,
    base64.flatMap((letters) => lettersIn(view.bytes, letters, HEX, limits)),
    HEX,
  );
}

function* decodedFromEach(
  view: View,
  runs: readonly Letters[],
  encoding: LetterEncoding,
): Generator<DecodedView> {
  for (let place = 0; place < encoding.places && runs.length > 0; place += 1)
    yield decoded(view, runs, encoding, place);
}

/** Finds sequences of letters (ignoring line breaks) with the minimum length. */
function lettersIn(
  bytes: Uint8Array,
  [from, to]: Letters,
  { bits, inside }: LetterEncoding,
  limits: LettersWanted,
): Letters[] {
  const least = Math.ceil((limits.bytes * 8) / bits);
  const runs: Letters[] = [];
  let start = from;
  for (let index = from; index <= to; index += 1) {
    if (index < to && inside[bytes[index]] === 1) continue;
    if (index - start >= least || (limits.isCut && index === bytes.length))
      runs.push([start, index]);
    start = index + 1;
  }
  return runs;
}

/** Decodes the sequences starting at an offset of `place` letters. */
function decoded(
  view: View,
  runs: readonly Letters[],
  { bits, values }: LetterEncoding,
  place: number,
): DecodedView {
  const { bytes } = view;
  const builder = new ViewBuilder(view);
  for (const [nth, [start, end]] of runs.entries()) {
    // No separator after the last one: a secret may continue beyond a truncated end.
    if (nth > 0) builder.push(BETWEEN, start, start);
    let skip = place;
    let read = 0;
    let bitCount = 0;
    let before = start;
    for (let index = start; index < end; index += 1) {
      const value = values[bytes[index]];
      if (value < 0) continue;
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      read = ((read << bits) | value) & 0xffff;
      bitCount += bits;
      if (bitCount >= 8) {
        bitCount -= 8;
        builder.push((read >> bitCount) & 0xff, before, index);
      }
      before = index;
    }
  }
  return builder.done();
}
