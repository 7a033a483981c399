import { metaKey } from './keys';
import type { Kv } from './kv';
import { StoreError } from './semantics/errors';

/** Version of the layout of keys and records. */
const FORMAT = 1;
const KEY = metaKey('format');

/** @throws StoreError written by a newer version */
export function requireFormat(kv: Kv, dir: string): void {
  if (requireKnownFormat(kv, dir) === FORMAT) return;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(FORMAT, 0);
  kv.writeNow((view) => view.put(KEY, bytes));
}

/**
 * Returns the format, `undefined` for a new directory.
 * @throws StoreError written by a newer version
 */
export function requireKnownFormat(kv: Kv, dir: string): number | undefined {
  const found = kv.committed.get(KEY)?.readUInt32BE(0);
  if (found !== undefined && found > FORMAT) {
    throw new StoreError(
      100_001,
      'UnsupportedFormat',
      `data directory ${dir} has format ${found}, this version reads up to ${FORMAT}; install the version that wrote it`,
    );
  }
  return found;
}
