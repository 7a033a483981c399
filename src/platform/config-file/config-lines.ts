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
  Array.from(source.matchAll(/([^\n]*?)(\r?\n|$)/g), ([, text, lineEnd]) => lineOf(text, lineEnd))
    // The last one is empty.
    .slice(0, /\n$|^$/.test(source) ? -1 : undefined);

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
