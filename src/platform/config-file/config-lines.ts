/**
 * How a line is commented out: with `#` or `# `, or with `#|` where these would not be read as the
 * same key.
 */
export interface Hash {
  readonly column: number;
  readonly sign: '#' | '# ' | '#|';
}

/** A line of the file, and the same line with the keys in use that are commented out. */
export interface FileLine {
  readonly raw: string;
  readonly text: string;
  readonly lineEnd: string;
  /** Empty for a line in use; the outermost `#` first. */
  readonly hashes: readonly Hash[];
}

/** Splits a text into lines, all in use. */
export const linesOf = (source: string): FileLine[] =>
  source
    .split(/(?<=\n)/)
    .filter((line) => line !== '')
    .map((line) => {
      const text = line.replace(/\r?\n$/, '');
      return lineOf(text, line.slice(text.length));
    });

export const lineOf = (text: string, lineEnd: string): FileLine => ({
  raw: text,
  text,
  lineEnd,
  hashes: [],
});

/** Removes a `#`; undefined if the line is not commented out in this way. */
export function uncommented(text: string, { column, sign }: Hash): string | undefined {
  if (text.slice(0, column).trim() !== '') return undefined;
  // An empty line has no blank after its `#`.
  const start = text.length === column + 1 && sign === '# ' ? '#' : sign;
  return text.startsWith(start, column)
    ? text.slice(0, column) + text.slice(column + start.length)
    : undefined;
}

/** Adds a `#`. */
export function commented(text: string, { column, sign }: Hash): string {
  const padded = text.padEnd(column);
  const rest = padded.slice(column);
  return padded.slice(0, column) + (rest === '' ? sign.trimEnd() : sign) + rest;
}

/** Returns a line with another text, commented out as given. */
export const withHashes = (line: FileLine, text: string, hashes: readonly Hash[]): FileLine => ({
  ...line,
  text,
  hashes,
  raw: hashes.reduceRight(commented, text),
});

/** Returns a line as it reads without one more `#`. */
export const inactive = (line: FileLine, hash: Hash): FileLine => ({
  ...line,
  text: uncommented(line.text, hash) ?? line.text,
  hashes: [...line.hashes, hash],
});

/** Removes the outermost `#` of a line. */
export function inUse(line: FileLine, count = Infinity): FileLine {
  const removed = line.hashes.slice(0, count);
  const raw = removed.reduce((text, hash) => uncommented(text, hash) ?? text, line.raw);
  return { ...line, raw, hashes: line.hashes.slice(removed.length) };
}

/** A replacement of a part of the text, or of whole lines. */
export type Splice =
  | { readonly start: number; readonly end: number; readonly text: string }
  | {
      readonly line: number;
      readonly removed?: number;
      readonly texts: readonly string[];
      /** The line of the key to which they belong. */
      readonly like?: number | undefined;
      /** Undefined: as that line is. */
      readonly status?: 'active' | 'inactive';
    };

/** Applies replacements, the last one first. They must not overlap. */
export function spliced(
  before: readonly FileLine[],
  starts: readonly number[],
  splices: readonly Splice[],
  hash: Hash,
): FileLine[] {
  const lines = [...before];
  const lineEnd = before[0]?.lineEnd || '\n';
  const startOf = (splice: Splice): number =>
    'start' in splice ? splice.start : (starts[splice.line] ?? Infinity);
  const columnOf = (splice: Splice): number =>
    'start' in splice ? -1 : (splice.texts[0]?.search(/\S/) ?? 0);
  // Of lines that are inserted in the same place, the deepest belong to what stands above.
  const ordered = [...splices].sort(
    (one, other) => startOf(other) - startOf(one) || columnOf(one) - columnOf(other),
  );
  for (const splice of ordered) {
    if ('start' in splice) {
      const { start, end, text } = splice;
      const [first, last] = [start, end].map((offset) =>
        starts.findLastIndex((each) => each <= offset),
      );
      const texts = (
        lines[first].text.slice(0, start - starts[first]) +
        text +
        lines[last].text.slice(end - starts[last])
      ).split('\n');
      const changed = texts.map((each, index) => {
        const end = index === texts.length - 1 ? lines[last].lineEnd : lineEnd;
        return withHashes(lineOf(each, end), each, lines[first].hashes);
      });
      lines.splice(first, last - first + 1, ...changed);
      continue;
    }
    const { line, removed = 0, texts, like = -1, status } = splice;
    const own = lines[like]?.hashes ?? [];
    const hashes =
      status === 'active' ? [] : status === 'inactive' && own.length === 0 ? [hash] : own;
    const added = texts.map((text) => withHashes(lineOf(text, lineEnd), text, hashes));
    const above = lines[line - 1];
    if (added.length > 0 && above?.lineEnd === '') {
      lines[line - 1] = { ...above, lineEnd };
      added.push({ ...(added.pop() as FileLine), lineEnd: '' });
    }
    lines.splice(line, removed, ...added);
  }
  return lines;
}
