import type { ConfigNode, FileComment } from './config-node';
import type { NodeReader } from './read-nodes';

/** Returns the text of a comment without its `#`. */
const commentText = (line: string): string => line.trim().replace(/^#+ ?/, '');

/**
 * Attaches each run of comment lines to the key below it, else to the one above.
 * @param shown keys in the order of the file
 * @param hidden keys that are shown as comments
 * @returns the comments at the start and the end of the file
 */
export function attachComments(
  { lines, comments, inlineComments }: NodeReader,
  shown: readonly ConfigNode[],
  hidden: readonly ConfigNode[],
): FileComment[] {
  const texts = new Map(comments);
  for (const { firstLine, lastLine } of hidden)
    for (let line = firstLine; line <= lastLine; line += 1)
      if (lines[line].hashes.length > 0) texts.set(line, lines[line].raw);
  /** The first key on each line; after a line in braces, its owner. */
  const firstOn = new Map<number, ConfigNode>();
  for (const node of shown) if (!firstOn.has(node.firstLine)) firstOn.set(node.firstLine, node);
  const rest: FileComment[] = [];
  let above: ConfigNode | undefined;
  let last = Math.max(-1, ...firstOn.keys());
  for (let line = 0; line < lines.length; line += 1) {
    const node = firstOn.get(line);
    above = node ?? above;
    const inline = inlineComments.get(line);
    if (node !== undefined && !node.isInFlow && inline !== undefined)
      node.comments.push({ position: 'inline', text: commentText(inline) });
    if (!texts.has(line)) continue;
    const first = line;
    while (texts.has(line + 1)) line += 1;
    const run = Array.from({ length: line - first + 1 }, (_each, index) =>
      commentText(texts.get(first + index) ?? ''),
    );
    const text = run.join('\n');
    const below = firstOn.get(line + 1);
    const isAfterBlank = first === 0 || lines[first - 1].text.trim() === '';
    if (below !== undefined) below.comments.push({ position: 'before', text });
    else if (above === undefined) rest.push({ position: 'header', text });
    else if (line > last && isAfterBlank) rest.push({ position: 'footer', text });
    else above.comments.push({ position: 'after', text });
  }
  return rest;
}
