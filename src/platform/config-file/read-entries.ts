import type { CST } from 'yaml';
import { joinPath, lineAt } from './entry';
import type { Entry, EntryKind, Line } from './entry';

type Item =
  | CST.BlockMap['items'][number]
  | CST.BlockSequence['items'][number]
  | CST.FlowCollection['items'][number];

interface Place {
  readonly parent: Entry | null;
  readonly document: number;
  readonly isInFlow: boolean;
}

const VOID: ReadonlySet<string> = new Set(['space', 'comment', 'newline', 'comma']);
const isVoid = ({ type }: { type: string }): boolean => VOID.has(type);

const endOfTokens = (tokens: readonly CST.SourceToken[] | undefined): number | null => {
  const last = (tokens ?? []).filter((token) => !isVoid(token)).at(-1);
  return last === undefined ? null : last.offset + last.source.length;
};

/** Reads the entries of a file from its tokens. Marks the lines of comments between them. */
export class EntryReader {
  readonly roots: Entry[] = [];

  constructor(
    private readonly source: string,
    private readonly lines: Line[],
    private readonly yaml: typeof import('yaml'),
  ) {}

  read(): this {
    let document = -1;
    for (const token of new this.yaml.Parser().parse(this.source)) {
      if (token.type === 'comment') this.markComment(token);
      if (token.type !== 'document') continue;
      document += 1;
      this.markComments(token.start);
      if (token.value) {
        if (token.value.type === 'block-map')
          this.readItems(token.value, { parent: null, document, isInFlow: false });
        this.markCommentsIn(token.value);
      }
      this.markComments(token.end);
    }
    return this;
  }

  private readItems(
    collection: CST.BlockMap | CST.BlockSequence | CST.FlowCollection,
    place: Place,
  ): void {
    const isMap =
      collection.type === 'block-map' ||
      (collection.type === 'flow-collection' && collection.start.source === '{');
    let index = 0;
    for (const item of collection.items) {
      if (isMap) this.readKey(item, place);
      else if (item.value || item.start.some(({ type }) => type === 'seq-item-ind'))
        this.readListEntry(item, place, index++);
    }
  }

  private readKey(item: Item, place: Place): void {
    if (
      item.key?.type !== 'scalar' &&
      item.key?.type !== 'single-quoted-scalar' &&
      item.key?.type !== 'double-quoted-scalar'
    )
      return;
    const key = this.yaml.CST.resolveAsScalar(item.key, true).value;
    // A merge key adds keys of another block; it is no key itself.
    if (key === '<<') return;
    const isExplicit = item.start.some(({ type }) => type === 'explicit-key-ind');
    this.add(place, {
      key,
      segment: key,
      isListEntry: false,
      offset: item.key.offset,
      value: item.value,
      tokens: item.sep ?? [],
      afterIndicator: endOfTokens(item.sep) ?? item.key.offset + item.key.source.length,
      isPlain: !isExplicit && !place.isInFlow && item.sep !== undefined,
    });
  }

  private readListEntry(item: Item, place: Place, index: number): void {
    const dash = item.start.find(({ type }) => type === 'seq-item-ind');
    this.add(place, {
      key: `[${index}]`,
      segment: index,
      isListEntry: true,
      offset: dash?.offset ?? item.value?.offset ?? 0,
      value: item.value,
      tokens: item.start,
      afterIndicator: endOfTokens(item.start) ?? item.value?.offset ?? 0,
      isPlain: !place.isInFlow,
    });
  }

  private add(
    place: Place,
    found: {
      readonly key: string;
      readonly segment: string | number;
      readonly isListEntry: boolean;
      readonly offset: number;
      readonly value: CST.Token | undefined;
      readonly tokens: readonly CST.SourceToken[];
      readonly afterIndicator: number;
      readonly isPlain: boolean;
    },
  ): void {
    const { parent } = place;
    const firstLine = lineAt(this.lines, found.offset);
    const column = found.offset - this.lines[firstLine].start;
    const before = this.source.slice(this.lines[firstLine].start, found.offset);
    const kind = kindOf(found.value);
    const end = Math.max(found.afterIndicator, this.endOf(found.value) ?? 0);
    const entry: Entry = {
      key: found.key,
      path: joinPath(parent?.path ?? '', found.key),
      kind,
      parent,
      children: [],
      isListEntry: found.isListEntry,
      column,
      firstLine,
      lastLine: this.lastLineOf(found.value, Math.max(found.offset + 1, end)),
      afterIndicator: found.afterIndicator,
      token: found.value ?? null,
      end,
      hasTag: found.tokens.some(({ type }) => type === 'tag'),
      ownsLines: found.isPlain && before.trim() === '',
      segments: [...(parent?.segments ?? []), found.segment],
      document: place.document,
      inlineComment: this.inlineComment(firstLine, found.tokens, found.value),
    };
    (parent?.children ?? this.roots).push(entry);
    const { value } = found;
    if (value && 'items' in value)
      this.readItems(value, {
        ...place,
        parent: entry,
        isInFlow: place.isInFlow || value.type === 'flow-collection',
      });
    this.coverValue(entry);
  }

  /** Lines of a value are content, also if they are blank or look like comments. */
  private coverValue({ kind, token, end }: Entry): void {
    if (token === null || kind === 'block' || kind === 'list') return;
    const last = this.lastLineOf(token, Math.max(token.offset + 1, end));
    for (let line = lineAt(this.lines, token.offset); line <= last; line += 1)
      this.lines[line].kind = 'content';
  }

  private endOf(token: CST.Token | undefined): number | null {
    if (!token) return null;
    if (token.type === 'block-scalar') {
      const start = token.props.reduce(
        (at, prop) => Math.max(at, prop.offset + ('source' in prop ? prop.source.length : 0)),
        token.offset,
      );
      const header = token.props.find(({ type }) => type === 'block-scalar-header');
      const keeps = header !== undefined && 'source' in header && header.source.includes('+');
      const text = keeps ? token.source.replace(/\r?\n$/, '') : token.source.trimEnd();
      return text === '' ? start - (this.source[start - 1] === '\n' ? 1 : 0) : start + text.length;
    }
    if (token.type === 'flow-collection')
      return endOfTokens(token.end) ?? token.start.offset + token.start.source.length;
    if (token.type === 'block-map' || token.type === 'block-seq')
      return (token.items as Item[]).reduce<number | null>((end, item) => {
        const own =
          this.endOf(item.value) ??
          endOfTokens(item.sep) ??
          (item.key ? this.endOf(item.key) : endOfTokens(item.start));
        return own === null ? end : Math.max(end ?? 0, own);
      }, null);
    return 'source' in token ? token.offset + token.source.length : null;
  }

  /** A text that keeps its line ends may end with an empty line. */
  private lastLineOf(value: CST.Token | undefined, end: number): number {
    let last = value;
    while (last && (last.type === 'block-map' || last.type === 'block-seq'))
      last = (last.items as Item[]).findLast((item) => item.value)?.value;
    const isEmpty = last?.type === 'block-scalar' && this.source[end - 1] === '\n';
    return lineAt(this.lines, isEmpty ? end : end - 1);
  }

  private inlineComment(
    line: number,
    tokens: readonly CST.SourceToken[],
    value: CST.Token | undefined,
  ): string | null {
    const { end } = this.lines[line];
    const after = value && 'end' in value && Array.isArray(value.end) ? value.end : [];
    const props = value?.type === 'block-scalar' ? value.props : [];
    const comment = [...tokens, ...props, ...after].find(
      (token) => token.type === 'comment' && lineAt(this.lines, token.offset) === line,
    );
    return comment === undefined ? null : this.source.slice(comment.offset, end);
  }

  /** Comments inside a flow collection, or between a key and its text, belong to the value. */
  private markCommentsIn(token: CST.Token): void {
    if (token.type === 'block-map' || token.type === 'block-seq')
      for (const item of token.items as Item[]) {
        this.markComments(item.start);
        const { value } = item;
        if (!value || value.type === 'block-map' || value.type === 'block-seq')
          this.markComments(item.sep);
        if (value) this.markCommentsIn(value);
      }
    else if ('end' in token && Array.isArray(token.end)) this.markComments(token.end);
  }

  private markComments(tokens: readonly CST.SourceToken[] | undefined): void {
    for (const token of tokens ?? []) if (token.type === 'comment') this.markComment(token);
  }

  private markComment({ offset }: { readonly offset: number }): void {
    const line = this.lines[lineAt(this.lines, offset)];
    if (this.source.slice(line.start, offset).trim() === '') line.kind = 'comment';
  }
}

function kindOf(token: CST.Token | undefined): EntryKind {
  if (!token) return 'empty';
  if (token.type === 'block-map') return 'block';
  if (token.type === 'block-seq') return 'list';
  if (token.type === 'alias') return 'alias';
  if (token.type === 'flow-collection')
    return token.start.source === '{' ? 'flow-block' : 'flow-list';
  return 'scalar';
}
