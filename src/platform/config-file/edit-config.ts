import type { Alias } from 'yaml';
import { ChangeError, isBelow, isSame } from './changes';
import type { Change } from './changes';
import { commented, inUse, spliced, withHashes } from './config-lines';
import type { FileLine, Hash, Splice } from './config-lines';
import { isEntry } from './config-node';
import type { ConfigNode, ConfigText } from './config-node';
import { readConfigText, sourceOf } from './config-text';
import type { Value } from './parse-yaml';
import { KeyWriter } from './write-keys';
import { setValue } from './write-values';

interface EditedConfig {
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
  requested: readonly Change[],
  isKnown: (path: string) => boolean = () => false,
): EditedConfig {
  const changes = withoutShadowed(requested);
  const plan = planOf(before, changes);
  // A plain `#` is enough if the file is read as intended then.
  for (const sign of ['#', '#|'] as const) {
    const lines = changedLines(before, plan, { column: 0, sign });
    const source = sourceOf({ mark: before.mark, lines });
    if (source === sourceOf(before)) return { text: before, changed: [] };
    const text = readConfigText(source, isKnown);
    if (sign === '#' && !isReadAs(text, lines, plan)) continue;
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

interface Plan {
  /** The values that keys have then. */
  readonly expected: ReadonlyMap<string, Value>;
  readonly splices: readonly Splice[];
  /** Keys that are used again, with everything below them. */
  readonly on: readonly ConfigNode[];
  /** Keys of which only the own line is used again. */
  readonly parents: readonly ConfigNode[];
  readonly off: readonly ConfigNode[];
  /** Keys that stay commented out, but change. */
  readonly inactive: readonly ConfigNode[];
}

function planOf(text: ConfigText, changes: readonly Change[]): Plan {
  const expected = new Map<string, Value>();
  const splices: Splice[] = [];
  const keys = new KeyWriter(text);
  const [on, parents, off, inactive]: ConfigNode[][] = [[], [], [], []];
  const useAbove = (parent: ConfigNode | null): void => {
    for (let node = parent; node?.status === 'inactive'; node = node.parent) parents.push(node);
  };
  for (const change of changes) {
    const { path, value, status } = change;
    const node = nodeFor(text, change);
    if (node === undefined) {
      if (changes.some((other) => isBelow(other.path, path))) continue;
      const parent = keys.add(change);
      if (status !== 'inactive') useAbove(parent);
      else if (parent?.status === 'inactive') inactive.push(parent);
      expected.set(path, value ?? null);
      continue;
    }
    if (value !== undefined) expected.set(path, setValue(node, value, splices));
    if (node.status === 'active') {
      if (status === 'inactive') off.push(requireOwnLines(node));
    } else if (status === 'active') {
      on.push(node);
      useAbove(node.parent);
    } else inactive.push(node);
  }
  on.sort((one, other) => one.firstLine - other.firstLine);
  const outermostOff = off.filter(({ path }) => !off.some((other) => isBelow(path, other.path)));
  splices.push(...keys.splices());
  return { expected, splices, on, parents, off: outermostOff, inactive };
}

/** The key as it is shown, but of several that are commented out one with this value. */
function nodeFor({ all, byPath }: ConfigText, { path, value }: Change): ConfigNode | undefined {
  const shown = byPath.get(path);
  if (shown?.status !== 'inactive' || value === undefined || isSame(shown.value(), value))
    return shown;
  return (
    all.find(
      (node) => node.path === path && node.parent === shown.parent && isSame(node.value(), value),
    ) ?? shown
  );
}

function requireOwnLines(node: ConfigNode): ConfigNode {
  if (isEntry(node))
    throw new ChangeError(node.path, 'entries of a list cannot be commented out; change the list');
  if (!node.ownsLines)
    throw new ChangeError(
      node.path,
      'the key shares its line with others, so it cannot be commented out',
    );
  return node;
}

/** @param hash with which keys are commented out */
function changedLines(text: ConfigText, plan: Plan, hash: Hash): FileLine[] {
  const lines = [...text.lines];
  const change = (node: ConfigNode, changed: (line: number) => FileLine): void => {
    for (let line = node.firstLine; line <= node.lastLine; line += 1) lines[line] = changed(line);
  };
  for (const node of plan.on) {
    const { length } = text.lines[node.firstLine].hashes;
    change(node, (line) => inUse(text.lines[line], length));
  }
  for (const { firstLine } of plan.parents) lines[firstLine] = inUse(text.lines[firstLine]);
  if (hash.sign === '#|')
    for (const node of plan.inactive) {
      let top = node;
      while (top.parent?.status === 'inactive') top = top.parent;
      change(top, (line) => {
        const { text: plain, hashes } = lines[line];
        return withHashes(
          lines[line],
          plain,
          hashes.map(() => hash),
        );
      });
    }
  for (const node of plan.off)
    change(node, (line) => {
      const { raw, hashes } = lines[line];
      return { ...lines[line], raw: commented(raw, hash), hashes: [hash, ...hashes] };
    });
  return spliced(lines, text.starts, plan.splices, hash);
}

/** Whether a file was read so that the same is commented out as was written. */
const isReadAs = (text: ConfigText, lines: readonly FileLine[], { off, splices }: Plan): boolean =>
  (splices.length > 0 ||
    off.every(({ path, firstLine }) => text.byPath.get(path)?.firstLine === firstLine)) &&
  text.lines.length === lines.length &&
  lines.every(
    (line, index) =>
      line.text === text.lines[index].text &&
      line.hashes.length === text.lines[index].hashes.length,
  );

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
  const stateIn = ({ byPath }: ConfigText, path: string): unknown =>
    byPath.get(path)?.status === 'active' ? stateOf(byPath.get(path)) : undefined;
  for (const path of new Set([...before.byPath.keys(), ...after.byPath.keys()]))
    if (!isSame(stateIn(before, path), stateIn(after, path)) && !isConcerned(path))
      fail(path, 'this key stays as it is');
}

/** An alias stays the same if the value of its anchor changes. */
const stateOf = (node: ConfigNode | undefined): unknown =>
  node && [
    node.status,
    node.kind === 'alias'
      ? (node.node as Alias).source
      : node.children.length === 0
        ? node.value()
        : node.kind,
  ];

const changedPaths = (
  changes: readonly Change[],
  before: ConfigText,
  after: ConfigText,
): string[] =>
  [...new Set(changes.map(({ path }) => path))].filter(
    (path) => !isSame(stateOf(before.byPath.get(path)), stateOf(after.byPath.get(path))),
  );
