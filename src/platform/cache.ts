import { LRUCache } from 'lru-cache';

const MEBIBYTE = 1024 * 1024;

/**
 * Budgets of the caches: a number of entries, or bytes of memory of which one entry may have a
 * part. What is larger is not cached: it would displace many entries that are used more often.
 */
const BUDGETS = {
  apiTokens: { max: 1_000 },
  cronExpressions: { max: 2_000 },
  /** For each argument pair of readers. */
  dashboards: { max: 100 },
  /** More than the days of the longest timeline. */
  daysOfTimeZone: { max: 1_000 },
  invokerDefinitions: { maxSize: 64 * MEBIBYTE, maxEntrySize: 24 * MEBIBYTE },
  /** Enough for the operation names of thousands of invokers. */
  operationNames: { maxSize: 8 * MEBIBYTE },
  /** A run calls few origins repeatedly. */
  origins: { max: 100 },
  patterns: { max: 200 },
  sessions: { max: 10_000 },
  /** For each invoker. */
  suspendedFields: { max: 10_000 },
  timeZones: { max: 500 },
  workflowDocuments: { maxSize: 48 * MEBIBYTE, maxEntrySize: 6 * MEBIBYTE },
} as const;

type CacheName = keyof typeof BUDGETS;

/** A cache that forgets what was used least recently. */
export const createCache = <V extends NonNullable<unknown>, K extends number | string = string>(
  name: CacheName,
  options: { readonly ttl?: number } = {},
): LRUCache<K, V> => new LRUCache<K, V>({ ...BUDGETS[name], ...options });

/** Returns `compute` with its results cached. Errors are not. */
export function cached<K extends number | string, V extends NonNullable<unknown>>(
  name: CacheName,
  compute: (key: K) => V,
): (key: K) => V {
  const cache = createCache<V, K>(name);
  return (key) => {
    const existing = cache.get(key);
    if (existing !== undefined) return existing;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
}

/** The same for values of objects that do not change: kept as long as the object. */
export function derived<K extends object, V extends object>(
  compute: (source: K) => V,
): (source: K) => V {
  const values = new WeakMap<K, V>();
  return (source) => {
    const existing = values.get(source);
    if (existing !== undefined) return existing;
    const value = compute(source);
    values.set(source, value);
    return value;
  };
}
