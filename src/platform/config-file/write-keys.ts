import { ChangeError, keysOf } from './changes';
import type { Change } from './changes';
import { isEntry } from './config-node';
import type { ConfigNode, ConfigText } from './config-node';
import { inline, isPlain, NO_VALUE, written } from './write-values';
import type { Splice } from './splice';
import type { Value } from './parse-yaml';

/** New keys below an existing one: a value, or further keys. */
type NewKeys = Map<string, NewKeys | Value>;

interface Group {
  readonly parent: ConfigNode | null;
  readonly status: 'active' | 'inactive';
  readonly keys: NewKeys;
}

const DEFAULT_INDENT = 2;

/** Collects new keys by the key below which they are added, and whether they are in use. */
export class KeyWriter {
  private readonly groups = new Map<string, Group>();

  constructor(private readonly text: ConfigText) {}

  /**
   * Returns the key below which the new one is added; null for the root.
   * @throws ChangeError
   */
  add(change: Change, nodes: ReadonlyMap<string, readonly ConfigNode[]>): ConfigNode | null {
    const { path, key, value, status = 'active' } = change;
    if (value === undefined)
      throw new ChangeError(path, 'there is no such key, and no value was sent');
    if (!isPlain(value) && !Array.isArray(value)) throw new ChangeError(path, NO_VALUE);
    const parent = this.parentOf(nodes, path);
    const rest = parent === null ? path : path.slice(parent.path.length).replace(/^\./, '');
    const keys = keysOf(rest, key !== undefined && rest.endsWith(key) ? key : undefined);
    if (
      keys.length === 0 ||
      keys.some((each) => each.trim() !== each || /[\p{Cc}#]/u.test(each) || each.length > 200)
    )
      throw new ChangeError(path, 'this is not the path of a key');
    const id = `${status} ${parent?.path ?? ''}`;
    const group = this.groups.get(id) ?? { parent, status, keys: new Map() as NewKeys };
    this.groups.set(id, group);
    let below = group.keys;
    for (const name of keys.slice(0, -1)) {
      const known = below.get(name);
      const inner = known instanceof Map ? known : (new Map() as NewKeys);
      below.set(name, inner);
      below = inner;
    }
    const name = keys[keys.length - 1];
    if (!(below.get(name) instanceof Map)) below.set(name, value);
    return parent;
  }

  /** Returns the closest key above a path. */
  private parentOf(
    nodes: ReadonlyMap<string, readonly ConfigNode[]>,
    path: string,
  ): ConfigNode | null {
    for (let end = path.length - 1; end > 0; end -= 1) {
      const above = /[.[]/.test(path[end]) ? nodes.get(path.slice(0, end)) : undefined;
      const shown = this.text.byPath.get(path.slice(0, end));
      if (above !== undefined) return above.find((node) => node === shown) ?? above[0];
    }
    return null;
  }

  splices(): Splice[] {
    return [...this.groups.values()].map((group) => this.insertion(group));
  }

  private insertion({ parent, status, keys }: Group): Splice {
    if (parent?.kind === 'flow-block') return insertionIntoFlow(parent, keys);
    const isList = [...keys.keys()].every((key) => isEntry({ key }));
    const isFree = parent === null || parent.kind === 'block' || (parent.kind === 'list' && isList);
    if (!isFree && (parent.kind !== 'empty' || isEntry(parent)))
      throw new ChangeError(parent.path, 'it has a value, so no key can stand below it');
    const { roots, all, lines } = this.text;
    const indented = all.find(
      (node) => !node.isInFlow && node.parent?.kind === 'block' && node.column > node.parent.column,
    );
    const step = indented?.parent ? indented.column - indented.parent.column : DEFAULT_INDENT;
    const [sibling] = parent === null ? roots : parent.children;
    const column =
      sibling?.column ??
      mergeColumn(this.text, parent) ??
      (parent === null ? 0 : parent.column + step);
    const texts = written(plainKeys(keys), step)
      .split('\n')
      .map((line) => ' '.repeat(column) + line);
    const last =
      parent?.lastLine ??
      (roots.length === 0 ? lines.length - 1 : Math.max(...all.map(({ lastLine }) => lastLine)));
    return { line: last + 1, texts, like: parent?.firstLine, status };
  }
}

/** The column of the merge keys of a block that has no others. */
function mergeColumn({ starts }: ConfigText, parent: ConfigNode | null): number | undefined {
  const start = parent?.kind === 'block' ? parent.node?.range?.[0] : undefined;
  return start === undefined ? undefined : start - starts.findLast((each) => each <= start)!;
}

function plainKeys(keys: NewKeys): unknown {
  const entries = [...keys].map(
    ([key, value]) => [key, value instanceof Map ? plainKeys(value) : value] as const,
  );
  return entries.every(([key]) => isEntry({ key }))
    ? entries.map(([, value]) => value)
    : new Map(entries);
}

function insertionIntoFlow(parent: ConfigNode, keys: NewKeys): Splice {
  const texts = [...keys].map(([key, value]) => {
    if (value instanceof Map || Array.isArray(value))
      throw new ChangeError(parent.path, 'only single values can be added to keys in braces');
    return `${inline(key, true)}: ${inline(value, true)}`;
  });
  const last = parent.children.at(-1);
  const at = last?.end ?? (parent.node?.range?.[0] ?? parent.end) + 1;
  return {
    start: at,
    end: at,
    text: (last === undefined ? '' : ', ') + texts.join(', '),
  };
}
