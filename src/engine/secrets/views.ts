/** A text as bytes (UTF-8), read in one way, and for each byte the characters of the text it comes from; null when they are the same. */
export interface View {
  readonly bytes: Uint8Array;
  readonly from: Uint32Array | null;
  readonly to: Uint32Array | null;
}

export const startOf = (view: View, index: number): number => view.from?.[index] ?? index;
export const endOf = (view: View, index: number): number => view.to?.[index] ?? index + 1;

/** Which runs of letters may be base64 that holds something: so many letters, and fewer at the end of a text that was cut. */
export interface Base64Wanted {
  readonly letters: number;
  readonly isCut: boolean;
}

/** A text of ASCII letters, without an escape of any kind: there is one way to read it, but for base64, and a byte for each character. */
const ONE_READING = /^[^\x80-\uffff\\%&]*$/;

export const hasOneReading = (text: string): boolean => ONE_READING.test(text);

/** Encodings within each other that are undone: JSON in a form in JSON. */
const MOST_ENCODINGS = 3;

/**
 * All ways to read a text: as it stands, and with escapes of JSON, percent signs, entities of XML and base64 undone, one within the other. Base64 may begin
 * anywhere, so it is read from four places.
 */
export function* viewsOf(text: string, wanted: Base64Wanted | null): Generator<View> {
  for (const plain of plainViews(text)) yield* readings(plain, MOST_ENCODINGS, wanted);
}

function* readings(view: View, left: number, wanted: Base64Wanted | null): Generator<View> {
  yield view;
  if (wanted !== null && left >= MOST_ENCODINGS - 1) {
    const runs = base64Runs(view.bytes, wanted);
    for (let offset = 0; offset < 4 && runs.length > 0; offset += 1) yield* readings(fromBase64(view, runs, offset), 1, null);
  }
  if (left === 0) return;
  for (const undone of [unescaped(view), percentDecoded(view), entitiesDecoded(view)]) {
    if (undone !== null) yield* readings(undone, left - 1, wanted);
  }
}

/** Headers carry UTF-8 as if it were Latin-1, so such a text is read in both ways. */
function plainViews(text: string): View[] {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length === text.length) return [{ bytes, from: null, to: null }];
  const utf8 = utf8View(text, bytes);
  return /[^\0-\xff]/.test(text) ? [utf8] : [utf8, { bytes: Buffer.from(text, 'latin1'), from: null, to: null }];
}

function utf8View(text: string, bytes: Uint8Array): View {
  const from = new Uint32Array(bytes.length);
  const to = new Uint32Array(bytes.length);
  let at = 0;
  for (let index = 0; index < text.length;) {
    const point = text.codePointAt(index) ?? 0;
    const units = point > 0xffff ? 2 : 1;
    for (const end = at + (point < 0x80 ? 1 : point < 0x800 ? 2 : point > 0xffff ? 4 : 3); at < end; at += 1) {
      from[at] = index;
      to[at] = index + units;
    }
    index += units;
  }
  return { bytes, from, to };
}

/** Collects the bytes of a view that is made of another one. */
class ViewBuilder {
  private readonly bytes: Uint8Array;
  private readonly from: Uint32Array;
  private readonly to: Uint32Array;
  private length = 0;

  private readonly sourceFrom: Uint32Array | null;
  private readonly sourceTo: Uint32Array | null;

  constructor(source: View) {
    this.bytes = new Uint8Array(source.bytes.length);
    this.from = new Uint32Array(source.bytes.length);
    this.to = new Uint32Array(source.bytes.length);
    this.sourceFrom = source.from;
    this.sourceTo = source.to;
  }

  /** A byte that stands for the bytes `first` to `last` of the source. */
  push(byte: number, first: number, last: number): void {
    this.bytes[this.length] = byte;
    this.from[this.length] = this.sourceFrom === null ? first : this.sourceFrom[first];
    this.to[this.length] = this.sourceTo === null ? last + 1 : this.sourceTo[last];
    this.length += 1;
  }

  done(): View {
    return { bytes: this.bytes.subarray(0, this.length), from: this.from, to: this.to };
  }
}

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;

function percentDecoded(view: View): View | null {
  const { bytes } = view;
  if (!bytes.includes(PERCENT)) return null;
  const builder = new ViewBuilder(view);
  for (let index = 0; index < bytes.length; index += 1) {
    const value = bytes[index] === PERCENT ? hexAt(bytes, index + 1, 2) : null;
    if (value !== null) {
      builder.push(value, index, index + 2);
      index += 2;
    } else {
      // What was cut in the middle of an escape ends before it.
      if (bytes[index] === PERCENT && index + 2 >= bytes.length) break;
      builder.push(bytes[index], index, index);
    }
  }
  return builder.done();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** `&#x10ffff;`, with zeros before it. */
const LONGEST_ENTITY = 12;

/** The entities of XML and HTML that stand for one character each; null when there are none. */
function entitiesDecoded(view: View): View | null {
  const { bytes } = view;
  if (!bytes.includes(AMPERSAND) || !bytes.includes(SEMICOLON)) return null;
  const builder = new ViewBuilder(view);
  let found = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const end = bytes[index] === AMPERSAND ? entityEnd(bytes, index) : -1;
    const character = end < 0 ? null : entity(Buffer.from(bytes.subarray(index + 1, end)).toString('latin1'));
    if (character === null) {
      builder.push(bytes[index], index, index);
    } else {
      for (const byte of Buffer.from(character, 'utf8')) builder.push(byte, index, end);
      index = end;
      found = true;
    }
  }
  return found ? builder.done() : null;
}

/** Where the entity begins in the middle of which bytes were cut; their length where they were not. */
export function cutEntityOf(bytes: Uint8Array): number {
  const last = bytes.subarray(-LONGEST_ENTITY);
  const at = last.lastIndexOf(AMPERSAND);
  return at < 0 || last.includes(SEMICOLON, at) ? bytes.length : bytes.length - last.length + at;
}

/** Its semicolon; -1 when there is none near. */
function entityEnd(bytes: Uint8Array, start: number): number {
  const last = Math.min(bytes.length, start + LONGEST_ENTITY);
  for (let index = start + 2; index < last; index += 1) if (bytes[index] === SEMICOLON) return index;
  return -1;
}

function entity(name: string): string | null {
  const number = /^#(?:[xX]([\da-fA-F]{1,8})|(\d{1,8}))$/.exec(name);
  if (number === null) return ENTITIES[name] ?? null;
  const point = number[1] === undefined ? Number(number[2]) : parseInt(number[1], 16);
  return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : null;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const ESCAPED_BYTES = new Map(Object.entries(ESCAPES).map(([letter, control]) => [letter.charCodeAt(0), control.charCodeAt(0)]));

/** One level of JSON's escapes undone. */
function unescaped(view: View): View | null {
  const { bytes } = view;
  if (!bytes.includes(BACKSLASH)) return null;
  const builder = new ViewBuilder(view);
  for (let index = 0; index < bytes.length; index += 1) {
    if (bytes[index] !== BACKSLASH) {
      builder.push(bytes[index], index, index);
    } else if (bytes[index + 1] === 0x75) {
      index = pushCodePoint(builder, bytes, index);
    } else if (index + 1 < bytes.length) {
      builder.push(ESCAPED_BYTES.get(bytes[index + 1]) ?? bytes[index + 1], index, index + 1);
      index += 1;
    }
  }
  return builder.done();
}

/** Writes the character of `\uXXXX` (or of two that belong together); gives the index of the last byte that was read. */
function pushCodePoint(builder: ViewBuilder, bytes: Uint8Array, index: number): number {
  const unit = hexAt(bytes, index + 2, 4);
  if (unit === null) {
    if (index + 6 <= bytes.length) builder.push(0x75, index, index + 1);
    return index + 6 <= bytes.length ? index + 1 : bytes.length;
  }
  // The other half was cut off.
  if (unit >= 0xd800 && unit < 0xdc00 && index + 12 > bytes.length) return bytes.length;
  const isPair = unit >= 0xd800 && unit < 0xdc00 && bytes[index + 6] === BACKSLASH && bytes[index + 7] === 0x75;
  const second = isPair ? hexAt(bytes, index + 8, 4) : null;
  const last = index + (second === null ? 5 : 11);
  for (const byte of Buffer.from(second === null ? String.fromCharCode(unit) : String.fromCharCode(unit, second), 'utf8')) builder.push(byte, index, last);
  return last;
}

const BASE64 = new Int8Array(256).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((letter, value) => { BASE64[letter.charCodeAt(0)] = value; });
BASE64['-'.charCodeAt(0)] = 62;
BASE64['_'.charCodeAt(0)] = 63;
const IN_BASE64 = BASE64.map((value, byte) => (value >= 0 || byte === 0x0a || byte === 0x0d ? 1 : 0));
/** No byte of UTF-8, so nothing that is found reaches from one run to the next. */
const BETWEEN = 0xff;

/** Where letters of base64 follow each other, lines broken or not, at least so many: from the first to behind the last. */
function base64Runs(bytes: Uint8Array, { letters, isCut }: Base64Wanted): [number, number][] {
  const runs: [number, number][] = [];
  let start = 0;
  for (let index = 0; index <= bytes.length; index += 1) {
    if (index < bytes.length && IN_BASE64[bytes[index]] === 1) continue;
    if (index - start >= letters || (isCut && index === bytes.length)) runs.push([start, index]);
    start = index + 1;
  }
  return runs;
}

/** The runs read as base64 that begins `offset` letters after their start. */
function fromBase64(view: View, runs: readonly [number, number][], offset: number): View {
  const { bytes } = view;
  const builder = new ViewBuilder(view);
  for (const [nth, [start, end]] of runs.entries()) {
    // None behind the last: where the text was cut, a secret may have gone on.
    if (nth > 0) builder.push(BETWEEN, start, start);
    let skip = offset;
    let bits = 0;
    let known = 0;
    let before = start;
    for (let index = start; index < end; index += 1) {
      const value = BASE64[bytes[index]];
      if (value < 0) continue;
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      bits = ((bits << 6) | value) & 0xffff;
      known += 6;
      if (known >= 8) {
        known -= 8;
        builder.push((bits >> known) & 0xff, before, index);
      }
      before = index;
    }
  }
  return builder.done();
}

function hexAt(bytes: Uint8Array, start: number, digits: number): number | null {
  let value = 0;
  for (let index = start; index < start + digits; index += 1) {
    const digit = index < bytes.length ? HEX[bytes[index]] : -1;
    if (digit < 0) return null;
    value = value * 16 + digit;
  }
  return value;
}

const HEX = new Int8Array(256).fill(-1);
[...'0123456789abcdef'].forEach((letter, value) => {
  HEX[letter.charCodeAt(0)] = value;
  HEX[letter.toUpperCase().charCodeAt(0)] = value;
});
