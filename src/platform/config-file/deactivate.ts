import { ChangeError, isBelow } from './changes';
import type { CommentMemory } from './comment-memory';
import { ConfigText } from './config-text';
import type { Entry } from './entry';
import type { Splice } from './splice';

interface Range {
  readonly entry: Entry;
  readonly first: number;
  readonly last: number;
}

/**
 * Comments out the lines of keys. `verify` throws if they would not read as the same keys, commented
 * out.
 * @throws ChangeError if a key shares its lines with others
 */
export function deactivate(
  text: ConfigText,
  paths: readonly string[],
  memory: CommentMemory,
): { splices: Splice[]; verify: (after: ConfigText) => void } {
  if (paths.length === 0) return { splices: [], verify: () => undefined };
  const ranges = paths
    .filter((path) => !paths.some((parent) => isBelow(path, parent)))
    .flatMap((path) => {
      const entry = text.entries.get(path);
      return entry === undefined ? [] : [rangeOf(text, entry)];
    });
  const splices = ranges.flatMap((range) => comment(text, range, memory));
  return {
    splices,
    verify: (after) => {
      for (const { entry, first, last } of ranges)
        if (
          !after.inactive.some(
            (block) =>
              block.firstLine === first && block.lastLine === last && block.path === entry.path,
          )
        )
          throw new ChangeError(
            entry.path,
            'the key cannot be commented out so that it reads as the same key; edit the file by hand',
          );
    },
  };
}

function rangeOf(text: ConfigText, entry: Entry): Range {
  if (entry.isListEntry)
    throw new ChangeError(entry.path, 'entries of a list cannot be commented out; change the list');
  if (!entry.ownsLines)
    throw new ChangeError(
      entry.path,
      'the key shares its line with others, so it cannot be commented out',
    );
  let last = text.lastLineOf(entry);
  // Comments below that would read as a part of the key are commented out with it.
  for (let more = absorbed(text, entry, last); more > 0; more = absorbed(text, entry, last))
    last += more;
  return { entry, first: entry.firstLine, last };
}

const lineOf = ({ source, lines }: ConfigText, line: number): string =>
  source.slice(lines[line].start, lines[line].end);

/** Returns how many of the following comment lines would read as a part of the key. */
function absorbed(text: ConfigText, { firstLine, column }: Entry, last: number): number {
  const following: string[] = [];
  for (
    let line = last + 1;
    line < text.lines.length && text.lines[line].kind !== 'content';
    line += 1
  )
    following.push(lineOf(text, line));
  if (following.every((line) => line.trim() === '')) return 0;
  const own = Array.from(
    { length: last - firstLine + 1 },
    (_each, index) => `#${lineOf(text, firstLine + index)}`,
  );
  const trial = new ConfigText(
    `${[...own, ...following].join('\n')}\n${' '.repeat(column)}zz: 1\n`,
  );
  return Math.max(0, (trial.inactive[0]?.lastLine ?? 0) + 1 - own.length);
}

function comment(text: ConfigText, { entry, first, last }: Range, memory: CommentMemory): Splice[] {
  const { lines, source } = text;
  const [start, end] = [lines[first].start, lines[last].next];
  const former = memory.recall(entry.path, source.slice(start, end));
  if (former !== undefined) return [{ kind: 'text', start, end, text: former }];
  return Array.from({ length: last - first + 1 }, (_each, index) => {
    const at = lines[first + index].start;
    return { kind: 'text', start: at, end: at, text: '#' };
  });
}
