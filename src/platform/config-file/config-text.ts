import { inactive, linesOf } from './config-lines';
import type { FileLine } from './config-lines';
import type { ConfigNode, ConfigText, FileComment } from './config-node';
import { InactiveFinder } from './find-inactive';
import { NodeReader } from './read-nodes';

const BYTE_ORDER_MARK = '\ufeff';
const MAX_ATTEMPTS = 20;

/** Returns the file as it is written to disk. */
export const sourceOf = ({ mark, lines }: Pick<ConfigText, 'mark' | 'lines'>): string =>
  mark + lines.map(({ raw, lineEnd }) => raw + lineEnd).join('');

/**
 * Reads a configuration file with its keys in use and commented out. Keys within keys that are
 * commented out are found in the text that reads without the outer `#`. In a file with errors only
 * what parses is found.
 * @param isKnown whether a path is a key of the service, and so no remark in a comment
 * @throws Error if it is nested too deeply
 */
export function readConfigText(
  content: string,
  isKnown: (path: string) => boolean = () => false,
): ConfigText {
  const mark = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  let reader = new NodeReader(linesOf(content.slice(mark.length)));
  const ignored = new Set<number>();
  for (let attempt = 0; reader.errorLine === undefined && attempt < MAX_ATTEMPTS; attempt += 1) {
    const lines = withoutMarks(reader) ?? new InactiveFinder(reader, isKnown, ignored).find();
    if (lines === null) break;
    const next = new NodeReader(lines);
    const wrongLine = wrongLineOf(next, reader);
    if (wrongLine === undefined) {
      reader = next;
      continue;
    }
    // A comment was taken for a key, so that others would differ. It is the closest one above.
    const { lines: before } = reader;
    const isFound = (line: number): boolean => lines[line] !== before[line];
    let line = wrongLine;
    while (line >= 0 && !isFound(line)) line -= 1;
    for (ignored.add(line); line > 0 && isFound(line - 1); line -= 1) ignored.add(line - 1);
  }
  return { mark, ...shownOf(reader) };
}

/** Returns the lines without one `#|`; null if there is none. */
function withoutMarks({ lines, comments }: NodeReader): FileLine[] | null {
  const isMarked = ({ text }: FileLine, line: number): boolean =>
    comments.has(line) && text.startsWith('#|');
  return lines.some(isMarked)
    ? lines.map((each, line) =>
        isMarked(each, line) ? inactive(each, { column: 0, sign: '#|' }) : each,
      )
    : null;
}

/** Returns a line with an error, or near to a key in use that differs. */
function wrongLineOf(next: NodeReader, before: NodeReader): number | undefined {
  if (next.errorLine !== undefined) return next.errorLine;
  const [expected, actual] = [before, next].map(({ all }) =>
    all.filter(
      ({ firstLine }) =>
        before.lines[firstLine].hashes.length === next.lines[firstLine].hashes.length,
    ),
  );
  const index = Array.from({ length: Math.max(expected.length, actual.length) }).findIndex(
    (_each, at) =>
      actual[at]?.path !== expected[at]?.path || actual[at]?.firstLine !== expected[at]?.firstLine,
  );
  return (expected[index] ?? actual[index])?.firstLine;
}

/** Of several keys with the same path one is shown, the others are comments. */
function shownOf(reader: NodeReader): Omit<ConfigText, 'mark'> {
  const { lines, starts, all } = reader;
  const byPath = new Map<string, ConfigNode>();
  for (const node of all) if (node.status === 'active') byPath.set(node.path, node);
  const hidden = new Set<ConfigNode>();
  const off = all.filter(({ status }) => status === 'inactive');
  const isMarked = ({ firstLine }: ConfigNode): boolean =>
    lines[firstLine].hashes.some(({ sign }) => sign === '#|');
  for (const node of [...off.filter(isMarked), ...off.filter((each) => !isMarked(each))])
    if (byPath.has(node.path) || (node.parent !== null && hidden.has(node.parent)))
      hidden.add(node);
    else byPath.set(node.path, node);
  const isShown = (node: ConfigNode): boolean => !hidden.has(node);
  const shown = all.filter(isShown);
  for (const node of shown) node.children = node.children.filter(isShown);
  const comments = attachComments(reader, shown, [...hidden]);
  return { lines, starts, roots: reader.roots.filter(isShown), all, byPath, comments };
}

/** Returns the text of a comment without its `#`. */
const commentText = (line: string): string => line.trim().replace(/^#+ ?/, '');

/**
 * Attaches each run of comment lines to the key below it, else to the one above.
 * @param shown keys in the order of the file
 * @param hidden keys that are shown as comments
 * @returns the comments at the start and the end of the file
 */
function attachComments(
  { lines, comments, inlineComments }: NodeReader,
  shown: readonly ConfigNode[],
  hidden: readonly ConfigNode[],
): FileComment[] {
  const texts = new Map(comments);
  for (const { firstLine, lastLine } of hidden)
    for (let line = firstLine; line <= lastLine; line += 1)
      if (lines[line].hashes.length > 0) texts.set(line, lines[line].raw);
  const firstOn = new Map<number, ConfigNode>();
  for (const node of shown) if (!firstOn.has(node.firstLine)) firstOn.set(node.firstLine, node);
  const rest: FileComment[] = [];
  let above: ConfigNode | undefined;
  const last = Math.max(-1, ...firstOn.keys());
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
