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

/** Result of a statement. */
export interface Done {
  readonly matched: number;
  readonly modified: number;
  readonly upserted?: { readonly _id: unknown };
  /** Last changed document, before and after; for findAndModify. */
  readonly before?: Doc;
  readonly after?: Doc;
}

export const NOTHING_DONE: Done = { matched: 0, modified: 0 };

/** A statement of a write command or findAndModify: which documents, and what to do with each. */
export interface Statement {
  /** `limit` 0 means all matches. */
  readonly query: Query;
  readonly filter: Filter;
  /** Everything that can fail must precede the first write. */
  change(view: WriteView, collection: Collection, found: Found): Done;
  /** Called if no document matches. */
  otherwise(view: WriteView, collection: Collection): Done;
}

export interface UpdateRequest {
  readonly filter: Doc;
  readonly update: Doc | Doc[];
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly sort?: Doc;
}

/** @throws StoreError invalid or unsupported update */
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

/** Progress of a statement in one time slice. */
export interface Step {
  readonly done: Done;
  /**
   * Remaining documents; `unknown`: the search is not complete. Missing: the statement has ended.
   */
  readonly rest?: Rest | 'unknown';
  /** Transaction that holds the next document. */
  readonly blockedBy?: Claimant;
  /** Error of a document. Ends the statement; earlier documents stay changed, as in MongoDB. */
  readonly failure?: StoreError;
}

export interface Rest {
  readonly idKeys: readonly Buffer[];
  /** Index of the first document that is not changed yet. */
  readonly from: number;
}

/**
 * Executes a statement for one time slice.
 * @throws Blocked its only document is held by a transaction; StoreError a document cannot be
 *   changed
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

/** Continues with documents found before; skips those that are gone or no longer match. */
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

/** Finds all documents before the first change, so that a change cannot make one match again. */
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

/** Maximum memory for the keys of documents of one statement. */
const MOST_FOUND = 100 * 1024 * 1024;
/** Memory per key in addition to its bytes. */
const KEY_OVERHEAD = 100;

/** Collects document keys. @throws StoreError 292 too much memory */
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
