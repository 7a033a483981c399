import type { Line } from './parse-yaml';

/**
 * How a line is commented out: `#x` for `x`, `# x` for `x`, `#x` for ` x`, or `#|x`. The last one is
 * written where the others would not be read as the same key.
 */
export type Style = 'tight' | 'loose' | 'replace' | 'mark';
export interface Hash {
  readonly column: number;
  readonly style: Style;
}

/** A line of the file, and the same line with the keys in use that are commented out. */
export interface FileLine {
  readonly raw: string;
  readonly text: string;
  readonly lineEnd: string;
  /** Empty for a line in use; the outermost `#` first. */
  readonly hashes: readonly Hash[];
}

export const MARK = '#|';

export const joinPath = (parent: string, key: string): string =>
  parent === '' ? key : key.startsWith('[') ? parent + key : `${parent}.${key}`;

export const lineInUse = ({ text, lineEnd }: Line): FileLine => ({
  raw: text,
  text,
  lineEnd,
  hashes: [],
});

/** Returns the text in which the keys that are commented out are in use. */
export const textOf = (lines: readonly Pick<FileLine, 'text' | 'lineEnd'>[]): string =>
  lines.map(({ text, lineEnd }) => text + lineEnd).join('');

/** Removes a `#`; undefined if the line is not commented out in this style. */
export function uncommented(text: string, { column, style }: Hash): string | undefined {
  const start =
    style === 'mark' ? MARK : style === 'loose' && text.length > column + 1 ? '# ' : '#';
  if (!text.startsWith(start, column) || text.slice(0, column).trim() !== '') return undefined;
  const rest = text.slice(column + start.length);
  return text.slice(0, column) + (style === 'replace' ? ' ' : '') + rest;
}

/** Adds a `#`. */
export function commented(text: string, { column, style }: Hash): string {
  const padded = text.padEnd(column);
  const [before, after] = [padded.slice(0, column), padded.slice(column)];
  if (style === 'replace') return `${before}#${after.slice(1)}`;
  const hash = style === 'mark' ? MARK : style === 'loose' && after !== '' ? '# ' : '#';
  return before + hash + after;
}
