import { lineOf, withHashes } from './config-lines';
import type { FileLine, Hash } from './config-lines';

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
