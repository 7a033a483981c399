import type { Alias } from 'yaml';
import { ChangeError, isBelow, isSame } from './changes';
import type { Change } from './changes';
import { commented, inUse, withHashes } from './config-lines';
import type { FileLine, Hash } from './config-lines';
import { readConfigText, sourceOf } from './config-text';
import { isEntry } from './config-node';
import type { ConfigNode, ConfigText } from './config-node';
import type { Value } from './parse-yaml';
import { KeyWriter } from './write-keys';
import { ValueWriter } from './write-values';
import { spliced } from './splice';
import type { Splice } from './splice';

export interface EditedConfig {
  readonly text: ConfigText;
  /** Paths of the keys that differ from before. */
  readonly changed: readonly string[];
}

/**
 * Applies changes to a configuration file. Only the parts that have to change do; the result is read
 * again and compared with what was asked for.
 * @throws ChangeError if a change cannot be made; then none is
 */
export function editConfig(
  before: ConfigText,
  given: readonly Change[],
  isKnown: (path: string) => boolean = () => false,
): EditedConfig {
  const changes = withoutShadowed(given);
  const plan = new Plan(before, changes);
  const former = sourceOf(before);
  // A plain `#` is enough if the file is read as intended then.
  for (const sign of ['#', '#|'] as const) {
    const lines = plan.lines({ column: 0, sign });
    const source = sourceOf({ mark: before.mark, lines });
    if (source === former) return { text: before, changed: [] };
    const text = readConfigText(source, isKnown);
    const isExact =
      (lines.length !== before.lines.length ||
        plan.off.every(({ path, firstLine }) => text.byPath.get(path)?.firstLine === firstLine)) &&
      text.lines.length === lines.length &&
      text.lines.every(
        (line, index) =>
          line.text === lines[index].text && line.hashes.length === lines[index].hashes.length,
      );
    if (!isExact && sign === '#') continue;
    verify(before, text, changes, plan.expected);
    return { text, changed: changedPaths(changes, before, text) };
  }
  throw new Error('unreachable');
}

/** What is said of keys below one that becomes inactive does not matter. */
function withoutShadowed(changes: readonly Change[]): Change[] {
  const off = changes.filter(({ status }) => status === 'inactive').map(({ path }) => path);
  const isShadowed = ({ path, status }: Change): boolean =>
    status === 'active' && off.some((parent) => isBelow(path, parent));
  return changes.map((change) => (isShadowed(change) ? { ...change, status: undefined } : change));
}

/** Which lines change, and how. */
class Plan {
  readonly expected = new Map<string, Value>();
  private readonly splices: readonly Splice[];
  /** Keys that are used again, with everything below them. */
  private readonly on: ConfigNode[] = [];
  readonly off: ConfigNode[] = [];
  /** Keys of which only the own line is used again. */
  private readonly parents = new Set<ConfigNode>();
  /** Keys that stay commented out, but change. */
  private readonly inactive: ConfigNode[] = [];
  /** Keys that are commented out below one that gets a value: they are only comments then. */
  private readonly dropped: ConfigNode[] = [];

  constructor(
    private readonly text: ConfigText,
    private readonly changes: readonly Change[],
  ) {
    const nodes = editableNodes(text);
    const values = new ValueWriter(text.lines.map(({ text, lineEnd }) => text + lineEnd).join(''));
    const keys = new KeyWriter(text);
    for (const change of changes) {
      const node = nodeFor(nodes.get(change.path) ?? [], change, text.byPath);
      if (node !== undefined) this.edit(node, change, values);
      else if (!changes.some(({ path }) => isBelow(path, change.path))) {
        const parent = keys.add(change, nodes);
        if (change.status !== 'inactive') this.useLineOf(parent);
        else if (parent?.status === 'inactive') this.inactive.push(parent);
        this.expected.set(change.path, change.value ?? null);
      }
    }
    this.splices = [...values.splices, ...keys.splices()];
  }

  private edit(node: ConfigNode, { path, value, status }: Change, values: ValueWriter): void {
    if (value !== undefined) {
      this.expected.set(path, values.set(node, value));
      if (node.kind === 'block') this.dropped.push(...node.children);
    }
    if (status === 'inactive' && node.status === 'active') this.off.push(node);
    if (status === 'active' && node.status === 'inactive') {
      this.on.push(node);
      this.useLineOf(node.parent);
    } else if (node.status === 'inactive') this.inactive.push(node);
  }

  private useLineOf(parent: ConfigNode | null): void {
    for (let node = parent; node?.status === 'inactive'; node = node.parent) this.parents.add(node);
  }

  /** Returns the changed lines. */
  lines(hash: Hash): FileLine[] {
    const lines = [...this.text.lines];
    const change = (
      { firstLine, lastLine }: ConfigNode,
      changed: (line: FileLine, index: number) => FileLine,
    ): void => {
      for (let line = firstLine; line <= lastLine; line += 1)
        lines[line] = changed(lines[line], line);
    };
    for (const node of this.dropped)
      change(node, (line) => ({ ...line, text: line.raw, hashes: [] }));
    for (const { firstLine } of this.parents) lines[firstLine] = inUse(lines[firstLine]);
    for (const node of this.on) {
      const count = this.text.lines[node.firstLine].hashes.length;
      const staying = this.stayingBelow(node);
      change(node, (line, index) =>
        staying.some(({ firstLine, lastLine }) => index >= firstLine && index <= lastLine)
          ? line
          : inUse(line, count),
      );
    }
    const marked = (line: FileLine): FileLine =>
      withHashes(
        line,
        line.text,
        line.hashes.map(() => hash),
      );
    if (hash.sign === '#|') for (const node of this.inactive) change(outermost(node), marked);
    for (const node of this.off)
      if (!this.off.some(({ path }) => isBelow(node.path, path)))
        change(requireOwnLines(node), (line) => ({
          ...line,
          raw: commented(line.raw, hash),
          hashes: [hash, ...line.hashes],
        }));
    return spliced(lines, this.text.starts, this.splices, hash);
  }

  /** Returns the keys below one that is used again that the caller wants commented out. */
  private stayingBelow({ path }: ConfigNode): ConfigNode[] {
    const staying = this.changes.filter(
      (change) => change.status === 'inactive' && isBelow(change.path, path),
    );
    return this.text.all.filter((node) => staying.some((change) => change.path === node.path));
  }
}

/** Returns all keys by path, without those below a commented-out alternative of a key in use. */
function editableNodes({ all }: ConfigText): ReadonlyMap<string, readonly ConfigNode[]> {
  const active = new Set(all.filter(({ status }) => status === 'active').map(({ path }) => path));
  const isAlternative = (node: ConfigNode | null): boolean =>
    node?.status === 'inactive' && (active.has(node.path) || isAlternative(node.parent));
  const nodes = new Map<string, ConfigNode[]>();
  for (const node of all) {
    if (isAlternative(node)) continue;
    const same = nodes.get(node.path);
    if (same === undefined) nodes.set(node.path, [node]);
    else same.push(node);
  }
  return nodes;
}

/** The key in use, else of several that are commented out one with this value, else the shown one. */
function nodeFor(
  nodes: readonly ConfigNode[],
  { path, value }: Change,
  byPath: ConfigText['byPath'],
): ConfigNode | undefined {
  const active = nodes.findLast(({ status }) => status === 'active');
  if (active !== undefined) return active;
  const shown = nodes.find((node) => node === byPath.get(path));
  const byPreference = shown === undefined ? nodes : [shown, ...nodes];
  return (
    byPreference.find((node) => value !== undefined && isSame(node.value(), value)) ??
    byPreference[0]
  );
}

const outermost = (node: ConfigNode): ConfigNode =>
  node.parent?.status === 'inactive' ? outermost(node.parent) : node;

function requireOwnLines(node: ConfigNode): ConfigNode {
  const { path, ownsLines } = node;
  if (isEntry(node))
    throw new ChangeError(path, 'entries of a list cannot be commented out; change the list');
  if (!ownsLines)
    throw new ChangeError(
      path,
      'the key shares its line with others, so it cannot be commented out',
    );
  return node;
}

/** @throws ChangeError if the new text does not read as asked for, or changes other keys */
function verify(
  before: ConfigText,
  after: ConfigText,
  changes: readonly Change[],
  expected: ReadonlyMap<string, Value>,
): void {
  const fail = (path: string, result: string): never => {
    throw new ChangeError(path, `the change cannot be written into this file so that ${result}`);
  };
  for (const { path, status } of changes) {
    const node = after.byPath.get(path);
    if (status !== undefined && node?.status !== status) fail(path, `the key reads as ${status}`);
    const value = expected.get(path);
    if (value !== undefined && (node === undefined || !isSame(node.value(), value)))
      fail(path, 'the value reads as it was sent');
  }
  const isConcerned = (path: string): boolean =>
    changes.some(
      (change) => change.path === path || isBelow(path, change.path) || isBelow(change.path, path),
    );
  const [old, now] = [activeValues(before), activeValues(after)];
  for (const path of new Set([...old.keys(), ...now.keys()]))
    if (!isSame(old.get(path), now.get(path)) && !isConcerned(path))
      fail(path, 'this key stays as it is');
}

const activeValues = ({ byPath }: ConfigText): Map<string, unknown> =>
  new Map(
    [...byPath]
      .filter(([, { status }]) => status === 'active')
      .map(([path, node]) => [path, shownValue(node)]),
  );

/** An alias stays the same if the value of its anchor changes. */
const shownValue = ({ kind, children, node, value }: ConfigNode): unknown =>
  kind === 'alias' ? (node as Alias).source : children.length === 0 ? value() : kind;

function changedPaths(changes: readonly Change[], before: ConfigText, after: ConfigText): string[] {
  const stateOf = ({ byPath }: ConfigText, path: string): unknown => {
    const node = byPath.get(path);
    return node && [node.status, shownValue(node)];
  };
  return [...new Set(changes.map(({ path }) => path))].filter(
    (path) => !isSame(stateOf(before, path), stateOf(after, path)),
  );
}
