import type { CST } from 'yaml';
import type { Entry, InactiveBlock, Line } from './entry';
import { joinPath, linesOf } from './entry';
import { InactiveBlockFinder } from './inactive-blocks';
import { EntryReader } from './read-entries';
import { Scalars } from './scalars';
import type { Plain } from './scalars';

export type Value = Plain | readonly Value[] | { readonly [key: string]: Value };

/** Loaded late: most processes edit no configuration. */
const yaml = (): typeof import('yaml') => require('yaml') as typeof import('yaml');
let scalars: Scalars | undefined;
export const sharedScalars = (): Scalars => (scalars ??= new Scalars(yaml()));

const BYTE_ORDER_MARK = '\ufeff';

/**
 * The text of a configuration file: its keys, those that are commented out, and where each of them
 * stands.
 */
export class ConfigText {
  readonly lines: readonly Line[];
  readonly roots: readonly Entry[];
  readonly inactive: readonly InactiveBlock[];
  readonly mark: string;
  /** Without the byte order mark. */
  readonly source: string;
  private readonly inner = new Map<InactiveBlock, ConfigText>();
  private documents: unknown[] | undefined;
  private byPath: ReadonlyMap<string, Entry> | undefined;

  /**
   * @param isKnown whether a path is a key of the service, and so no remark in a comment
   * @param isBlock whether the text is one block of a file, so that no key stands next to it
   */
  constructor(
    text: string,
    private readonly isKnown: (path: string) => boolean = () => false,
    isBlock = false,
  ) {
    this.mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    this.source = text.slice(this.mark.length);
    const lines = linesOf(this.source);
    this.lines = lines;
    this.roots = new EntryReader(this.source, lines, yaml()).read().roots;
    const found = new InactiveBlockFinder(
      { source: this.source, lines, owners: ownersOf(this.roots, lines), roots: this.roots },
      (block) => this.isBlock(block),
      isKnown,
    ).find();
    this.inactive = isBlock ? found.filter(({ parent }) => parent !== null) : found;
  }

  /** The line end of the file. */
  get lineEnd(): string {
    const [first] = this.lines;
    return first === undefined || first.next === first.end
      ? '\n'
      : this.source.slice(first.end, first.next);
  }

  /** Keys in use by path; of several with the same path, the last counts, as when the file is read. */
  get entries(): ReadonlyMap<string, Entry> {
    return (this.byPath ??= entriesByPath(this.roots));
  }

  /**
   * Returns the last line of a key, or of all keys for null, with those below it that are commented
   * out; -1 if there are none.
   */
  lastLineOf(parent: Entry | null): number {
    const own = parent === null ? this.roots : [parent];
    const below = this.inactive.filter((block) => isWithin(block.parent, parent));
    return [...own, ...below].reduce((last, { lastLine }) => Math.max(last, lastLine), -1);
  }

  /** Returns the keys of a block that is commented out. Their paths are complete. */
  inside(block: InactiveBlock): ConfigText {
    const known = this.inner.get(block);
    if (known !== undefined) return known;
    const parent = block.parent?.path ?? '';
    const text = new ConfigText(block.text, (path) => this.isKnown(joinPath(parent, path)), true);
    this.inner.set(block, text);
    return text;
  }

  valueOf(entry: Entry): Value {
    const { token } = entry;
    if (token === null) return null;
    if (entry.kind === 'scalar' && !entry.hasTag) return sharedScalars().read(token);
    if (entry.kind === 'list' || entry.kind === 'flow-list')
      return entry.children.map((child) => this.valueOf(child));
    if (entry.kind === 'block' || entry.kind === 'flow-block')
      return Object.fromEntries(entry.children.map((child) => [child.key, this.valueOf(child)]));
    return this.composedValue(entry);
  }

  /** Tags and aliases need the whole document. */
  private composedValue({ segments, document }: Entry): Value {
    this.documents ??= yaml()
      .parseAllDocuments(this.source, { version: '1.1', logLevel: 'silent' })
      .map((each) => each.toJS({ maxAliasCount: 50 }) as unknown);
    let value: unknown = this.documents[document];
    for (const segment of segments)
      value =
        typeof value === 'object' && value !== null
          ? (value as Record<string, unknown>)[segment]
          : undefined;
    return toValue(value);
  }

  /** One key, with everything below it, and no error. */
  private isBlock(text: string): boolean {
    let keys = 0;
    for (const token of new (yaml().Parser)().parse(text)) {
      if (token.type === 'comment' || token.type === 'newline' || token.type === 'space') continue;
      if (token.type !== 'document' || token.value?.type !== 'block-map') return false;
      if (hasError(token.value) || hasErrors(token.end)) return false;
      keys += token.value.items.filter(({ key }) => key != null).length;
    }
    return keys === 1;
  }
}

const hasErrors = (tokens: readonly CST.Token[] | undefined): boolean =>
  tokens?.some(({ type }) => type === 'error') ?? false;

function hasError(token: CST.Token): boolean {
  if (token.type === 'error') return true;
  if ('end' in token && Array.isArray(token.end) && hasErrors(token.end)) return true;
  if (token.type === 'flow-collection' && !token.end.some(({ type }) => type.startsWith('flow-')))
    return true;
  if (
    /^(?:single|double)/.test(token.type) &&
    'source' in token &&
    !/^(?:'[^]*'|"[^]*")$/.test(token.source)
  )
    return true;
  return (
    'items' in token &&
    token.items.some(
      ({ key, value }) => (key ? hasError(key) : false) || (value ? hasError(value) : false),
    )
  );
}

function toValue(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(toValue);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toValue(each)]));
  return null;
}

function entriesByPath(
  entries: readonly Entry[],
  into = new Map<string, Entry>(),
): ReadonlyMap<string, Entry> {
  for (const entry of entries) {
    into.set(entry.path, entry);
    entriesByPath(entry.children, into);
  }
  return into;
}

/** Whether an entry is the parent or below it; null: the root of the file. */
function isWithin(entry: Entry | null, parent: Entry | null): boolean {
  for (let each = entry; each !== parent; each = each.parent) if (each === null) return false;
  return true;
}

function ownersOf(roots: readonly Entry[], lines: readonly Line[]): (Entry | null)[] {
  const owners = new Array<Entry | null>(lines.length).fill(null);
  const own = (entry: Entry): void => {
    owners.fill(entry, entry.firstLine, entry.lastLine + 1);
    if (entry.kind === 'block' || entry.kind === 'list') entry.children.forEach(own);
  };
  roots.forEach(own);
  return owners;
}
