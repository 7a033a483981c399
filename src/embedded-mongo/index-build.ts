import { chunks } from './chunks';
import { decodeDocument } from './documents';
import { addEntries, duplicateKey, entryKey } from './index-entries';
import { keysOf } from './index-keys';
import type { Index } from './index-keys';
import { PREFIX_LENGTH, wholeCollection } from './keys';
import { Slice } from './slice';
import type { WriteView } from './views';

/**
 * Adds the entries of as many documents as the time of one writer allows, from the document key `from` on (`undefined`: the first).
 * Documents that change meanwhile are brought up to date by their writers; adding an entry a second time changes nothing.
 * @returns where to go on, `undefined` at the end
 * @throws StoreError 11000 when two documents have the same key in a unique index
 */
export function buildSome(
  view: WriteView,
  collection: { readonly id: number; readonly namespace: string },
  indexes: readonly Index[],
  from: Buffer | undefined,
): Buffer | undefined {
  const slice = new Slice();
  const whole = wholeCollection(collection.id);
  for (const entries of chunks(() => view, { ...whole, start: from ?? whole.start })) {
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
