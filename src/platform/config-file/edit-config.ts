import { ChangeError, isBelow, isSame } from './changes';
import type { Change } from './changes';
import { ConfigText } from './config-text';
import type { Value } from './config-text';
import type { CommentMemory } from './comment-memory';
import { activate, blocksToActivate } from './activate';
import { deactivate } from './deactivate';
import { treeOf } from './nodes';
import type { ConfigNode, ConfigTree } from './nodes';
import { applySplices } from './splice';
import { setValues } from './set-values';

/** Nesting of keys that are commented out within keys that are commented out. */
const MAX_DEPTH = 20;

export interface EditedConfig {
  readonly text: ConfigText;
  readonly tree: ConfigTree;
  /** Paths of the keys that differ from before. */
  readonly changed: readonly string[];
}

/** What editing needs besides the text. */
export interface EditOptions {
  readonly isKnown: (path: string) => boolean;
  readonly memory: CommentMemory;
}

/**
 * Applies changes to a configuration file. Only the parts that have to change do; the result is read
 * again and compared with what was asked for.
 * @throws ChangeError if a change cannot be made; then none is
 */
export function editConfig(
  before: { readonly text: ConfigText; readonly tree: ConfigTree },
  given: readonly Change[],
  options: EditOptions,
): EditedConfig {
  const changes = withoutShadowed(given);
  const expected = new Map<string, Value>();
  let { text } = before;
  const rebuild = (source: string): ConfigText => new ConfigText(source, options.isKnown);
  const toDeactivate = new Set(
    changes.filter(({ status }) => status === 'inactive').map(({ path }) => path),
  );

  const wanted = changes.filter(({ status }) => status === 'active');
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const blocks = blocksToActivate(text, wanted);
    if (blocks.size === 0) break;
    const { splices, leftovers } = activate(text, blocks, options.memory);
    for (const path of leftovers) toDeactivate.add(path);
    text = rebuild(applySplices(text, splices));
  }
  const splices = setValues(text, changes, expected);
  if (splices.length > 0) text = rebuild(applySplices(text, splices));
  const off = deactivate(text, [...toDeactivate], options.memory);
  if (off.splices.length > 0) text = rebuild(applySplices(text, off.splices));

  if (text === before.text) return { text, tree: before.tree, changed: [] };
  const tree = treeOf(text);
  verify(before.tree, tree, changes, expected);
  off.verify(text);
  return { text, tree, changed: changedPaths(changes, before.tree, tree) };
}

/** What is said of keys below one that becomes inactive does not matter. */
function withoutShadowed(changes: readonly Change[]): Change[] {
  const off = changes.filter(({ status }) => status === 'inactive').map(({ path }) => path);
  const isShadowed = ({ path, status }: Change): boolean =>
    status === 'active' && off.some((parent) => isBelow(path, parent));
  return changes.map((change) => (isShadowed(change) ? { ...change, status: undefined } : change));
}

/** @throws ChangeError if the new text does not read as asked for, or changes other keys */
function verify(
  before: ConfigTree,
  after: ConfigTree,
  changes: readonly Change[],
  expected: ReadonlyMap<string, Value>,
): void {
  const fail = (path: string, what: string): never => {
    throw new ChangeError(path, `the change cannot be written into this file so that ${what}`);
  };
  for (const { path, status } of changes) {
    const node = after.byPath.get(path);
    if (status !== undefined && node?.status !== status) fail(path, `the key reads as ${status}`);
    const value = expected.get(path);
    if (value !== undefined && node !== undefined && !isSame(node.value(), value))
      fail(path, 'the value reads as it was sent');
  }
  const paths = new Set(changes.map(({ path }) => path));
  const isConcerned = (path: string): boolean =>
    paths.has(path) ||
    changes.some((change) => isBelow(path, change.path) || isBelow(change.path, path));
  for (const [path, { status }] of before.byPath)
    if (after.byPath.get(path)?.status !== status && !isConcerned(path))
      fail(path, 'this key stays as it is');
}

const valueOf = (node: ConfigNode | undefined): unknown =>
  node === undefined ? undefined : [node.status, node.children.length === 0 ? node.value() : null];

function changedPaths(changes: readonly Change[], before: ConfigTree, after: ConfigTree): string[] {
  return [...new Set(changes.map(({ path }) => path))].filter(
    (path) => !isSame(valueOf(before.byPath.get(path)), valueOf(after.byPath.get(path))),
  );
}
