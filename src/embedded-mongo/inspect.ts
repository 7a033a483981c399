import { BSON } from 'bson';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fieldReader } from './bytes';
import { countOf } from './counts';
import { requireDataFile } from './data-file';
import { requireKnownFormat } from './format';
import { afterPrefix, documentPrefix, metaKey } from './keys';
import { Kv } from './kv';
import { ownerSeen } from './owner';
import type { OwnerSeen } from './owner';
import type { Doc } from './semantics/values';

/** A collection as stored. */
export interface CollectionSeen {
  readonly name: string;
  readonly documents: number;
  /** Keys of its completed indexes. */
  readonly indexes: readonly Readonly<Record<string, unknown>>[];
}

/** Read access to a data directory. */
export interface Look {
  readonly format: number | undefined;
  readonly owner: OwnerSeen | undefined;
  readonly usedBytes: number;
  readonly fileBytes: number;
  /** Processes with an open read transaction, whose pages cannot be reused. */
  readonly readers: readonly number[];
  readonly collections: readonly CollectionSeen[];
  /** Yields some fields of all documents of a collection. */
  documents(collection: string, fields: readonly string[]): Iterable<Doc>;
}

/**
 * Reads a data directory that another process may be using; does not write.
 * @throws StoreError damaged, or written by a newer version
 */
export async function lookInto<T>(dir: string, look: (found: Look) => T): Promise<T> {
  requireDataFile(dir);
  const lock = join(dir, 'lock.mdb');
  const hadLock = existsSync(lock);
  const kv = new Kv({ dir, durability: 'full', readOnly: true });
  try {
    const format = requireKnownFormat(kv, dir);
    const start = metaKey('c/');
    const collections = [...kv.committed.range({ start, end: afterPrefix(start) })].map(
      ({ key, value }) => {
        const stored = BSON.deserialize(value) as unknown as {
          id: number;
          indexes: { key: Record<string, unknown>; building?: boolean }[];
        };
        const namespace = key.subarray(start.length).toString('utf8');
        return {
          id: stored.id,
          name: namespace.slice(namespace.indexOf('.') + 1),
          documents: countOf(kv.committed, stored.id),
          indexes: stored.indexes
            .filter(({ building }) => building !== true)
            .map((index) => index.key),
        };
      },
    );
    return look({
      format,
      owner: ownerSeen(kv.committed, dir),
      ...kv.facts(),
      collections,
      *documents(name, fields) {
        const collection = collections.find((candidate) => candidate.name === name);
        if (collection === undefined) return;
        const prefix = documentPrefix(collection.id);
        const read = fieldReader(fields);
        for (const { value } of kv.committed.range({ start: prefix, end: afterPrefix(prefix) }))
          yield read(value);
      },
    });
  } finally {
    await kv.close();
    // As another user, do not leave a lock file that the service could not open.
    if (!hadLock) rmSync(lock, { force: true });
  }
}
