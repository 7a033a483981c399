import { LRUCache } from 'lru-cache';

/** Approximate memory of all remembered results, bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Larger results are not remembered: one would displace many that are read more often. */
const MAX_RESULT_BYTES = 2 * 1024 * 1024;
/** Approximate bytes of an object, and of each of its values. */
const OBJECT_BYTES = 64;
const VALUE_BYTES = 16;

/** Returns a number that differs after each commit to a collection. */
export type ChangeCount = (collection: string) => number;

interface Remembered {
  readonly count: number;
  readonly result: unknown;
}

/**
 * Remembers results of reads outside of transactions, until a commit changes the collection.
 * Only for a store that tells of commits by any client before they are acknowledged (the embedded
 * one). Results are frozen, since many readers share them.
 */
export class RecordMemory {
  private readonly results = new LRUCache<string, Remembered>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_RESULT_BYTES,
  });

  constructor(private readonly changeCount: ChangeCount) {}

  /** Returns what `read` returned for this operation before, if the collection did not change since. */
  async read<T>(
    collection: string,
    operation: readonly unknown[],
    read: () => Promise<T>,
  ): Promise<T> {
    const operationKey = keyOf(operation);
    if (operationKey === null) return read();
    const key = `${collection} ${operationKey}`;
    const count = this.changeCount(collection);
    const cached = this.results.get(key);
    if (cached?.count === count) return cached.result as T;
    const result = await read();
    // A commit during the read may or may not be in the result.
    if (this.changeCount(collection) === count) {
      const size = freeze(result);
      this.results.set(key, { count, result }, { size: size + 2 * key.length });
    }
    return result;
  }
}

/** Returns a text that is different for different values; null for a class that it does not know. */
function keyOf(value: unknown): string | null {
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (Array.isArray(value)) {
    const entries = value.map(keyOf);
    return entries.includes(null) ? null : `[${entries.join(',')}]`;
  }
  if (typeof value !== 'object') return null;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return null;
  let text = '{';
  for (const [name, entry] of Object.entries(value)) {
    const key = keyOf(entry);
    if (key === null) return null;
    text += `${JSON.stringify(name)}:${key},`;
  }
  return `${text}}`;
}

/** Freezes a result with all that it contains. Returns its approximate size, bytes. */
function freeze(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length + VALUE_BYTES;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  // Views of memory cannot be frozen.
  if (ArrayBuffer.isView(value)) return value.byteLength + OBJECT_BYTES;
  Object.freeze(value);
  let size = OBJECT_BYTES;
  for (const entry of Object.values(value)) size += freeze(entry);
  return size;
}
