import { inactive, lineOf, uncommented } from './config-lines';
import type { FileLine, Hash } from './config-lines';
import { isEntry, joinPath } from './config-node';
import type { ConfigNode } from './config-node';
import { yaml } from './parse-yaml';
import { NodeReader } from './read-nodes';

/** Keys below a key in a comment are indented by two columns or more; remarks often by one. */
const MIN_DEPTH = 2;
const MAX_PARSED_LINES = 1_000;
const KEY =
  /^(?:"([^"\\]+)"|'([^']+)'|([\p{L}\p{N}_][\p{L}\p{N}_.[\]/-]{0,199}))[ \t]*:(?:[ \t]+(.*))?$/u;
/** Words with a colon that begin a remark. */
const REMARK =
  /^(?:notes?|todo|fixme|hints?|examples?|see|warning|attention|important|remark|caution|tip|usage|defaults?|https?|\p{Lu}\p{Ll}.*)$/u;

function isRemark(name: string, value: string): boolean {
  const text = value.replace(/(?:^|\s)#.*$/, '').trim();
  return REMARK.test(name) || (/\s/.test(text) && !/^["'[{|>&!]/.test(text));
}

const indentOf = (text: string): number => text.length - text.trimStart().length;

interface Place extends Hash {
  readonly parent: ConfigNode | null;
  readonly isSibling: boolean;
}

/**
 * Finds keys in comments. A comment is a key, with the deeper lines below it, if it parses as one in
 * a place where a key can stand, and
 *
 * - It is a key of the service, or
 * - It is written as commented out, `#name: value` or `#    name: value`, or
 * - It is written as `# name: value`, and the value is one word, in quotation marks or brackets, or
 *   below; `# Name:` and `# note:` are remarks.
 */
export class InactiveFinder {
  private budget: number;
  /** The last key above the current line, in use or found. */
  private above: ConfigNode | null = null;
  /** The first key in use below each line. */
  private readonly below: (ConfigNode | null)[] = [];

  /** @param ignored numbers of lines that are comments in any case */
  constructor(
    private readonly reader: NodeReader,
    private readonly isKnown: (path: string) => boolean,
    private readonly ignored: ReadonlySet<number>,
  ) {
    this.budget = MAX_PARSED_LINES + 10 * reader.lines.length;
  }

  /** Returns the lines as they read without the `#` of the keys; null if there are none. */
  find(): FileLine[] | null {
    const { all, separators, lines } = this.reader;
    const nodes = all.filter(({ isInFlow }) => !isInFlow);
    for (let line = lines.length - 1, at = nodes.length - 1; line >= 0; line -= 1) {
      this.below[line] ??= null;
      for (; nodes[at]?.firstLine === line; at -= 1) this.below[line - 1] = nodes[at];
      if (!separators.has(line)) this.below[line - 1] ??= this.below[line];
    }
    const result = [...lines];
    for (let line = 0, at = 0; line < lines.length; line += 1) {
      if (separators.has(line)) this.above = null;
      for (; nodes[at]?.firstLine <= line; at += 1) this.above = nodes[at];
      const block = this.blockAt(line);
      if (block === null) continue;
      for (let each = line; each < line + block.length; each += 1)
        if (this.isComment(each)) result[each] = inactive(lines[each], block.hash);
      this.above = block.last;
      line += block.length - 1;
    }
    return result.some((line, index) => line !== lines[index]) ? result : null;
  }

  private isComment(line: number): boolean {
    return this.reader.comments.has(line) && !this.ignored.has(line);
  }

  /** Returns the lines of the key in this comment, and the last key in them. */
  private blockAt(line: number): { hash: Hash; length: number; last: ConfigNode } | null {
    if (!this.isComment(line)) return null;
    const body = this.reader.lines[line].text.trimStart().slice(1);
    const [, double, single, word, value = ''] = KEY.exec(body.trimStart()) ?? [];
    const name = double ?? single ?? word;
    if (name === undefined) return null;
    const isLoose = indentOf(body) === 1;
    const places = this.placesOf(line, isLoose);
    const isKnown = ({ parent }: Place): boolean =>
      this.isKnown(joinPath(parent?.path ?? '', name));
    const known = places.find(isKnown);
    if (known === undefined && isLoose && isRemark(name, value)) return null;
    const place = known ?? places[0];
    return place === undefined ? null : this.read(this.linesFrom(line, place), place);
  }

  /** Returns the lines that can belong to the key, as they read without `#`. */
  private linesFrom(first: number, hash: Hash): FileLine[] {
    const { lines } = this.reader;
    const plain: FileLine[] = [];
    let column = 0;
    for (let line = first; line < lines.length; line += 1) {
      const { text: source } = lines[line];
      const text = this.isComment(line) ? uncommented(source, hash) : source;
      if (text === undefined || (text === source && source.trim() !== '')) break;
      if (line === first) column = indentOf(text);
      else if (text.trim() !== '' && !isWithin(text, column)) break;
      plain.push(lineOf(text, '\n'));
    }
    return plain;
  }

  /** Reads one key and what is below it; a part of the lines if the others do not parse. */
  private read(
    lines: readonly FileLine[],
    hash: Place,
  ): { hash: Hash; length: number; last: ConfigNode } | null {
    for (let count: number | undefined = lines.length; count !== 0;) {
      this.budget -= count;
      if (this.budget < 0) return null;
      const reader = readerOf(lines.slice(0, count), hash.parent);
      const wrong = reader === null ? 0 : wrongLineOf(reader);
      if (reader === null || wrong !== undefined) {
        count = wrong ?? 0;
        continue;
      }
      const [root] = reader.roots;
      let length = root.lastLine + 1;
      // Comments in the block, or keys that were commented out before it.
      while (
        /^\s*#/.test(lines[length]?.text) &&
        indentOf(lines[length].text.replace('#', '')) > root.column
      )
        length += 1;
      return { hash, length, last: reader.all.findLast(({ isInFlow }) => !isInFlow) ?? root };
    }
    return null;
  }

  /** Returns where a key in this comment can stand, the most likely place first. */
  private placesOf(line: number, isLoose: boolean): Place[] {
    const { text } = this.reader.lines[line];
    const places = (['#', '# '] as const).flatMap((sign): Place[] => {
      const hash = { column: text.indexOf('#'), sign };
      const plain = uncommented(text, hash);
      const found = plain === undefined ? null : this.placeAt(line, indentOf(plain));
      return found === null ? [] : [{ ...hash, ...found }];
    });
    // `# x` stands for `x` more often than for ` x`.
    const below = places.filter(({ isSibling }) => !isSibling);
    return [...places.filter(({ isSibling }) => isSibling), ...(isLoose ? below.reverse() : below)];
  }

  /** Null if no key can stand in this column, so that others stay as they are. */
  private placeAt(line: number, column: number): Pick<Place, 'parent' | 'isSibling'> | null {
    const { above } = this;
    const below = this.below[line];
    if (below !== null && (isEntry(below) ? column <= below.column : column < below.column))
      return null;
    const isBeside = (node: ConfigNode): boolean => node.column === column && !isEntry(node);
    for (let node = above; node !== null; node = node.parent)
      if (isBeside(node)) return { parent: node.parent, isSibling: true };
    if (below !== null && isBeside(below)) return { parent: below.parent, isSibling: true };
    if (above === null)
      return below === null && column === 0 ? { parent: null, isSibling: true } : null;
    const isOpen = above.kind === 'empty' && !isEntry(above) && above.column < column;
    return isOpen && (below === null || below.column <= above.column)
      ? { parent: above, isSibling: false }
      : null;
  }
}

/** Whether a line is deeper than a key in this column, an entry of its list, or a comment. */
const isWithin = (text: string, column: number): boolean =>
  text.slice(0, column).trim() === '' && /^(?:\s|#|-(?:\s|$))/.test(text.slice(column));

function readerOf(lines: readonly FileLine[], parent: ConfigNode | null): NodeReader | null {
  try {
    return new NodeReader(lines, parent);
  } catch {
    return null;
  }
}

/** Returns the first line that is no part of the first key, or hardly one. */
function wrongLineOf({ all, roots: [root, other], errorLine }: NodeReader): number | undefined {
  if (root === undefined) return 0;
  const lines = all.flatMap((node) => {
    const { key, column, firstLine, lastLine, node: value } = node;
    const isShallow = node !== root && column < root.column + MIN_DEPTH;
    if (/\s/.test(key) || (isShallow && !isEntry(node))) return [firstLine];
    const isText = yaml().isScalar(value) && value.type === 'PLAIN';
    return isText && lastLine > firstLine ? [firstLine + 1] : [];
  });
  const first = Math.min(errorLine ?? Infinity, other?.firstLine ?? Infinity, ...lines);
  return first === Infinity ? undefined : first;
}
