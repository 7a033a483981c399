/** One key and its value. */
export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * Keys from `start` (inclusive) to `end` (exclusive); `reverse` yields them in descending order.
 */
export interface Range {
  readonly start: Buffer;
  readonly end: Buffer;
  readonly reverse?: boolean;
}

/** Read access to a committed state, write transaction, snapshot or transaction. */
export interface ReadView {
  get(key: Buffer): Buffer | undefined;
  range(range: Range): Iterable<Entry>;
  /** Counts the keys in a range, at most `limit`. */
  count(range: Range, limit?: number): number;
}

export interface WriteView extends ReadView {
  /**
   * Announces a write of a key before related writes, to detect conflicts.
   * @throws StoreError 112
   */
  lock(key: Buffer): void;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
}

/**
 * An immutable state until released. Its pages cannot be reused, so its lifetime must be limited.
 */
export interface Snapshot extends ReadView {
  release(): void;
}

const FIRST_CHUNK = 16;
const CHUNK = 256;

/**
 * Reads a range in chunks. No resources are held between chunks: the view may change, and reading
 * continues after the last key.
 */
export function* readInChunks(view: () => ReadView, range: Range): Generator<Entry[]> {
  let rest = range;
  for (let size = FIRST_CHUNK; ; size = CHUNK) {
    const entries: Entry[] = [];
    for (const entry of view().range(rest)) {
      entries.push(entry);
      if (entries.length === size) break;
    }
    if (entries.length > 0) yield entries;
    if (entries.length < size) return;
    rest = after(rest, entries[entries.length - 1].key);
  }
}

function after(range: Range, key: Buffer): Range {
  return range.reverse
    ? { ...range, end: key }
    : { ...range, start: Buffer.concat([key, Buffer.from([0])]) };
}
