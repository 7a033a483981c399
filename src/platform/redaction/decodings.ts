import { entitiesDecoded, formDecoded, percentDecoded, unescaped } from './encodings';
import { lettersDecoded } from './letter-encodings';
import type { LettersWanted } from './letter-encodings';
import { characterSize, readingOf, startOf, viewsOfText } from './view';
import type { DecodedView, Reading, View } from './view';

/** ASCII without escapes: no decoding except base64 and hex, and one byte per character. */
const ONE_READING = /^[^\x80-\uffff\\%&]*$/;

export const hasOneReading = (text: string): boolean => ONE_READING.test(text);

/** Maximum number of nested encodings, such as JSON in a form in JSON. */
const MOST_ENCODINGS = 3;

/** How many encodings of a view may be nested in it. */
interface Depth {
  /** Of any kind. */
  readonly left: number;
  /** Of these, base64 and hex, which may also be directly in one another. */
  readonly letters: number;
}

const FULL_DEPTH: Depth = { left: MOST_ENCODINGS, letters: MOST_ENCODINGS };

type Decoder = (view: View) => View | null;

/** Decodes one level each. The automaton treats `+` as a space, so it needs no forms. */
const DECODERS: readonly Decoder[] = [unescaped, (view) => percentDecoded(view), entitiesDecoded];
const PATTERN_DECODERS: readonly Decoder[] = [...DECODERS, formDecoded];

/**
 * Yields all decodings of a text as bytes: plain, JSON escapes, percent-encoding, XML entities,
 * base64 and hex, also nested.
 */
export function* viewsOf(text: string, limits: LettersWanted | null): Generator<View> {
  const letters = (view: View): Iterable<View> =>
    limits === null ? [] : lettersDecoded(view, limits);
  function* decodingsOf(view: View, depth: Depth): Generator<View> {
    yield view;
    for (const [decoded, further] of decodedOnce(view, depth, DECODERS, letters))
      yield* decodingsOf(decoded, further);
  }
  for (const plain of viewsOfText(text)) yield* decodingsOf(plain, FULL_DEPTH);
}

/** Decodes one level; yields each result with how many levels may follow. */
function* decodedOnce(
  view: View,
  { left, letters }: Depth,
  decoders: readonly Decoder[],
  lettersIn: (view: View) => Iterable<View>,
): Generator<[View, Depth]> {
  // In base64 and hex there is seldom text, so that decoding these again costs little.
  const isInLetters = letters < MOST_ENCODINGS;
  if (letters > 0 && (isInLetters || left >= MOST_ENCODINGS - 1))
    for (const inner of lettersIn(view)) yield [inner, { left: 1, letters: letters - 1 }];
  if (left === 0) return;
  for (const decode of decoders) {
    const decoded = decode(view);
    if (decoded !== null) yield [decoded, { left: left - 1, letters: isInLetters ? 0 : letters }];
  }
}

/**
 * Shortest text in base64 or hex that patterns are matched against, in bytes: shorter ones occur in
 * ordinary words by chance.
 */
const MIN_LETTERS_TEXT = 8;

/**
 * Yields the same decodings as texts, for patterns: also forms, where `+` is a space, and of base64
 * and hex only what is text. Omits equal texts.
 */
export function* readingsOf(text: string): Generator<Reading, void, void> {
  /** How deep each text was decoded. */
  const yielded = new Map<string, Depth>();
  function* letters(view: View): Generator<View> {
    for (const inner of lettersDecoded(view, { bytes: MIN_LETTERS_TEXT, isCut: false }))
      yield* textsIn(inner);
  }
  function* decodingsOf(view: View, depth: Depth): Generator<Reading, void, void> {
    const reading = readingOf(view);
    const key = `${startOf(view, 0)} ${reading.text}`;
    const before = yielded.get(key);
    if (before === undefined) yield reading;
    else if (before.left >= depth.left && before.letters >= depth.letters) return;
    yielded.set(key, depth);
    for (const [decoded, further] of decodedOnce(view, depth, PATTERN_DECODERS, letters))
      yield* decodingsOf(decoded, further);
  }
  for (const plain of viewsOfText(text)) yield* decodingsOf(plain, FULL_DEPTH);
}

/** Yields the sequences of printable UTF-8 characters with the minimum length. */
function* textsIn({ bytes, from, to }: DecodedView): Generator<View> {
  let start = 0;
  for (let index = 0; index <= bytes.length;) {
    const size =
      index < bytes.length && isPrintable(bytes[index]) ? characterSize(bytes, index) : 0;
    if (size > 0) {
      index += size;
      continue;
    }
    if (index - start >= MIN_LETTERS_TEXT)
      yield {
        bytes: bytes.subarray(start, index),
        from: from.subarray(start, index),
        to: to.subarray(start, index),
      };
    index += 1;
    start = index;
  }
}

const isPrintable = (byte: number): boolean =>
  byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** Window size and overlap in characters; the overlap fits a value in three encodings. */
const WINDOW_LENGTH = 128 * 1024;
const OVERLAP_LENGTH = 48 * 1024;

/** Splits a long text into overlapping windows at offset `at`, to bound time and memory. */
export function* windowsOf(
  text: string,
): Generator<{ readonly at: number; readonly window: string }> {
  for (let at = 0; ; at += WINDOW_LENGTH - OVERLAP_LENGTH) {
    yield { at, window: text.slice(at, at + WINDOW_LENGTH) };
    if (at + WINDOW_LENGTH >= text.length) return;
  }
}
