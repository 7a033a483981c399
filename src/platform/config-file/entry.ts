import type { CST } from 'yaml';

/** What stands after the colon of a key, or after the dash of a list entry. */
export type EntryKind =
  'block' | 'list' | 'flow-block' | 'flow-list' | 'scalar' | 'alias' | 'empty';

/** A key with its value, or an entry of a list (its key is `[0]`), as it stands in the file. */
export interface Entry {
  readonly key: string;
  /** Keys from the root, joined with dots: `spring.mail.host`, `origins[0]`. */
  readonly path: string;
  readonly kind: EntryKind;
  readonly parent: Entry | null;
  readonly children: Entry[];
  readonly isListEntry: boolean;
  /** Column of the key, or of the dash. */
  readonly column: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Offset after the colon, dash, tag and anchor: where a value starts if there is none. */
  readonly afterIndicator: number;
  readonly token: CST.Token | null;
  /** Offset after the last character of the value. */
  readonly end: number;
  readonly hasTag: boolean;
  /** Whether it is alone on its lines, so that the lines can be commented out. */
  readonly ownsLines: boolean;
  /** The keys, to find it in the composed document. */
  readonly segments: readonly (string | number)[];
  readonly document: number;
  /** A comment on the line of the key. */
  readonly inlineComment: string | null;
}

/** How the `#` of a line is removed: `#x` to `x`, `# x` to `x`, or `#x` to ` x`. */
export type Uncomment = 'tight' | 'loose' | 'replace';

/** A key that stands commented out in the file, with everything below it. */
export interface InactiveBlock {
  readonly path: string;
  /** The active key that it stands below, or null at the root. */
  readonly parent: Entry | null;
  readonly column: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Column of the `#` of all its lines. */
  readonly hashColumn: number;
  readonly uncomment: Uncomment;
  /** Its lines without the `#`. */
  readonly text: string;
}

export interface Line {
  readonly start: number;
  /** Without the line end. */
  readonly end: number;
  /** Start of the next line. */
  readonly next: number;
  kind: 'blank' | 'comment' | 'content';
}

export const indentOf = (text: string): number => /^[ \t]*/.exec(text)?.[0].length ?? 0;

export const joinPath = (parent: string, key: string): string =>
  parent === '' ? key : key.startsWith('[') ? parent + key : `${parent}.${key}`;

export function linesOf(source: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < source.length;) {
    const found = source.indexOf('\n', start);
    const next = found === -1 ? source.length : found + 1;
    let end = found === -1 ? source.length : found;
    if (found !== -1 && end > start && source[end - 1] === '\r') end -= 1;
    lines.push({
      start,
      end,
      next,
      kind: source.slice(start, end).trim() === '' ? 'blank' : 'content',
    });
    start = next;
  }
  return lines;
}

/** Returns the index of the line that contains the offset. */
export function lineAt(lines: readonly Line[], offset: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines[middle].start <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
