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
  /^(?:"([^"\\]+)"|'([^']+)'|([\p{L}\p{N}_][\p{L}\p{N}_.[\]/-]{0,199}))[ \t]*:(?:[ \t](.*))?$/u;
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
}

/** The lines of a key, and the last key in them. */
interface Block {
  readonly hash: Hash;
  readonly length: number;
  readonly last: ConfigNode;
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
  /** The first key below the current line that is in use. */
  private below: ConfigNode | undefined;

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
    const result = [...lines];
    for (let line = 0, at = 0, separator = 0; line < lines.length; line += 1) {
      if (separators[separator] === line) {
        this.above = null;
        separator += 1;
      }
      for (; nodes[at]?.firstLine <= line; at += 1) this.above = nodes[at];
      this.below = nodes[at]?.firstLine >= separators[separator] ? undefined : nodes[at];
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

  private blockAt(line: number): Block | null {
    if (!this.isComment(line)) return null;
    const body = this.reader.lines[line].text.trimStart().slice(1);
    const [, double, single, word, value = ''] = KEY.exec(body.trimStart()) ?? [];
    const name = double ?? single ?? word;
    if (name === undefined) return null;
    const isLoose = indentOf(body) === 1;
    const places = this.placesOf(line, isLoose);
    const isKnown = ({ parent }: Place): boolean =>
      this.isKnown(joinPath(parent?.path ?? '', name));
    const match = places.find(isKnown);
    if (match === undefined && isLoose && isRemark(name, value)) return null;
    const place = match ?? places[0];
    const lines = place === undefined ? [] : this.linesFrom(line, place);
    const reader = place === undefined ? null : this.read(lines, place.parent);
    if (reader === null) return null;
    const [root] = reader.roots;
    let length = root.lastLine + 1;
    // Comments in the block, or keys that were commented out before it.
    const isInner = (text = ''): boolean =>
      /^\s*#/.test(text) && indentOf(text.replace('#', '')) > root.column;
    while (isInner(lines[length]?.text)) length += 1;
    return { hash: place, length, last: reader.all.findLast(({ isInFlow }) => !isInFlow) ?? root };
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

  /** Reads one key with what is below it, in a part of the lines if the others do not parse. */
  private read(lines: readonly FileLine[], parent: ConfigNode | null): NodeReader | null {
    this.budget -= lines.length;
    if (this.budget < 0) return null;
    const reader = readerOf(lines, parent);
    const wrong = reader === null ? 0 : wrongLineOf(reader);
    if (wrong >= lines.length) return reader;
    // An error may be reported above the line that causes it.
    return lines.length === 1 ? null : this.read(lines.slice(0, Math.max(wrong, 1)), parent);
  }

  /** Returns where a key in this comment can stand, the most likely place first. */
  private placesOf(line: number, isLoose: boolean): Place[] {
    const { text } = this.reader.lines[line];
    const signs = isLoose ? (['# ', '#'] as const) : (['#', '# '] as const);
    return signs.flatMap((sign): Place[] => {
      const hash = { column: text.indexOf('#'), sign };
      const plain = uncommented(text, hash);
      const parent = plain === undefined ? undefined : this.parentAt(indentOf(plain));
      return parent === undefined ? [] : [{ ...hash, parent }];
    });
  }

  /** Undefined if no key can stand in this column, so that others stay as they are. */
  private parentAt(column: number): ConfigNode | null | undefined {
    const { above, below } = this;
    if (below !== undefined && (isEntry(below) ? column <= below.column : column < below.column))
      return undefined;
    const isBeside = (node: ConfigNode): boolean => node.column === column && !isEntry(node);
    for (let node = above; node !== null; node = node.parent)
      if (isBeside(node)) return node.parent;
    if (below !== undefined && isBeside(below)) return below.parent;
    if (above === null) return below === undefined && column === 0 ? null : undefined;
    const isOpen = above.kind === 'empty' && !isEntry(above) && above.column < column;
    return isOpen && (below === undefined || below.column <= above.column) ? above : undefined;
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
function wrongLineOf({ all, roots: [root, other], errorLine }: NodeReader): number {
  if (root === undefined) return 0;
  const lines = all.flatMap((node) => {
    const { key, column, firstLine, lastLine, node: value } = node;
    const isShallow = node !== root && column < root.column + MIN_DEPTH;
    if (/\s/.test(key) || (isShallow && !isEntry(node))) return [firstLine];
    const isText = yaml().isScalar(value) && value.type === 'PLAIN';
    return isText && lastLine > firstLine ? [firstLine + 1] : [];
  });
  return Math.min(errorLine ?? Infinity, other?.firstLine ?? Infinity, ...lines);
}
