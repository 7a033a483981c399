import type { FileLine } from './config-lines';
import type { ConfigNode, FileComment } from './config-node';
import type { Line } from './parse-yaml';

/** Returns the text of a comment without its `#`. */
const commentText = (line: string): string => line.trim().replace(/^#+ ?/, '');

/**
 * Attaches each run of comment lines to the key below it, else to the one above.
 * @param shown keys in the order of the file
 * @param hidden keys that are shown as comments
 * @returns the comments at the start and the end of the file
 */
export function attachComments(
  scanned: readonly Line[],
  lines: readonly FileLine[],
  shown: readonly ConfigNode[],
  hidden: readonly ConfigNode[],
): FileComment[] {
  const isComment = scanned.map(({ kind }) => kind === 'comment');
  for (const { firstLine, lastLine } of hidden)
    for (let line = firstLine; line <= lastLine; line += 1)
      isComment[line] ||= lines[line].hashes.length > 0;
  const owners = new Map<number, ConfigNode>();
  for (const node of shown) if (!node.isInFlow) owners.set(node.firstLine, node);
  for (const [line, node] of owners) {
    const { inlineComment } = scanned[line];
    if (inlineComment !== null)
      node.comments.push({ position: 'inline', text: commentText(inlineComment) });
  }
  const firstOn = new Map<number, ConfigNode>();
  for (const node of shown) if (!firstOn.has(node.firstLine)) firstOn.set(node.firstLine, node);
  const lineNumbers = [...firstOn.keys()].sort((one, other) => one - other);
  const comments: FileComment[] = [];
  let part = 0;
  for (let line = 0; line < lines.length; line += 1) {
    if (!isComment[line]) continue;
    const first = line;
    while (isComment[line + 1]) line += 1;
    const text = lines
      .slice(first, line + 1)
      .map((each) =>
        commentText(
          each.hashes.length > 0 && scanned[first].kind !== 'comment' ? each.raw : each.text,
        ),
      )
      .join('\n');
    while (part < lineNumbers.length && lineNumbers[part] <= line) part += 1;
    const below = firstOn.get(lineNumbers[part] ?? -1);
    const above =
      owners.get(lineNumbers[part - 1] ?? -1) ?? firstOn.get(lineNumbers[part - 1] ?? -1);
    const isAfterBlank = first === 0 || scanned[first - 1].kind === 'blank';
    if (below?.firstLine === line + 1) below.comments.unshift({ position: 'before', text });
    else if (above === undefined) comments.push({ position: 'header', text });
    else if (below === undefined && isAfterBlank) comments.push({ position: 'footer', text });
    else above.comments.push({ position: 'after', text });
  }
  return comments;
}
