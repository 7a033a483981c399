import { ObjectId } from 'bson';
import { compileUpdate, upsertSeed } from './semantics/update';
import type { Doc } from './semantics/values';
import type { Collection } from './catalog';
import { encodeDocument, idKeyOf } from './documents';
import { runNow, runQuery } from './exec';
import { addEntries, duplicateKey, entryKey, removeEntries } from './index-entries';
import { keysOf } from './index-keys';
import type { Index, IndexKeys } from './index-keys';
import { documentKey } from './keys';
import type { Found } from './scan';
import type { WriteView } from './views';

/** One statement of an update command. */
export interface UpdateStatement {
  readonly filter: Doc;
  readonly update: Doc | Doc[];
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly sort?: Doc;
  readonly requireTime?: () => void;
}

/** One statement of a delete command; `limit` 0 deletes every match. */
export interface DeleteStatement {
  readonly filter: Doc;
  readonly limit: number;
  readonly sort?: Doc;
  /** Throws when the time of the command is up. */
  readonly requireTime?: () => void;
}

export interface Updated {
  readonly matched: number;
  readonly modified: number;
  readonly upserted?: { readonly _id: unknown; readonly document: Doc };
  /** The last document touched, before and after; for findAndModify. */
  readonly before?: Doc;
  readonly after?: Doc;
}

/**
 * Stores a new document with its index entries.
 * @throws StoreError before anything is written: 11000 for a duplicate, others for what the store does not take.
 */
export function insertDocument(view: WriteView, collection: Collection, doc: Doc): void {
  const id = doc._id === undefined ? new ObjectId() : doc._id;
  const complete = { ...doc, _id: id };
  const idKey = idKeyOf(id);
  const bytes = encodeDocument(complete);
  const key = documentKey(collection.id, idKey);
  if (view.get(key) !== undefined) throw duplicateKey(collection, { name: '_id_', key: [['_id', 1]] }, complete);
  const planned = collection.indexes.map((index) => planEntries(view, collection, index, complete, idKey));
  view.put(key, bytes);
  for (const { index, added } of planned) addEntries(view, index, added, idKey);
}

/** Puts `after` in the place of a document; false when nothing changed. */
export function replaceDocument(view: WriteView, collection: Collection, found: Found, after: Doc): boolean {
  const bytes = encodeDocument(after);
  if (bytes.equals(found.bytes)) return false;
  const planned = collection.indexes.map((index) => planEntries(view, collection, index, after, found.idKey, found.doc));
  view.put(documentKey(collection.id, found.idKey), bytes);
  for (const { index, added, removed } of planned) {
    removeEntries(view, index, removed, found.idKey);
    addEntries(view, index, added, found.idKey);
  }
  return true;
}

export function deleteDocument(view: WriteView, collection: Collection, found: Found): void {
  for (const index of collection.indexes) removeEntries(view, index, keysOf(index, found.doc).keys, found.idKey);
  view.remove(documentKey(collection.id, found.idKey));
}

/** Runs an update statement. A document that fails ends it; those before it stay updated, as in MongoDB. */
export function updateDocuments(view: WriteView, collection: Collection, statement: UpdateStatement): Updated {
  const update = compileUpdate(statement.update);
  const found = findNow(view, collection, { ...statement, limit: statement.multi ? 0 : 1 });
  let modified = 0;
  let after: Doc | undefined;
  for (const one of found) {
    after = update.apply(one.doc, { inserting: false });
    if (replaceDocument(view, collection, one, after)) modified++;
  }
  if (found.length > 0) return { matched: found.length, modified, before: found[found.length - 1].doc, after };
  if (!statement.upsert) return { matched: 0, modified: 0 };
  const document = upsertedDocument(update.apply(upsertSeed(statement.filter), { inserting: true }));
  insertDocument(view, collection, document);
  return { matched: 0, modified: 0, upserted: { _id: document._id, document }, after: document };
}

/** Runs a delete statement; what it deleted. */
export function deleteDocuments(view: WriteView, collection: Collection, statement: DeleteStatement): Found[] {
  const found = findNow(view, collection, statement);
  for (const one of found) deleteDocument(view, collection, one);
  return found;
}

/** Found before the first is changed, so that a change cannot bring a document before the reader again. */
function findNow(view: WriteView, collection: Collection, { filter, sort, limit, requireTime }: DeleteStatement): Found[] {
  return runNow(runQuery(() => view, collection, { filter, sort, skip: 0, limit }), { requireTime });
}

function upsertedDocument(document: Doc): Doc {
  if (document._id !== undefined) return document;
  return { _id: new ObjectId(), ...document };
}

interface PlannedEntries {
  readonly index: Index;
  readonly added: IndexKeys;
  readonly removed: readonly Buffer[];
}

/** What changes in one index, checked against its uniqueness. */
function planEntries(view: WriteView, collection: Collection, index: Index, doc: Doc, idKey: Buffer, before?: Doc): PlannedEntries {
  const next = keysOf(index, doc);
  const old = before === undefined ? [] : keysOf(index, before).keys;
  const kept = new Set(old.map(text));
  const wanted = new Set(next.keys.map(text));
  const added = { ...next, keys: next.keys.filter((key) => !kept.has(text(key))) };
  if (index.unique) {
    for (const key of added.keys) if (view.get(entryKey(index, key, idKey)) !== undefined) throw duplicateKey(collection, index, doc);
  }
  return { index, added, removed: old.filter((key) => !wanted.has(text(key))) };
}

const text = (key: Buffer): string => key.toString('latin1');

