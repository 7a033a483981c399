import { readLines } from './find-inactive';
import { lineInUse } from './config-lines';
import { NodeReader } from './read-nodes';
import type { ConfigNode, ConfigText } from './config-node';
import { scanLines } from './parse-yaml';

const BYTE_ORDER_MARK = '\ufeff';
const MAX_ATTEMPTS = 20;

/** Returns the file as it is written to disk. */
export const sourceOf = ({ mark, lines }: Pick<ConfigText, 'mark' | 'lines'>): string =>
  mark + lines.map(({ raw, lineEnd }) => raw + lineEnd).join('');

/**
 * Reads a configuration file with its keys in use and commented out. In a file with errors only what
 * parses is found.
 * @param isKnown whether a path is a key of the service, and so no remark in a comment
 * @throws Error if it is nested too deeply
 */
export function readConfigText(
  content: string,
  isKnown: (path: string) => boolean = () => false,
): ConfigText {
  const mark = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const source = content.slice(mark.length);
  const lines = scanLines(source);
  const plain = new NodeReader(lines.map(lineInUse), lines);
  const ignored = new Set<number>();
  const hasComments = lines.some(({ kind }) => kind === 'comment');
  for (let attempt = 0; hasComments && !plain.hasErrors && attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = readLines(lines, isKnown, ignored);
    const reader = new NodeReader(found.lines, found.scanned);
    const wrongLine = wrongLineOf(reader, plain);
    if (wrongLine === -1) return { mark, ...reader.result() };
    // A comment was taken for a key, so that others would differ. It is the closest one above.
    const isOff = (line: number): boolean => found.lines[line]?.hashes.length > 0;
    let first = wrongLine;
    while (first >= 0 && !isOff(first)) first -= 1;
    for (ignored.add(first); isOff(first - 1); first -= 1) ignored.add(first - 1);
  }
  return { mark, ...plain.result() };
}

/** Returns a line with an error, or near to a key in use that differs; -1 for none. */
function wrongLineOf(reader: NodeReader, plain: NodeReader): number {
  const [error] = reader.documents.flatMap(({ errors }) => errors);
  if (error !== undefined) return reader.lineAt(error.pos[0]);
  const expected = activeKeys(plain.all);
  const actual = activeKeys(reader.all);
  const index = expected.findIndex(
    ([path, line], at) => actual[at]?.[0] !== path || actual[at][1] !== line,
  );
  if (index !== -1) return expected[index][1];
  return actual.length === expected.length ? -1 : actual[expected.length][1];
}

const activeKeys = (nodes: readonly ConfigNode[]): (readonly [string, number])[] =>
  nodes.filter(({ status }) => status === 'active').map(({ path, firstLine }) => [path, firstLine]);
