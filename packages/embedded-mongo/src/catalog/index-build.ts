import { PREFIX_LENGTH, documentRange } from '../storage/keys';
import { readInChunks } from '../storage/views';
import type { WriteView } from '../storage/views';
import { TimeSlice } from '../time-slices';
import { decodeDocument } from '../values/bson-elements';
import { addEntries, duplicateKey, entryKey, keysOf } from './index-entries';
import type { Index } from './index-entries';

/**
 * Adds index entries for as many documents as fit into a time slice, starting at document key
 * `from` (`undefined`: the first). Concurrent writers update their documents; adding an entry twice
 * is harmless.
 * @returns the key to continue at, `undefined` at the end
 * @throws StoreError 11000 duplicate key in a unique index
 */
export function indexNextDocuments(
  view: WriteView,
  collection: { readonly id: number; readonly namespace: string },
  indexes: readonly Index[],
  from: Buffer | undefined,
): Buffer | undefined {
  const slice = new TimeSlice();
  const range = documentRange(collection.id);
  for (const entries of readInChunks(() => view, { ...range, start: from ?? range.start })) {
    for (const { key, value } of entries) {
      if (slice.isOver() && key !== from) return key;
      addDocument(view, collection, indexes, key.subarray(PREFIX_LENGTH), value);
    }
  }
  return undefined;
}

function addDocument(
  view: WriteView,
  collection: { readonly namespace: string },
  indexes: readonly Index[],
  idKey: Buffer,
  bytes: Buffer,
): void {
  const doc = decodeDocument(bytes);
  for (const index of indexes) {
    const entries = keysOf(index, doc);
    if (index.unique) {
      for (const key of entries.keys) {
        const other = view.get(entryKey(index, key, idKey));
        if (other !== undefined && !other.equals(idKey)) throw duplicateKey(collection, index, doc);
      }
    }
    addEntries(view, index, entries, idKey);
  }
}
