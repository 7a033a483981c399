import { entitiesDecoded, percentDecoded, unescaped } from './escapes';
import { lettersDecoded } from './letter-encodings';
import type { LettersWanted } from './letter-encodings';
import type { View } from './view';

/** ASCII without escapes: no decoding except base64 and hex, and one byte per character. */
const ONE_READING = /^[^\x80-\uffff\\%&]*$/;

export const hasOneReading = (text: string): boolean => ONE_READING.test(text);

/** Maximum number of nested encodings, such as JSON in a form in JSON. */
const MOST_ENCODINGS = 3;

/**
 * Yields all decodings of a text: plain, JSON escapes, percent-encoding, XML entities, base64 and
 * hex, also nested.
 */
export function* viewsOf(text: string, wanted: LettersWanted | null): Generator<View> {
  for (const plain of plainViews(text)) yield* readings(plain, MOST_ENCODINGS, wanted);
}

function* readings(view: View, left: number, wanted: LettersWanted | null): Generator<View> {
  yield view;
  if (wanted !== null && left >= MOST_ENCODINGS - 1) {
    for (const inner of lettersDecoded(view, wanted)) yield* readings(inner, 1, null);
  }
  if (left === 0) return;
  for (const undone of [unescaped(view), percentDecoded(view), entitiesDecoded(view)]) {
    if (undone !== null) yield* readings(undone, left - 1, wanted);
  }
}

/** Headers carry UTF-8 as Latin-1, so such a text is read both ways. */
function plainViews(text: string): View[] {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length === text.length) return [{ bytes, from: null, to: null }];
  const utf8 = utf8View(text, bytes);
  return /[^\0-\xff]/.test(text)
    ? [utf8]
    : [utf8, { bytes: Buffer.from(text, 'latin1'), from: null, to: null }];
}

function utf8View(text: string, bytes: Uint8Array): View {
  const from = new Uint32Array(bytes.length);
  const to = new Uint32Array(bytes.length);
  let at = 0;
  for (let index = 0; index < text.length;) {
    const point = text.codePointAt(index) ?? 0;
    const units = point > 0xffff ? 2 : 1;
    for (
      const end = at + (point < 0x80 ? 1 : point < 0x800 ? 2 : point > 0xffff ? 4 : 3);
      at < end;
      at += 1
    ) {
      from[at] = index;
      to[at] = index + units;
    }
    index += units;
  }
  return { bytes, from, to };
}

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
