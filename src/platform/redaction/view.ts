/** UTF-8 bytes of a decoded text, with the source range of each byte; null if they are the same. */
export interface View {
  readonly bytes: Uint8Array;
  readonly from: Uint32Array | null;
  readonly to: Uint32Array | null;
}

export const startOf = ({ from }: Pick<View, 'from'>, index: number): number =>
  from?.[index] ?? index;
export const endOf = ({ to }: Pick<View, 'to'>, index: number): number => to?.[index] ?? index + 1;

/** Returns a text with one character per byte. */
export const lettersOf = ({ bytes }: View): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** A view that is not the source itself. */
export interface DecodedView extends View {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** Builds a view from another view. */
export class ViewBuilder {
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

  /** Appends a byte that represents bytes `first` to `last` of the source. */
  push(byte: number, first: number, last: number): void {
    this.bytes[this.length] = byte;
    this.from[this.length] = this.sourceFrom === null ? first : this.sourceFrom[first];
    this.to[this.length] = this.sourceTo === null ? last + 1 : this.sourceTo[last];
    this.length += 1;
  }

  done(): DecodedView {
    return { bytes: this.bytes.subarray(0, this.length), from: this.from, to: this.to };
  }
}

/** A character in UTF-8 that was read as Latin-1, perhaps truncated. */
const READ_AS_LATIN1 = /[\xc2-\xf4](?:[\x80-\xbf]|$)/;

/** Headers carry UTF-8 as Latin-1, so such a text is read both ways. */
export function viewsOfText(text: string): View[] {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length === text.length) return [{ bytes, from: null, to: null }];
  const utf8 = utf8View(text, bytes);
  return /[^\0-\xff]/.test(text) || !READ_AS_LATIN1.test(text)
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

/** The text of a view, with the source range of each UTF-16 unit. */
export interface Reading extends Pick<View, 'from' | 'to'> {
  readonly text: string;
}

/** Returns the text of UTF-8 bytes; bytes that are not UTF-8 are Latin-1. */
export function readingOf(view: View): Reading {
  const { bytes } = view;
  const letters = lettersOf(view);
  if (!/[\x80-\xff]/.test(letters)) return { text: letters, from: view.from, to: view.to };
  const units = new Uint16Array(bytes.length);
  const from = new Uint32Array(bytes.length);
  const to = new Uint32Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length;) {
    const size = characterSize(bytes, index) || 1;
    const character = size === 1 ? '' : utf8At(bytes, index, size);
    for (let unit = 0; unit < (character.length || 1); unit += 1, length += 1) {
      units[length] = size === 1 ? bytes[index] : character.charCodeAt(unit);
      from[length] = startOf(view, index);
      to[length] = endOf(view, index + size - 1);
    }
    index += size;
  }
  return { text: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'), from, to };
}

const utf8At = (bytes: Uint8Array, index: number, size: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + index, size).toString('utf8');

/** Returns the bytes of the UTF-8 character at an index; 0 if there is none. */
export function characterSize(bytes: Uint8Array, index: number): number {
  const first = bytes[index];
  if (first < 0x80) return 1;
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let next = 1; next < size; next += 1)
    if (index + next >= bytes.length || (bytes[index + next] & 0xc0) !== 0x80) return 0;
  return size;
}
