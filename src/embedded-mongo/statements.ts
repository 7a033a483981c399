import { ObjectId } from 'bson';
import { Blocked } from './claims';
import type { Claimant } from './claims';
import type { Collection } from './catalog';
import { runQuery } from './exec';
import type { Query } from './exec';
import { foundBy } from './scan';
import type { Found } from './scan';
import { StoreError } from './semantics/errors';
import { compileFilter } from './semantics/match';
import type { Filter } from './semantics/match';
import { compileUpdate, upsertSeed } from './semantics/update';
import type { Doc } from './semantics/values';
import type { Slice } from './slice';
import type { WriteView } from './views';
import { deleteDocument, insertDocument, replaceDocument } from './writes';

/** What a statement has done. */
export interface Done {
  readonly matched: number;
  readonly modified: number;
  readonly upserted?: { readonly _id: unknown };
  /** The last document touched, before and after; for findAndModify. */
  readonly before?: Doc;
  readonly after?: Doc;
}

export const NOTHING_DONE: Done = { matched: 0, modified: 0 };

/** One statement of a command that writes, or findAndModify: the documents it is about, and what it does to each. */
export interface Statement {
  /** `limit` 0 is every match. */
  readonly query: Query;
  readonly filter: Filter;
  /** Everything that can fail comes before the first write. */
  change(view: WriteView, collection: Collection, found: Found): Done;
  /** When nothing was found. */
  otherwise(view: WriteView, collection: Collection): Done;
}

export interface UpdateRequest {
  readonly filter: Doc;
  readonly update: Doc | Doc[];
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly sort?: Doc;
}

/** @throws StoreError for an update MongoDB rejects or this store has not */
export function updating({ filter, update, multi, upsert, sort }: UpdateRequest): Statement {
  const compiled = compileUpdate(update);
  return {
    query: { filter, sort, skip: 0, limit: multi ? 0 : 1 },
    filter: compileFilter(filter),
    change(view, collection, found) {
      const after = compiled.apply(found.doc, { inserting: false });
      return {
        matched: 1,
        modified: replaceDocument(view, collection, found, after) ? 1 : 0,
        before: found.doc,
        after,
      };
    },
    otherwise(view, collection) {
      if (!upsert) return NOTHING_DONE;
      const document = withId(compiled.apply(upsertSeed(filter), { inserting: true }));
      insertDocument(view, collection, document);
      return { ...NOTHING_DONE, upserted: { _id: document._id }, after: document };
    },
  };
}

export function deleting({
  filter,
  sort,
  limit,
}: {
  readonly filter: Doc;
  readonly sort?: Doc;
  readonly limit: number;
}): Statement {
  return {
    query: { filter, sort, skip: 0, limit },
    filter: compileFilter(filter),
    change(view, collection, found) {
      deleteDocument(view, collection, found);
      return { matched: 1, modified: 1, before: found.doc };
    },
    otherwise: () => NOTHING_DONE,
  };
}

/** A document to store. */
export interface Insertion {
  insert(view: WriteView, collection: Collection): Step;
}

export const inserting = (doc: Doc): Insertion => ({
  insert(view, collection) {
    insertDocument(view, collection, doc);
    return { done: { matched: 1, modified: 0 } };
  },
});

const withId = (document: Doc): Doc =>
  document._id === undefined ? { _id: new ObjectId(), ...document } : document;

/** How far a statement has come in one writer. */
export interface Step {
  readonly done: Done;
  /** Still to be changed, or `unknown` when finding the documents takes longer than a writer may. Absent: the statement has ended. */
  readonly rest?: Rest | 'unknown';
  /** A transaction that has what comes next. */
  readonly blockedBy?: Claimant;
  /** A document could not take the change. It ends the statement; the documents before it stay changed, as in MongoDB. */
  readonly failure?: StoreError;
}

export interface Rest {
  readonly idKeys: readonly Buffer[];
  /** The first that is not changed yet. */
  readonly from: number;
}

/**
 * Carries a statement out as far as the time of its writer allows.
 * @throws Blocked when it is about one document that a transaction has; StoreError when a document cannot take the change
 */
export function begin(
  view: WriteView,
  collection: Collection,
  statement: Statement,
  slice: Slice,
): Step {
  const found = findNow(view, collection, statement.query, slice);
  if (found === 'late') return { done: NOTHING_DONE, rest: 'unknown' };
  if (found.length === 0) return { done: statement.otherwise(view, collection) };
  if (statement.query.limit === 1) return { done: statement.change(view, collection, found[0]) };
  return changeEach(
    found.map(({ idKey }) => idKey),
    0,
    slice,
    (at) => statement.change(view, collection, found[at]),
  );
}

/** The same for documents that were found before: one that is gone, or matches no more, is left alone. */
export function goOn(
  view: WriteView,
  collection: Collection,
  statement: Statement,
  { idKeys, from }: Rest,
  slice: Slice,
): Step {
  return changeEach(idKeys, from, slice, (at) => {
    const found = foundBy(view, collection, idKeys[at], statement.filter);
    return found === undefined ? NOTHING_DONE : statement.change(view, collection, found);
  });
}

/** Found before the first is changed, so that a change cannot bring a document before the reader again. */
function findNow(
  view: WriteView,
  collection: Collection,
  query: Query,
  slice: Slice,
): Found[] | 'late' {
  const found: Found[] = [];
  for (const one of runQuery(() => view, collection, query)) {
    if (one !== undefined) found.push(one);
    else if (slice.isOver()) return 'late';
  }
  return found;
}

function changeEach(
  idKeys: readonly Buffer[],
  from: number,
  slice: Slice,
  change: (at: number) => Done,
): Step {
  let done = NOTHING_DONE;
  for (let at = from; at < idKeys.length; at++) {
    if (at > from && slice.isOver()) return { done, rest: { idKeys, from: at } };
    try {
      done = sum(done, change(at));
    } catch (error) {
      if (error instanceof Blocked)
        return { done, rest: { idKeys, from: at }, blockedBy: error.by };
      if (!(error instanceof StoreError) || error.labels !== undefined) throw error;
      return { done, failure: error };
    }
  }
  return { done };
}

export const sum = (a: Done, b: Done): Done => ({
  ...a,
  ...b,
  matched: a.matched + b.matched,
  modified: a.modified + b.modified,
});

/** What the keys of the documents of one statement may take in memory. */
const MOST_FOUND = 100 * 1024 * 1024;
/** What a key takes besides its bytes. */
const KEY_OVERHEAD = 100;

/** Collects the keys of what a statement is about. @throws StoreError 292 when they take too much memory */
export class FoundKeys {
  readonly idKeys: Buffer[] = [];
  private size = 0;

  readonly add = ({ idKey }: Found): void => {
    this.size += idKey.length + KEY_OVERHEAD;
    if (this.size > MOST_FOUND)
      throw new StoreError(
        292,
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `the documents of one statement exceeded the memory limit of ${MOST_FOUND} bytes`,
      );
    this.idKeys.push(idKey);
  };
}
