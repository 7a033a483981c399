import { ViewBuilder } from './view';
import type { View } from './view';

/** Which runs of letters may be base64 or hex that holds something: as long as so many bytes take, and shorter at the end of a text that was cut. */
export interface LettersWanted {
  readonly bytes: number;
  readonly isCut: boolean;
}

/** Bytes written as letters, each of which stands for so many bits. */
interface LetterEncoding {
  readonly bits: number;
  /** The value of each letter, -1 for all other bytes. */
  readonly values: Int8Array;
  /** 1 for letters and for what breaks their lines. */
  readonly inside: Uint8Array;
  /** How many letters a text may begin within another one, so that it is read anew from there. */
  readonly places: number;
}

/** Letters that follow each other: the first, and what is behind the last. */
type Letters = readonly [number, number];

/** Letters with the same place in two alphabets have the same value. */
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

/** No byte of UTF-8, so nothing that is found reaches from one run to the next. */
const BETWEEN = 0xff;

/** What stands in base64 and in hex, which may begin anywhere and have its lines broken. */
export function* lettersDecoded(view: View, wanted: LettersWanted): Generator<View> {
  const whole: Letters = [0, view.bytes.length];
  const base64 = lettersIn(view.bytes, whole, BASE64, wanted);
  yield* decodedFromEach(view, base64, BASE64);
  // The digits of hex are letters of base64, and of hex more are needed.
  yield* decodedFromEach(
    view,
    base64.flatMap((letters) => lettersIn(view.bytes, letters, HEX, wanted)),
    HEX,
  );
}

function* decodedFromEach(
  view: View,
  runs: readonly Letters[],
  encoding: LetterEncoding,
): Generator<View> {
  for (let place = 0; place < encoding.places && runs.length > 0; place += 1)
    yield decoded(view, runs, encoding, place);
}

/** Where letters follow each other, lines broken or not, as many as are wanted at least. */
function lettersIn(
  bytes: Uint8Array,
  [from, to]: Letters,
  { bits, inside }: LetterEncoding,
  wanted: LettersWanted,
): Letters[] {
  const least = Math.ceil((wanted.bytes * 8) / bits);
  const runs: Letters[] = [];
  let start = from;
  for (let index = from; index <= to; index += 1) {
    if (index < to && inside[bytes[index]] === 1) continue;
    if (index - start >= least || (wanted.isCut && index === bytes.length))
      runs.push([start, index]);
    start = index + 1;
  }
  return runs;
}

/** The runs read as if each began `place` letters after its start. */
function decoded(
  view: View,
  runs: readonly Letters[],
  { bits, values }: LetterEncoding,
  place: number,
): View {
  const { bytes } = view;
  const builder = new ViewBuilder(view);
  for (const [nth, [start, end]] of runs.entries()) {
    // None behind the last: where the text was cut, a secret may have gone on.
    if (nth > 0) builder.push(BETWEEN, start, start);
    let skip = place;
    let read = 0;
    let known = 0;
    let before = start;
    for (let index = start; index < end; index += 1) {
      const value = values[bytes[index]];
      if (value < 0) continue;
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      read = ((read << bits) | value) & 0xffff;
      known += bits;
      if (known >= 8) {
        known -= 8;
        builder.push((read >> known) & 0xff, before, index);
      }
      before = index;
    }
  }
  return builder.done();
}
