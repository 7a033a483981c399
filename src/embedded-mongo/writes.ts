import { ObjectId } from 'bson';
import { withField } from './semantics/values';
import type { Doc } from './semantics/values';
import type { Collection } from './catalog';
import { encodeDocument, idKeyOf } from './documents';
import { addEntries, duplicateKey, entryKey, removeEntries } from './index-entries';
import { haveSameKeys, keysOf } from './index-keys';
import type { Index, IndexKeys } from './index-keys';
import { documentKey } from './keys';
import type { Found } from './scan';
import type { WriteView } from './views';

/**
 * Inserts a document with its index entries.
 * @throws StoreError before anything is written: 11000 duplicate, 112 held by a transaction, others
 *   for invalid documents
 */
export function insertDocument(view: WriteView, collection: Collection, doc: Doc): void {
  const id = doc._id === undefined ? new ObjectId() : doc._id;
  const complete = doc._id === undefined ? withField(doc, '_id', id) : doc;
  const idKey = idKeyOf(id);
  const bytes = encodeDocument(complete);
  const key = documentKey(collection.id, idKey);
  view.claim(key);
  if (view.get(key) !== undefined)
    throw duplicateKey(collection, { name: '_id_', key: [['_id', 1]] }, complete);
  const planned = collection.maintained.map((index) =>
    planEntries(view, collection, index, complete, idKey),
  );
  view.put(key, bytes);
  for (const { index, added } of planned) addEntries(view, index, added, idKey);
}

/**
 * Replaces a document; returns false if nothing changed.
 * @throws StoreError as {@link insertDocument}
 */
export function replaceDocument(
  view: WriteView,
  collection: Collection,
  found: Found,
  after: Doc,
): boolean {
  const bytes = encodeDocument(after);
  if (bytes.equals(found.bytes)) return false;
  const key = documentKey(collection.id, found.idKey);
  view.claim(key);
  const touched = collection.maintained.filter((index) => !haveSameKeys(index, found.doc, after));
  const planned = touched.map((index) =>
    planEntries(view, collection, index, after, found.idKey, found.doc),
  );
  view.put(key, bytes);
  for (const { index, added, removed } of planned) {
    removeEntries(view, index, removed, found.idKey);
    addEntries(view, index, added, found.idKey);
  }
  return true;
}

/** @throws StoreError 112 before anything is written, if a transaction holds the document */
export function deleteDocument(view: WriteView, collection: Collection, found: Found): void {
  const key = documentKey(collection.id, found.idKey);
  view.claim(key);
  const removed = collection.maintained.map((index) => ({
    index,
    keys: keysOf(index, found.doc).keys,
  }));
  for (const { index, keys } of removed) claimUnique(view, index, keys);
  for (const { index, keys } of removed) removeEntries(view, index, keys, found.idKey);
  view.remove(key);
}

interface PlannedEntries {
  readonly index: Index;
  readonly added: IndexKeys;
  readonly removed: readonly Buffer[];
}

/** Determines the changes in one index and checks uniqueness. */
function planEntries(
  view: WriteView,
  collection: Collection,
  index: Index,
  doc: Doc,
  idKey: Buffer,
  before?: Doc,
): PlannedEntries {
  const next = keysOf(index, doc);
  const old = before === undefined ? [] : keysOf(index, before).keys;
  const added = { ...next, keys: without(next.keys, old) };
  const removed = without(old, next.keys);
  claimUnique(view, index, added.keys);
  claimUnique(view, index, removed);
  if (index.unique) {
    for (const key of added.keys)
      if (view.get(entryKey(index, key, idKey)) !== undefined)
        throw duplicateKey(collection, index, doc);
  }
  return { index, added, removed };
}

function without(keys: readonly Buffer[], others: readonly Buffer[]): readonly Buffer[] {
  if (keys.length === 0 || others.length === 0) return keys;
  const known = new Set(others.map(text));
  return keys.filter((key) => !known.has(text(key)));
}

/** Entries of non-unique indexes contain the `_id`, so the claim of the document covers them. */
function claimUnique(view: WriteView, index: Index, keys: readonly Buffer[]): void {
  if (index.unique) for (const key of keys) view.claim(key);
}

const text = (key: Buffer): string => key.toString('latin1');
