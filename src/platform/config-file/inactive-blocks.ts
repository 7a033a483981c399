import { indentOf, joinPath } from './entry';
import type { Entry, InactiveBlock, Line, Uncomment } from './entry';
import { isRemark, isSentence } from './prose';

/** A key at the start of a line, and what follows its colon. */
const KEY =
  /^(?:"((?:[^"\\]|\\.){1,200})"|'([^']{1,200})'|([\p{L}\p{N}_][\p{L}\p{N}_.[\]/-]{0,199}))[ \t]*:(?:[ \t](.*))?$/u;
/** Values that parse. */
const SIMPLE = /^(?:|[\w./-][\w./ -]*|"[^"\\]*"|'[^']*')$/;
const STYLES: readonly Uncomment[] = ['tight', 'loose', 'replace'];

/** What the reader of a file needs to know about the lines. */
interface FileLines {
  readonly source: string;
  readonly lines: readonly Line[];
  /** The innermost entry of each line with content. */
  readonly owners: readonly (Entry | null)[];
  readonly roots: readonly Entry[];
}

/** Removes the `#` of a comment line; undefined if it is not written in this style. */
function uncommented(text: string, style: Uncomment): string | undefined {
  const at = text.indexOf('#');
  const rest = text.slice(at + 1);
  if (style === 'tight') return text.slice(0, at) + rest;
  if (style === 'replace') return `${text.slice(0, at)} ${rest}`;
  if (rest === '') return text.slice(0, at);
  return /^[ \t]/.test(rest) ? text.slice(0, at) + rest.slice(1) : undefined;
}

/** Remarks below a key may have been taken for a part of it. */
const MAX_REMARK_LINES = 8;

/** Returns the lines with which a block may end, the likely one first. */
function candidates(first: number, last: number): number[] {
  const most = Math.min(MAX_REMARK_LINES, last - first);
  const ends = Array.from({ length: most }, (_each, index) => last - index);
  return [...ends, first];
}

interface Place {
  readonly parent: Entry | null;
  readonly column: number;
}

/** Finds the keys that stand commented out. */
export class InactiveBlockFinder {
  /** Column of the inactive keys below a key that has no value. */
  private readonly columnsBelow = new Map<Entry, number>();

  /** The next line with content after each line; the number of lines for none. */
  private readonly nextContent: Int32Array;

  constructor(
    private readonly file: FileLines,
    private readonly parses: (text: string) => boolean,
    private readonly isKnown: (path: string) => boolean,
  ) {
    const { lines } = file;
    this.nextContent = new Int32Array(lines.length).fill(lines.length);
    for (let line = lines.length - 2; line >= 0; line -= 1)
      this.nextContent[line] =
        lines[line + 1].kind === 'content' ? line + 1 : this.nextContent[line + 1];
  }

  find(): InactiveBlock[] {
    const blocks: InactiveBlock[] = [];
    const { lines } = this.file;
    let previous: number | null = null;
    for (let line = 0; line < lines.length; line += 1) {
      if (lines[line].kind === 'content') previous = line;
      if (lines[line].kind !== 'comment') continue;
      const block = this.blockAt(line, previous);
      if (block === null) continue;
      blocks.push(block);
      line = block.lastLine;
    }
    return blocks;
  }

  private textOf(line: number): string {
    const { start, end } = this.file.lines[line];
    return this.file.source.slice(start, end);
  }

  private blockAt(line: number, previous: number | null): InactiveBlock | null {
    const text = this.textOf(line);
    const body = text.slice(text.indexOf('#') + 1).trimStart();
    const match = KEY.exec(body);
    if (match === null) return null;
    const key = match[1] ?? match[2] ?? match[3] ?? '';
    const value = (match[4] ?? '').trimStart();
    const found = this.placeOf(text, key, this.placesAfter(previous, line));
    if (found === null) return null;
    const { style, place } = found;
    const path = joinPath(place.parent?.path ?? '', key);
    const gap = indentOf(text.slice(text.indexOf('#') + 1));
    const isTight = gap !== 1;
    if (
      !this.isKnown(path) &&
      (isRemark(key, value, isTight) || (!isTight && this.isInsideRemark(line)))
    )
      return null;
    const lastLine = this.lastLineOf(line, place.column, style, value, isTight);
    for (const last of candidates(line, lastLine)) {
      const block = this.blockOf({ path, place, style }, line, last);
      if (!(last === line && SIMPLE.test(value)) && !this.parses(block.text)) continue;
      if (place.parent?.kind === 'empty') this.columnsBelow.set(place.parent, place.column);
      return block;
    }
    return null;
  }

  private blockOf(
    { path, place, style }: { path: string; place: Place; style: Uncomment },
    firstLine: number,
    lastLine: number,
  ): InactiveBlock {
    const { lines, source } = this.file;
    let text = '';
    for (let line = firstLine; line <= lastLine; line += 1) {
      const plain = this.textOf(line);
      text += lines[line].kind === 'comment' ? (uncommented(plain, style) ?? plain) : plain;
      text += source.slice(lines[line].end, lines[line].next);
    }
    return {
      path,
      parent: place.parent,
      column: place.column,
      firstLine,
      lastLine,
      hashColumn: this.textOf(firstLine).indexOf('#'),
      uncomment: style,
      text,
    };
  }

  /** Returns where a key on this line could stand, so that the file would still parse. */
  private placesAfter(previous: number | null, line: number): Place[] {
    const { lines, owners, roots } = this.file;
    const next = this.nextContent[line];
    const bound = next < lines.length ? indentOf(this.textOf(next)) : 0;
    const isEntry = this.isListEntryAt(next);
    const places: Place[] = [];
    const owner = previous === null ? null : owners[previous];
    if (owner === null) places.push({ parent: null, column: roots[0]?.column ?? 0 });
    else if (owner.kind === 'block')
      places.push({ parent: owner, column: owner.children[0]?.column ?? 0 });
    for (let entry = owner; entry !== null; entry = entry.parent)
      if (!entry.isListEntry) places.push({ parent: entry.parent, column: entry.column });
    if (owner?.kind === 'empty' && !owner.isListEntry) {
      const column = this.columnsBelow.get(owner);
      places.push({ parent: owner, column: column ?? -1 - owner.column });
    }
    return places.filter(
      ({ column }) => column < 0 || (isEntry ? column > bound : column >= bound),
    );
  }

  private isListEntryAt(line: number): boolean {
    if (line >= this.file.lines.length) return false;
    for (let entry = this.file.owners[line]; entry !== null; entry = entry.parent)
      if (entry.isListEntry && entry.firstLine === line) return true;
    return false;
  }

  /** A negative column of a place stands for any column after that of its parent. */
  private placeOf(
    text: string,
    key: string,
    places: readonly Place[],
  ): { style: Uncomment; place: Place } | null {
    const found: { style: Uncomment; place: Place }[] = [];
    const columns = new Map(
      STYLES.flatMap((style) => {
        const plain = uncommented(text, style);
        return plain === undefined ? [] : [[style, indentOf(plain)] as const];
      }),
    );
    for (const [style, column] of columns)
      for (const place of places) if (place.column === column) found.push({ style, place });
    // `# x` stands for `x` more often than for ` x`.
    const isLoose = /^\s*#[ \t][^ \t]/.test(text);
    for (const style of isLoose ? (['loose', 'tight'] as const) : (['tight', 'loose'] as const)) {
      const column = columns.get(style);
      for (const { parent, column: least } of places)
        if (least < 0 && column !== undefined && column >= -least)
          found.push({ style, place: { parent, column } });
    }
    return (
      found.find(({ place }) => this.isKnown(joinPath(place.parent?.path ?? '', key))) ??
      found[0] ??
      null
    );
  }

  /** A key between two lines of a paragraph is part of its sentence. */
  private isInsideRemark(line: number): boolean {
    const { lines } = this.file;
    return [line - 1, line + 1].every((each) => {
      if (lines[each]?.kind !== 'comment') return false;
      const text = this.textOf(each).replace(/^\s*#/, '');
      return text.trim() !== '' && !KEY.test(text.trim()) && isSentence(text);
    });
  }

  /** Returns the last line that belongs to the key: deeper lines, and entries of its list. */
  private lastLineOf(
    first: number,
    column: number,
    style: Uncomment,
    value: string,
    isTight: boolean,
  ): number {
    const { lines } = this.file;
    const hash = this.textOf(first).indexOf('#');
    const opens = openingOf(value);
    let last = first;
    for (let line = first + 1; line < lines.length; line += 1) {
      if (lines[line].kind === 'content') break;
      if (lines[line].kind === 'blank') continue;
      const text = this.textOf(line);
      const plain = text.indexOf('#') === hash ? uncommented(text, style) : undefined;
      if (plain === undefined) break;
      if (plain.trim() === '') continue;
      // A comment, or a key that was already commented out, within the block.
      if (plain.trimStart().startsWith('#')) {
        if (indentOf(plain.replace('#', '')) > column && lines[line - 1].kind !== 'blank')
          last = line;
        continue;
      }
      const indent = indentOf(plain);
      const isEntry = indent === column && opens === 'children' && /^\s*-(?:\s|$)/.test(plain);
      if (!isEntry && indent <= column) break;
      if (!isPart(plain, indent - column, opens, isTight, lines[line - 1].kind === 'blank')) break;
      last = line;
    }
    return this.withKeptBlanks(first, last, hash, value);
  }

  /** Blank lines at the end of a text that keeps them. */
  private withKeptBlanks(first: number, found: number, hash: number, value: string): number {
    const { lines } = this.file;
    let last = found;
    const keeps = Array.from({ length: last - first + 1 }, (_each, index) =>
      index === 0 ? value : this.textOf(first + index),
    ).some((text) => /[|>]\d?\+\d?\s*(?:#.*)?$/.test(text));
    while (keeps && lines[last + 1]?.kind === 'comment') {
      const text = this.textOf(last + 1);
      if (text.indexOf('#') !== hash || !/^#?\s*$/.test(text.slice(hash + 1))) break;
      last += 1;
    }
    return last;
  }
}

type Opening = 'children' | 'text' | 'complete' | 'words';

const COMPLETE =
  /^(?:[-+]?[\d.:_]+|true|false|yes|no|on|off|null|~|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^[\]{}]*\]|\{[^[\]{}]*\})\s*(?:#.*)?$/i;

/** What the lines below a key can be, by what follows its colon. */
function openingOf(value: string): Opening {
  const text = value.replace(/^(?:[&!][^\s]*\s*)+/, '').trim();
  if (text === '' || text.startsWith('#')) return 'children';
  if (COMPLETE.test(text)) return 'complete';
  if (/^["'[{|>]/.test(text)) return 'text';
  return text.includes(' #') ? 'complete' : 'words';
}

/** Texts that go on below their key are indented by two columns or more; remarks often by one. */
const MIN_DEPTH = 2;

/** Returns whether a deeper comment line belongs to the key above it. */
function isPart(
  plain: string,
  depth: number,
  opens: Opening,
  isTight: boolean,
  isAfterBlank: boolean,
): boolean {
  const text = plain.trim();
  const [, , , name = '', value = ''] = KEY.exec(text) ?? [];
  const isYaml = KEY.test(text) || /^-(?:\s|$)/.test(text);
  if (isAfterBlank) return opens === 'children' && isYaml && depth >= MIN_DEPTH;
  if (opens === 'children' && isYaml)
    return depth >= MIN_DEPTH || name === '' || !isRemark(name, value, false);
  if (opens === 'complete' || depth < MIN_DEPTH) return false;
  return opens === 'text' || ((isTight || opens === 'children') && !isSentence(text));
}
