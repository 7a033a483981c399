/**
 * A decoded text, and the source offset of each of its characters and of its end; null if the
 * offsets are the same.
 */
export interface Reading {
  readonly text: string;
  readonly starts: Uint32Array | null;
}

/** Offset in the source of a position in the decoded text. */
export const writtenAt = ({ starts }: Reading, index: number): number => starts?.[index] ?? index;

/** Maximum number of nested encodings, such as JSON in a form in a URL. */
const MOST_ENCODINGS = 3;

/** Characters that occur in every encoding. */
const MAY_BE_ENCODED = /[%\\&+]/;
const ENCODED =
  /%[\da-fA-F]{2}|\\(?:u[\da-fA-F]{4}|["\\/bfnrt])|&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][\da-fA-F]{1,6});|\+/g;

/**
 * Yields the decodings of a text: as it is, and with percent-encoding, JSON escapes and XML
 * entities decoded, once with `+` kept and once as a space (as in forms); repeated while encodings
 * remain.
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

/** Decodes one level. @param plus replacement for `+` */
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
    // Part of a multi-byte character that was decoded already.
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

/** Decodes a JSON escape or an XML entity; returns invalid ones unchanged. */
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

/** Decodes a percent-encoded character: UTF-8, or Latin-1 if it is not valid UTF-8. */
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

/** A percent-encoded UTF-8 continuation byte. */
const CONTINUED = /^%[89abAB][\da-fA-F]$/;
/** Length of a UTF-8 character by its first byte. */
const bytesOf = (first: number): number =>
  first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
