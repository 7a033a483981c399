/** Replaces a hidden value. */
export const MASK = '***';
/** The same as JSON. */
export const JSON_MASK = JSON.stringify(MASK);

/** A range of offsets in a text; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Ranges of a text to hide; they may overlap. Memory depends on the length of the text only. */
export class HiddenRanges {
  /** How many ranges start, minus how many end, at each offset. */
  private changes: Int32Array | null = null;
  private jsonValues: Map<number, number> | null = null;

  constructor(private readonly source: string) {}

  add(start: number, end = this.source.length): void {
    this.changes ??= new Int32Array(this.source.length + 1);
    this.changes[start] += 1;
    this.changes[end] -= 1;
  }

  addAll(ranges: Iterable<Range>): this {
    for (const { start, end } of ranges) this.add(start, end);
    return this;
  }

  /** Hides values of a JSON text so that it stays valid. */
  addJsonValues(values: readonly Range[]): this {
    this.jsonValues ??= new Map();
    for (const { start, end } of values) this.jsonValues.set(start, end);
    return this.addAll(values);
  }

  /** Returns the text with `***` for each range; ranges that overlap or touch become one. */
  text(): string {
    if (this.changes === null) return this.source;
    let written = '';
    let from = 0;
    let depth = 0;
    for (let index = 0; index <= this.source.length; index += 1) {
      const before = depth;
      depth += this.changes[index];
      if (before === 0 && depth > 0) {
        written += this.source.slice(from, index);
        from = index;
      } else if (before > 0 && depth === 0) {
        written += this.jsonValues?.get(from) === index ? JSON_MASK : MASK;
        from = index;
      }
    }
    return written + this.source.slice(from);
  }
}

/** Truncates a text and appends its length. Does not split surrogate pairs. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const isThrough = characters > 0 && (text.codePointAt(characters - 1) ?? 0) > 0xffff;
  return `${text.slice(0, isThrough ? characters - 1 : characters)}… (${text.length} characters)`;
}

/** Appends a mark with the full length to a text that was truncated. */
export const marked = (text: string, isCut: boolean, fullLength: number): string =>
  isCut ? `${text}… (cut, ${fullLength} in all)` : text;

const MARK = /… \(cut, \d{1,15} in all\)$/;

/** Returns the truncation mark at the end of a text, or an empty text. */
export const markOf = (text: string): string => MARK.exec(text)?.[0] ?? '';
