import { isBelow, isSame } from './changes';
import type { Change } from './changes';
import type { CommentMemory } from './comment-memory';
import type { ConfigText } from './config-text';
import { joinPath } from './entry';
import type { Entry, InactiveBlock } from './entry';
import type { Splice } from './splice';

/** Returns the entry of a path in the keys of a block. */
export function findInside(
  text: ConfigText,
  block: InactiveBlock,
  path: string,
): Entry | undefined {
  const prefix = block.parent?.path ?? '';
  const search = (entries: readonly Entry[]): Entry | undefined => {
    for (const entry of entries) {
      const own = joinPath(prefix, entry.path);
      if (own === path) return entry;
      if (isBelow(path, own)) {
        const found = search(entry.children);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return search(text.inside(block).roots);
}

/** Of several inactive keys with this path, the one with this value, else the first. */
export function findBlock(text: ConfigText, { path, value }: Change): InactiveBlock | undefined {
  const blocks = text.inactive.filter((block) => block.path === path || isBelow(path, block.path));
  const withValue = blocks.find((block) => {
    const entry = findInside(text, block, path);
    return (
      entry !== undefined && value !== undefined && isSame(text.inside(block).valueOf(entry), value)
    );
  });
  return (
    withValue ?? blocks.find((block) => findInside(text, block, path) !== undefined) ?? blocks[0]
  );
}

/** Returns the blocks that contain keys which become active, with the paths of these. */
export function blocksToActivate(
  text: ConfigText,
  wanted: readonly Change[],
): Map<InactiveBlock, string[]> {
  const found = new Map<InactiveBlock, string[]>();
  if (wanted.length === 0 || text.inactive.length === 0) return found;
  const isActive = (path: string): boolean => text.entries.has(path);
  for (const change of wanted) {
    if (isActive(change.path)) continue;
    const block = findBlock(text, change);
    // A commented-out alternative of a key in use stays as it is.
    if (block === undefined || isActive(block.path)) continue;
    found.set(block, [...(found.get(block) ?? []), change.path]);
  }
  return found;
}

/** Removes the `#` of blocks. `leftovers`: paths within them that the caller did not name. */
export function activate(
  text: ConfigText,
  blocks: ReadonlyMap<InactiveBlock, readonly string[]>,
  memory: CommentMemory,
): { splices: Splice[]; leftovers: string[] } {
  const leftovers: string[] = [];
  const splices = [...blocks].map(([block, wanted]): Splice => {
    const start = text.lines[block.firstLine].start;
    const end = text.lines[block.lastLine].next;
    memory.remember(block.path, block.text, text.source.slice(start, end));
    const prefix = block.parent?.path ?? '';
    const leave = (entry: Entry): void => {
      const path = joinPath(prefix, entry.path);
      if (wanted.includes(path)) return;
      if (wanted.some((each) => isBelow(each, path))) entry.children.forEach(leave);
      else leftovers.push(path);
    };
    text.inside(block).roots.forEach(leave);
    return { kind: 'text', start, end, text: block.text };
  });
  return { splices, leftovers };
}
