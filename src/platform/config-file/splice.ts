import type { ConfigText } from './config-text';
import type { InactiveBlock } from './entry';

/** A replacement of a part of the text, or lines that are inserted before a line. */
export type Splice =
  | { readonly kind: 'text'; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: 'lines'; readonly line: number; readonly texts: readonly string[] };

/** Returns the text with all replacements. They must not overlap. */
export function applySplices(text: ConfigText, splices: readonly Splice[]): string {
  const { source, lines, lineEnd, mark } = text;
  const parts = splices
    .map((splice) => {
      if (splice.kind === 'text') return splice;
      const isAtEnd = splice.line >= lines.length;
      const start = isAtEnd ? source.length : lines[splice.line].start;
      const isOpen = isAtEnd && source !== '' && !source.endsWith('\n');
      const inserted = splice.texts.join(lineEnd);
      return {
        start,
        end: start,
        text: isOpen ? lineEnd + inserted : inserted + lineEnd,
      };
    })
    .sort((one, other) => one.start - other.start || one.end - other.end);
  let [at, result] = [0, mark];
  for (const { start, end, text: inserted } of parts) {
    result += source.slice(at, start) + inserted;
    at = end;
  }
  return result + source.slice(at);
}

/** Adds the `#` of the block to a line. */
function commented(line: string, { hashColumn, uncomment }: InactiveBlock): string {
  const padded = line.padEnd(hashColumn);
  const after = padded.slice(hashColumn);
  if (uncomment === 'replace') return `${padded.slice(0, hashColumn)}#${after.slice(1)}`;
  const hash = uncomment === 'loose' && after !== '' ? '# ' : '#';
  return padded.slice(0, hashColumn) + hash + after;
}

/** Translates replacements in the keys of an inactive block to those in the file. */
export function spliceBlock(
  text: ConfigText,
  block: InactiveBlock,
  splices: readonly Splice[],
): Splice[] {
  const inside = text.inside(block);
  const removed = { tight: 1, loose: 2, replace: 0 }[block.uncomment];
  const offset = (at: number, line: number): number => {
    const { start, kind } = text.lines[block.firstLine + line];
    const column = at - inside.lines[line].start;
    const isShifted = kind === 'comment' && column >= block.hashColumn;
    return start + column + (isShifted ? removed : 0);
  };
  const lineOf = (at: number): number => {
    let line = 0;
    while (line + 1 < inside.lines.length && inside.lines[line + 1].start <= at) line += 1;
    return line;
  };
  return splices.map((splice) => {
    if (splice.kind === 'lines')
      return {
        kind: 'lines',
        line: block.firstLine + splice.line,
        texts: splice.texts.map((line) => commented(line, block)),
      };
    const first = lineOf(splice.start);
    const [line, ...more] = splice.text.split(/\r?\n/);
    const isWholeLines =
      splice.text === '' && splice.start === inside.lines[first].start && splice.end > splice.start;
    const last = lineOf(splice.end);
    return {
      kind: 'text',
      start: isWholeLines ? text.lines[block.firstLine + first].start : offset(splice.start, first),
      end: isWholeLines ? endOfLines(text, block, inside, splice.end) : offset(splice.end, last),
      text: [line, ...more.map((each) => commented(each, block))].join(text.lineEnd),
    };
  });
}

/** The start of the line of the file after those that end here. */
function endOfLines(
  text: ConfigText,
  block: InactiveBlock,
  inside: ConfigText,
  end: number,
): number {
  const count = inside.lines.filter(({ next }) => next <= end).length;
  return text.lines[block.firstLine + count - 1].next;
}
