import { commented } from './config-lines';
import type { FileLine, Hash } from './config-lines';
import type { ConfigNode } from './config-node';

/** A replacement of a part of the text, or lines that are inserted before a line. */
export type Splice =
  | { readonly kind: 'text'; readonly start: number; readonly end: number; readonly text: string }
  | {
      readonly kind: 'lines';
      readonly line: number;
      readonly texts: readonly string[];
      /** The key to which they belong. */
      readonly like: ConfigNode | null;
      /** Whether they are in use; `like`: as the key is. */
      readonly as: 'active' | 'inactive' | 'like';
    };

/** Returns a line with another text, commented out in the same way. */
export const withHashes = (line: FileLine, text: string, hashes: readonly Hash[]): FileLine => ({
  ...line,
  text,
  hashes,
  raw: hashes.reduceRight((plain, hash) => commented(plain, hash), text),
});

/** Applies replacements, the last one first. They must not overlap. */
export function spliced(
  before: readonly FileLine[],
  starts: readonly number[],
  splices: readonly Splice[],
  hash: Hash,
): FileLine[] {
  const lines = [...before];
  const lineEnd = before[0]?.lineEnd || '\n';
  const lineOf = (offset: number): number =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= offset),
    );
  const startOf = (splice: Splice): number =>
    splice.kind === 'text' ? splice.start : (starts[splice.line] ?? Infinity);
  const columnOf = (splice: Splice): number =>
    splice.kind === 'text' ? -1 : (/\S/.exec(splice.texts[0])?.index ?? 0);
  // Of lines that are inserted in the same place, the deepest belong to what stands above.
  const ordered = [...splices].sort(
    (one, other) => startOf(other) - startOf(one) || columnOf(one) - columnOf(other),
  );
  for (const splice of ordered) {
    if (splice.kind === 'lines') {
      const like = splice.like === null ? [] : lines[splice.like.firstLine].hashes;
      const hashes =
        splice.as === 'active' ? [] : splice.as === 'inactive' && like.length === 0 ? [hash] : like;
      const added = splice.texts.map((text) =>
        withHashes({ raw: '', text, lineEnd, hashes }, text, hashes),
      );
      const above = lines[splice.line - 1];
      if (above !== undefined && above.lineEnd === '') {
        lines[splice.line - 1] = { ...above, lineEnd };
        added[added.length - 1] = { ...added[added.length - 1], lineEnd: '' };
      }
      lines.splice(splice.line, 0, ...added);
      continue;
    }
    const { start, end, text } = splice;
    const first = lineOf(start);
    const last = lineOf(end);
    if (text === '' && start === starts[first] && (end === starts[last] || end === Infinity)) {
      lines.splice(first, last - first + (end === Infinity ? 1 : 0));
      continue;
    }
    const whole =
      lines[first].text.slice(0, start - starts[first]) +
      text +
      lines[last].text.slice(end - starts[last]);
    const parts = whole.split('\n');
    const changed = parts.map((part, index) =>
      withHashes(
        { ...lines[first], lineEnd: index === parts.length - 1 ? lines[last].lineEnd : lineEnd },
        part,
        lines[first].hashes,
      ),
    );
    lines.splice(first, last - first + 1, ...changed);
  }
  return lines;
}
