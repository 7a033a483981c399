import type { Collection } from './catalog';
import { chunks } from './chunks';
import { countOf } from './counts';
import { indexPrefix, afterPrefix, wholeCollection } from './keys';
import type { Pace } from './pace';
import type { Range, ReadView } from './views';

/** Sizes of a collection in bytes of keys and values. */
export interface Sizes {
  readonly count: number;
  readonly documents: number;
  readonly indexes: ReadonlyMap<string, number>;
}

/** Reads everything once, in time slices. */
export async function sizesOf(
  view: () => ReadView,
  collection: Collection,
  pace: Pace,
): Promise<Sizes> {
  const indexes = new Map<string, number>();
  const documents = await bytesIn(view, wholeCollection(collection.id), pace);
  // Documents are stored in the order of _id.
  indexes.set('_id_', 0);
  for (const { id, name } of collection.indexes)
    indexes.set(name, await bytesIn(view, indexRange(id), pace));
  return { count: countOf(view(), collection.id), documents, indexes };
}

export function indexRange(id: number): Range {
  const start = indexPrefix(id);
  return { start, end: afterPrefix(start) };
}

async function bytesIn(view: () => ReadView, range: Range, pace: Pace): Promise<number> {
  let bytes = 0;
  for (const entries of chunks(view, range)) {
    for (const { key, value } of entries) bytes += key.length + value.length;
    await pace.pause();
  }
  return bytes;
}
