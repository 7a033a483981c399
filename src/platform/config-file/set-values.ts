import { findBlock, findInside } from './activate';
import { ChangeError, isBelow, keysOf } from './changes';
import type { Change } from './changes';
import type { ConfigText, Value } from './config-text';
import { joinPath } from './entry';
import type { Entry, InactiveBlock } from './entry';
import { spliceBlock } from './splice';
import type { Splice } from './splice';
import { insertKeys } from './write-keys';
import type { NewKeys } from './write-keys';
import { ValueWriter } from './write-values';

/**
 * Returns the replacements that set values and add keys, also within keys that are commented out.
 * @param expected gets the value that each path has then
 */
export function setValues(
  text: ConfigText,
  changes: readonly Change[],
  expected: Map<string, Value>,
  prefix = '',
): Splice[] {
  const { entries } = text;
  const writer = new ValueWriter(text);
  const inserted = new Map<Entry | null, Map<string, NewKeys>>();
  const inside = new Map<InactiveBlock, Change[]>();
  const complete = (path: string): string => joinPath(prefix, path);
  for (const change of changes) {
    const entry = entries.get(change.path);
    const block = entry === undefined ? findBlock(text, change) : undefined;
    if (entry !== undefined) {
      if (change.value !== undefined)
        expected.set(complete(change.path), writer.set(entry, change.value));
    } else if (block !== undefined && isInside(text, block, change, entries)) {
      inside.set(block, [...(inside.get(block) ?? []), change]);
    } else if (!changes.some(({ path }) => isBelow(path, change.path))) {
      if (change.value === undefined)
        throw new ChangeError(complete(change.path), 'there is no such key, and no value was sent');
      addNew(inserted, entries, change);
      expected.set(complete(change.path), change.value);
    }
  }
  const splices = [...writer.splices];
  for (const [parent, keys] of inserted) splices.push(insertKeys(text, parent, keys));
  for (const [block, own] of inside) {
    const parent = block.parent?.path ?? '';
    const within = own.map((change) => ({
      ...change,
      path: parent === '' ? change.path : change.path.slice(parent.length + 1),
    }));
    const set = setValues(text.inside(block), within, expected, complete(parent));
    splices.push(...spliceBlock(text, block, set));
  }
  return splices;
}

/** Whether the change is about a key in the block, or a new one that stays commented out. */
function isInside(
  text: ConfigText,
  block: InactiveBlock,
  change: Change,
  entries: ReadonlyMap<string, Entry>,
): boolean {
  if (entries.has(block.path)) return false;
  return findInside(text, block, change.path) !== undefined || isBelow(change.path, block.path);
}

/** Notes a new key below the closest one that exists. */
function addNew(
  inserted: Map<Entry | null, Map<string, NewKeys>>,
  entries: ReadonlyMap<string, Entry>,
  { path, key, value }: Change,
): void {
  if (value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value))
    throw new ChangeError(
      path,
      'its value must be a text, a number, true, false, null, or a list of these',
    );
  let parent: Entry | null = null;
  for (const entry of entries.values())
    if (isBelow(path, entry.path) && entry.path.length > (parent?.path.length ?? 0)) parent = entry;
  const rest = parent === null ? path : path.slice(parent.path.length).replace(/^\./, '');
  const keys = keysOf(rest, key !== undefined && rest.endsWith(key) ? key : undefined);
  if (
    keys.length === 0 ||
    keys.some((each) => each.trim() !== each || /[\p{Cc}#]/u.test(each) || each.length > 200)
  )
    throw new ChangeError(path, 'this is not the path of a key');
  let below = inserted.get(parent) ?? new Map<string, NewKeys>();
  inserted.set(parent, below);
  for (const [index, name] of keys.entries()) {
    const known = below.get(name) ?? { value: undefined, below: new Map<string, NewKeys>() };
    if (index === keys.length - 1) known.value = value;
    below.set(name, known);
    below = known.below;
  }
}
