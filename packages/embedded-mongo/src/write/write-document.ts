import { ObjectId } from 'bson';
import type { Collection } from '../catalog/collection';
import {
  addEntries,
  duplicateKey,
  entryKey,
  haveSameKeys,
  indexedPart,
  keysOf,
  removeEntries,
} from '../catalog/index-entries';
import type { Index, IndexKeys } from '../catalog/index-entries';
import type { Match } from '../query/scan';
import { encodeDocument, idKeyOf } from '../storage/documents';
import { documentKey } from '../storage/keys';
import type { WriteView } from '../storage/views';
import { withField } from '../values/values';
import type { Doc } from '../values/values';

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
  view.lock(key);
  if (view.get(key) !== undefined)
    throw duplicateKey(collection, { name: '_id_', key: [['_id', 1]] }, complete);
  const changes = collection.maintained.map((index) =>
    entryChanges(view, collection, index, complete, idKey),
  );
  view.put(key, bytes);
  for (const { index, added } of changes) addEntries(view, index, added, idKey);
}

/**
 * Replaces a document; returns false if nothing changed.
 * @throws StoreError as {@link insertDocument}
 */
export function replaceDocument(
  view: WriteView,
  collection: Collection,
  match: Match,
  after: Doc,
): boolean {
  const bytes = encodeDocument(after);
  if (bytes.equals(match.bytes)) return false;
  const key = documentKey(collection.id, match.idKey);
  view.lock(key);
  const affected = collection.maintained.filter((index) => !haveSameKeys(index, match.doc, after));
  const changes = affected.map((index) =>
    entryChanges(view, collection, index, after, match.idKey, match.doc),
  );
  view.put(key, bytes);
  for (const { index, added, removed } of changes) {
    removeEntries(view, index, removed, match.idKey);
    addEntries(view, index, added, match.idKey);
  }
  return true;
}

/** @throws StoreError 112 before anything is written, if a transaction holds the document */
export function deleteDocument(view: WriteView, collection: Collection, match: Match): void {
  const key = documentKey(collection.id, match.idKey);
  view.lock(key);
  const doc = indexedPart(collection.maintained, match.bytes);
  const removed = collection.maintained.map((index) => ({
    index,
    keys: keysOf(index, doc).keys,
  }));
  for (const { index, keys } of removed) lockUnique(view, index, keys);
  for (const { index, keys } of removed) removeEntries(view, index, keys, match.idKey);
  view.remove(key);
}

interface EntryChanges {
  readonly index: Index;
  readonly added: IndexKeys;
  readonly removed: readonly Buffer[];
}

/** Determines the changes in one index and checks uniqueness. */
function entryChanges(
  view: WriteView,
  collection: Collection,
  index: Index,
  doc: Doc,
  idKey: Buffer,
  before?: Doc,
): EntryChanges {
  const next = keysOf(index, doc);
  const old = before === undefined ? [] : keysOf(index, before).keys;
  const added = { ...next, keys: without(next.keys, old) };
  const removed = without(old, next.keys);
  lockUnique(view, index, added.keys);
  lockUnique(view, index, removed);
  if (index.unique) {
    for (const key of added.keys)
      if (view.get(entryKey(index, key, idKey)) !== undefined)
        throw duplicateKey(collection, index, doc);
  }
  return { index, added, removed };
}

function without(keys: readonly Buffer[], others: readonly Buffer[]): readonly Buffer[] {
  if (keys.length === 0 || others.length === 0) return keys;
  const names = new Set(others.map(nameOf));
  return keys.filter((key) => !names.has(nameOf(key)));
}

/** Entries of non-unique indexes contain the `_id`, so the lock of the document covers them. */
function lockUnique(view: WriteView, index: Index, keys: readonly Buffer[]): void {
  if (index.unique) for (const key of keys) view.lock(key);
}

const nameOf = (key: Buffer): string => key.toString('latin1');
