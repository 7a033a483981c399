/** A text as it is read, and where each of its characters stands in what was written; null when that is the same. Behind the last one stands the end. */
export interface Reading {
  readonly text: string;
  readonly starts: Uint32Array | null;
}

/** Where a part of it stands in what was written. */
export const writtenAt = ({ starts }: Reading, index: number): number => starts?.[index] ?? index;

/** Encodings within each other that are undone: JSON in a form in a URL. */
const MOST_ENCODINGS = 3;

/** What may stand for another character. */
const MAY_BE_ENCODED = /[%\\&+]/;
const ENCODED =
  /%[\da-fA-F]{2}|\\(?:u[\da-fA-F]{4}|["\\/bfnrt])|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][\da-fA-F]{1,6});|\+/g;

/**
 * The ways to read a text: as it stands, and with percent signs, escapes of JSON and entities of XML undone, with `+` as it stands and as the space
 * that it is in forms, as often as there is something to undo.
 */
export function* readingsOf(text: string): Generator<Reading, void, void> {
  let plain: Reading = { text, starts: null };
  let form = plain;
  yield plain;
  for (let left = MOST_ENCODINGS; left > 0; left -= 1) {
    const before = { plain, form };
    if (!MAY_BE_ENCODED.test(plain.text) && !MAY_BE_ENCODED.test(form.text)) return;
    plain = undone(plain, '+');
    form = undone(form, ' ');
    const isNew = { plain: plain.text !== before.plain.text, form: form.text !== before.form.text };
    if (isNew.plain) yield plain;
    if (isNew.form && form.text !== plain.text) yield form;
    if (!isNew.plain && !isNew.form) return;
  }
}

/** One encoding undone. @param plus what `+` stands for */
function undone(source: Reading, plus: string): Reading {
  const { text } = source;
  const starts = new Uint32Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let read = 0;
  const asItStands = (end: number): void => {
    if (end > read) pieces.push(text.slice(read, end));
    for (; read < end; read += 1, length += 1) starts[length] = writtenAt(source, read);
  };
  for (const { 0: code, index } of text.matchAll(ENCODED)) {
    // It was one of those that make a character together.
    if (index < read) continue;
    const { character, end } = code.startsWith('%')
      ? percentAt(text, index)
      : { character: code === '+' ? plus : characterOf(code), end: index + code.length };
    if (character === code) continue;
    asItStands(index);
    pieces.push(character);
    for (const upTo = length + character.length; length < upTo; length += 1)
      starts[length] = writtenAt(source, index);
    read = end;
  }
  asItStands(text.length);
  starts[length] = writtenAt(source, text.length);
  return { text: pieces.join(''), starts: starts.subarray(0, length + 1) };
}

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** What an escape of JSON or an entity stands for; itself where that is no character. */
function characterOf(code: string): string {
  const name = code.slice(1);
  if (code.startsWith('&')) return entity(name.slice(0, -1)) ?? code;
  return name.length > 1
    ? String.fromCharCode(parseInt(name.slice(1), 16))
    : (CONTROLS[name] ?? name);
}

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name];
  const point = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

/** The character of which the bytes begin here: in UTF-8, or in Latin-1 where it is none. */
function percentAt(
  text: string,
  index: number,
): { readonly character: string; readonly end: number } {
  const first = parseInt(text.slice(index + 1, index + 3), 16);
  const end = index + 3 * bytesOf(first);
  let point = first & (0xff >> (bytesOf(first) + 1));
  for (let at = index + 3; at < end; at += 3) {
    const byte = CONTINUED.test(text.slice(at, at + 3))
      ? parseInt(text.slice(at + 1, at + 3), 16)
      : NaN;
    point = point * 64 + byte - 0x80;
  }
  return point <= 0x10ffff && first >= 0xc0
    ? { character: String.fromCodePoint(point), end }
    : { character: String.fromCharCode(first), end: index + 3 };
}

/** A byte of UTF-8 that is no first one of a character. */
const CONTINUED = /^%[89abAB][\da-fA-F]$/;
/** How many bytes a character has in UTF-8 that begins so. */
const bytesOf = (first: number): number =>
  first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
