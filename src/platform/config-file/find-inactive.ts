import { joinPath, lineInUse, MARK, textOf, uncommented } from './config-lines';
import type { FileLine, Hash, Style } from './config-lines';
import { scanLines, yaml } from './parse-yaml';
import type { Line } from './parse-yaml';
import { isRemark, isSentence } from './prose';

/** Keys that are commented out within keys that are commented out. */
const MAX_PASSES = 8;
const MAX_PARSED_LINES = 1_000;
/** Remarks below a key may have been taken for a part of it. */
const MAX_REMARK_LINES = 8;
/** Keys below a key are indented by two columns or more; remarks often by one. */
const MIN_DEPTH = 2;
const KEY =
  /^(?:"((?:[^"\\]|\\.){1,200})"|'([^']{1,200})'|([\p{L}\p{N}_][\p{L}\p{N}_.[\]/-]{0,199}))[ \t]*:(?:[ \t](.*))?$/u;
/** A key of a line in use. */
const ANY_KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#](?:[^:]|:\S)*):(?:\s(.*))?$/;
/** Values that parse. */
const SIMPLE = /^(?:|[\w./-][\w./ -]*|"[^"\\]*"|'[^']*')$/;
const CLOSED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^[\]{}]*\]|\{[^[\]{}]*\})\s*(?:#.*)?$/;

const indentOf = (text: string): number => text.length - text.trimStart().length;
/** Returns what the lines below a key can be, by what follows its colon. */
function opening(value: string): 'keys' | 'text' | 'nothing' {
  const text = value.replace(/^(?:[&!]\S*\s*)+/, '').trim();
  if (text === '' || text.startsWith('#')) return 'keys';
  return /^["'[{|>]/.test(text) && !CLOSED.test(text) ? 'text' : 'nothing';
}

/** A mapping or list whose keys or entries can go on. */
interface Frame {
  readonly column: number;
  readonly isList: boolean;
  readonly parent: string;
  /** The path of its last key. */
  path: string;
  /** Whether its last key has no value so far, so that keys can stand below it. */
  isOpen: boolean;
}

interface Place extends Hash {
  readonly parent: string;
  readonly isSibling: boolean;
  readonly keyColumn: number;
}

/**
 * Finds the lines of keys that are commented out. Each comment is tried in the place where it stands.
 * @param isKnown whether a path is a key of the service, and so no remark in a comment
 * @param ignored numbers of lines that are comments in any case
 */
export function readLines(
  source: readonly Line[],
  isKnown: (path: string) => boolean,
  ignored: ReadonlySet<number>,
): { lines: FileLine[]; scanned: readonly Line[] } {
  let scanned = source;
  let lines: FileLine[] = scanned.map(lineInUse);
  let isFirst = true;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const isComment = (index: number): boolean =>
      scanned[index].kind === 'comment' && !ignored.has(index);
    const marked = lines.map((line, index) =>
      isComment(index) && line.text.startsWith(MARK)
        ? inactive(line, { column: 0, style: 'mark' })
        : line,
    );
    const hasMarks = marked.some((line, index) => line !== lines[index]);
    // Then only comments in keys that are commented out are left.
    if (
      !hasMarks &&
      !isFirst &&
      !lines.some(({ hashes }, at) => hashes.length > 0 && isComment(at))
    )
      break;
    const next = hasMarks ? marked : new Finder(lines, scanned, isKnown, ignored, isFirst).find();
    if (next === null) break;
    isFirst &&= hasMarks;
    lines = next;
    scanned = scanLines(textOf(lines));
  }
  return { lines, scanned };
}

const inactive = (line: FileLine, hash: Hash): FileLine => ({
  ...line,
  text: uncommented(line.text, hash) ?? line.text,
  hashes: [...line.hashes, hash],
});

class Finder {
  private readonly frames: Frame[] = [];
  private budget: number;
  /** The next line with content after each line. */
  private readonly next: number[];

  constructor(
    private readonly lines: readonly FileLine[],
    private readonly scanned: readonly Line[],
    private readonly isKnown: (path: string) => boolean,
    private readonly ignored: ReadonlySet<number>,
    private readonly isFirst: boolean,
  ) {
    this.budget = MAX_PARSED_LINES + 10 * lines.length;
    this.next = new Array<number>(lines.length);
    for (let line = lines.length - 1, next = lines.length; line >= 0; line -= 1) {
      this.next[line] = next;
      if (scanned[line].kind === 'content') next = line;
    }
  }

  /** Null if there are none. */
  find(): FileLine[] | null {
    const result = [...this.lines];
    let hasFound = false;
    for (let line = 0; line < result.length; line += 1) {
      const { kind, text } = this.scanned[line];
      if (kind === 'content') this.enter(text);
      const isCandidate = this.isFirst ? !this.ignored.has(line) : result[line].hashes.length > 0;
      const block = kind === 'comment' && isCandidate ? this.blockAt(line) : null;
      if (block === null) continue;
      hasFound = true;
      for (const { kind: own, text: plain } of block.scanned)
        if (own === 'content') this.enter(plain);
      for (let each = line; each <= block.last; each += 1)
        if (this.scanned[each].kind === 'comment')
          result[each] = inactive(result[each], block.hash);
      line = block.last;
    }
    return hasFound ? result : null;
  }

  /** Enters the mappings and lists of a line in use. */
  private enter(text: string): void {
    const { frames } = this;
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(text)) frames.length = 0;
    const dashes = /^\s*((?:-(?:\s+|$))*)/.exec(text)?.[1] ?? '';
    let column = indentOf(text);
    for (const dash of dashes.match(/-\s*/g) ?? []) {
      while ((frames.at(-1)?.column ?? -1) > column) frames.pop();
      const parent = frames.at(-1);
      if (parent?.isList !== true || parent.column !== column)
        frames.push({
          column,
          isList: true,
          parent: parent?.path ?? '',
          path: `${parent?.path ?? ''}[]`,
          isOpen: false,
        });
      column += dash.length;
    }
    const [, key, value = ''] = ANY_KEY.exec(text.slice(column)) ?? [];
    if (key === undefined) return;
    this.leave(column);
    const isOpen = opening(value) === 'keys';
    let frame = frames.at(-1);
    if (frame?.column !== column || frame.isList) {
      frame = { column, isList: false, parent: frame?.path ?? '', path: '', isOpen };
      frames.push(frame);
    }
    frame.path = joinPath(frame.parent, key.trim().replace(/^(["'])(.*)\1$/, '$2'));
    frame.isOpen = isOpen;
  }

  private leave(column: number): void {
    for (let top = this.frames.at(-1); top !== undefined; top = this.frames.at(-1)) {
      if (top.column < column || (top.column === column && !top.isList)) return;
      this.frames.pop();
    }
  }

  /** Returns the path of the parent if a key can stand in this column, so that others stay as they are. */
  private parentFor(line: number, column: number): Pick<Place, 'parent' | 'isSibling'> | null {
    const text = this.scanned[this.next[line]]?.text ?? '---';
    const isLast = /^(?:---|\.\.\.)(?:\s|$)/.test(text);
    const bound = isLast ? 0 : indentOf(text);
    const isDash = !isLast && /^\s*-(?:\s|$)/.test(text);
    if (isDash ? column <= bound : column < bound) return null;
    const top = this.frames.findLast(
      (frame) => frame.column < column || (frame.column === column && !frame.isList),
    );
    if (top === undefined)
      return this.frames.length === 0 && column === bound ? { parent: '', isSibling: true } : null;
    if (top.isList) return null;
    if (top.column === column) return { parent: top.parent, isSibling: true };
    const isFree = bound <= top.column || (bound === column && !isDash);
    return top.isOpen && top === this.frames.at(-1) && isFree
      ? { parent: top.path, isSibling: false }
      : null;
  }

  private blockAt(line: number): { hash: Hash; last: number; scanned: readonly Line[] } | null {
    const { text } = this.lines[line];
    const column = text.indexOf('#');
    const body = text.slice(column + 1);
    const match = KEY.exec(body.trimStart());
    if (match === null) return null;
    const key = match[1] ?? match[2] ?? match[3] ?? '';
    const value = (match[4] ?? '').trim();
    const isLoose = indentOf(body) === 1;
    const place = this.placeOf(line, column, key, isLoose);
    if (place === null) return null;
    const isRemarkHere = isRemark(key, value, !isLoose) || (isLoose && this.isInsideRemark(line));
    if (isRemarkHere && !this.isKnown(joinPath(place.parent, key))) return null;
    const last = this.lastLineOf(line, place, value);
    const ends = Array.from(
      { length: Math.min(MAX_REMARK_LINES, last - line) },
      (_each, index) => last - index,
    );
    for (const end of [...ends, line]) {
      this.budget -= end - line + 1;
      if (this.budget < 0) return null;
      const block = this.lines
        .slice(line, end + 1)
        .map((each) => (uncommented(each.text, place) ?? each.text) + '\n')
        .join('');
      const isSingle = end === line && SIMPLE.test(value);
      const scanned = isSingle ? scanLines(block) : scanKey(block);
      if (scanned !== null) return { hash: { column, style: place.style }, last: end, scanned };
    }
    return null;
  }

  private placeOf(line: number, column: number, key: string, isLoose: boolean): Place | null {
    const styles: Style[] = ['tight', 'loose', 'replace'];
    const places = styles.flatMap((style): Place[] => {
      const plain = uncommented(this.lines[line].text, { column, style });
      if (plain === undefined) return [];
      const keyColumn = indentOf(plain);
      const found = this.parentFor(line, keyColumn);
      return found === null ? [] : [{ column, style, keyColumn, ...found }];
    });
    // `# x` stands for `x` more often than for ` x`.
    const below = places.filter(({ isSibling, style }) => !isSibling && style !== 'replace');
    if (isLoose) below.reverse();
    const all = [...places.filter(({ isSibling }) => isSibling), ...below];
    return all.find(({ parent }) => this.isKnown(joinPath(parent, key))) ?? all[0] ?? null;
  }

  /** A key between two lines of a paragraph is part of its sentence. */
  private isInsideRemark(line: number): boolean {
    return [line - 1, line + 1].every((each) => {
      if (this.scanned[each]?.kind !== 'comment') return false;
      const text = this.lines[each].text.replace(/^\s*#/, '').trim();
      return text !== '' && !KEY.test(text) && isSentence(text);
    });
  }

  /** Returns the last line that belongs to the key: deeper lines, and entries of its list. */
  private lastLineOf(first: number, place: Place, value: string): number {
    const { keyColumn } = place;
    let [last, open, owner] = [first, opening(value), keyColumn];
    if (open === 'nothing') return first;
    for (let line = first + 1; line < this.lines.length; line += 1) {
      const { kind } = this.scanned[line];
      if (kind === 'blank') continue;
      const plain = kind === 'comment' ? uncommented(this.lines[line].text, place) : undefined;
      if (plain === undefined) break;
      if (plain.trim() === '') continue;
      const isAfterBlank = this.scanned[line - 1].kind === 'blank';
      const indent = indentOf(plain);
      const text = plain.trimStart();
      if (open !== 'text' || indent <= owner) {
        if (text.startsWith('#')) {
          // A comment, or a key that was commented out, within the block.
          if (indentOf(plain.replace('#', '')) > keyColumn && !isAfterBlank) last = line;
          continue;
        }
        const dashes = /^(?:-(?:\s+|$))*/.exec(text)?.[0].length ?? 0;
        if (indent < keyColumn || (indent === keyColumn && dashes === 0)) break;
        const [isKey, , , name = '', own = ''] = KEY.exec(text.slice(dashes)) ?? [];
        if (isKey === undefined && dashes === 0) break;
        if (
          indent - keyColumn < MIN_DEPTH &&
          dashes === 0 &&
          (isAfterBlank || isRemark(name, own, false))
        )
          break;
        [open, owner] = [isKey === undefined ? 'keys' : opening(own), indent + dashes];
      }
      last = line;
    }
    return last;
  }
}

/** Null unless it is one key, with everything below it, and no error. */
function scanKey(text: string): Line[] | null {
  const { isMap, parseDocument } = yaml();
  try {
    const scanned = scanLines(text);
    const { contents, errors } = parseDocument(text, {
      version: '1.1',
      logLevel: 'silent',
      uniqueKeys: false,
    });
    return errors.length === 0 && isMap(contents) && contents.items.length === 1 ? scanned : null;
  } catch {
    return null;
  }
}
