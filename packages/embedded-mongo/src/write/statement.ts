import { ObjectId } from 'bson';
import type { Collection } from '../catalog/collection';
import { StoreError } from '../errors';
import { compileFilter } from '../query/filter';
import type { Filter } from '../query/filter';
import { runQuery } from '../query/run-query';
import type { Query } from '../query/run-query';
import { findByKey } from '../query/scan';
import type { Match } from '../query/scan';
import { KeyLockedError } from '../storage/key-locks';
import type { LockHolder } from '../storage/key-locks';
import type { WriteView } from '../storage/views';
import type { TimeSlice } from '../time-slices';
import type { Doc } from '../values/values';
import { compileUpdate } from './update';
import { upsertSeed } from './upsert-seed';
import { deleteDocument, insertDocument, replaceDocument } from './write-document';

/** Result of a statement. */
export interface WriteResult {
  readonly matched: number;
  readonly modified: number;
  readonly upserted?: { readonly _id: unknown };
  /** Last changed document, before and after; for findAndModify. */
  readonly before?: Doc;
  readonly after?: Doc;
}

export const NO_CHANGE: WriteResult = { matched: 0, modified: 0 };

export const addResults = (a: WriteResult, b: WriteResult): WriteResult => ({
  ...a,
  ...b,
  matched: a.matched + b.matched,
  modified: a.modified + b.modified,
});

/** A statement of a write command or findAndModify: which documents, and what to do with each. */
export interface Statement {
  /** `limit` 0 means all matches. */
  readonly query: Query;
  readonly filter: Filter;
  /** Everything that can fail must precede the first write. */
  change(view: WriteView, collection: Collection, match: Match): WriteResult;
  /** Called if no document matches. */
  changeWithoutMatch(view: WriteView, collection: Collection): WriteResult;
}

export interface UpdateRequest {
  readonly filter: Doc;
  readonly update: Doc | Doc[];
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly sort?: Doc;
}

/** @throws StoreError invalid or unsupported update */
export function updateStatement(request: UpdateRequest): Statement {
  const { filter, update, multi, upsert, sort } = request;
  const compiled = compileUpdate(update);
  return {
    query: { filter, sort, skip: 0, limit: multi ? 0 : 1 },
    filter: compileFilter(filter),
    change(view, collection, match) {
      const after = compiled.apply(match.doc, { inserting: false });
      const modified = replaceDocument(view, collection, match, after) ? 1 : 0;
      return { matched: 1, modified, before: match.doc, after };
    },
    changeWithoutMatch(view, collection) {
      if (!upsert) return NO_CHANGE;
      const document = withId(compiled.apply(upsertSeed(filter), { inserting: true }));
      insertDocument(view, collection, document);
      return { ...NO_CHANGE, upserted: { _id: document._id }, after: document };
    },
  };
}

const withId = (document: Doc): Doc =>
  document._id === undefined ? { _id: new ObjectId(), ...document } : document;

/** @throws StoreError invalid filter */
export function deleteStatement(request: {
  readonly filter: Doc;
  readonly sort?: Doc;
  readonly limit: number;
}): Statement {
  return {
    query: { ...request, skip: 0 },
    filter: compileFilter(request.filter),
    change(view, collection, match) {
      deleteDocument(view, collection, match);
      // Not of many: the whole document would be decoded.
      const before = request.limit === 1 ? match.doc : undefined;
      return { matched: 1, modified: 1, before };
    },
    changeWithoutMatch: () => NO_CHANGE,
  };
}

/** Progress of a statement in one time slice. */
export interface Progress {
  readonly result: WriteResult;
  /** Missing if the statement has ended; `unknown` if the search is not complete. */
  readonly remaining?: Remaining | 'unknown';
  /** Transaction that has locked the next document. */
  readonly lockedBy?: LockHolder;
  /** Error of a document. Ends the statement; earlier documents stay changed, as in MongoDB. */
  readonly failure?: StoreError;
}

/** Documents of a statement that are not changed yet. */
interface Remaining {
  readonly idKeys: readonly Buffer[];
  readonly from: number;
}

/**
 * Executes a statement for one time slice.
 * @throws KeyLockedError its only document is locked by a transaction; StoreError a document cannot
 *   be changed
 */
export function startStatement(
  view: WriteView,
  collection: Collection,
  statement: Statement,
  slice: TimeSlice,
): Progress {
  const matches = findMatches(view, collection, statement.query, slice);
  if (matches === 'late') return { result: NO_CHANGE, remaining: 'unknown' };
  if (matches.length === 0) return { result: statement.changeWithoutMatch(view, collection) };
  const change = (at: number): WriteResult => statement.change(view, collection, matches[at]);
  if (statement.query.limit === 1) return { result: change(0) };
  const idKeys = matches.map(({ idKey }) => idKey);
  return changeEach({ idKeys, from: 0 }, slice, change);
}

/** Continues with documents found before; skips those that are gone or no longer match. */
export function continueStatement(
  view: WriteView,
  collection: Collection,
  statement: Statement,
  remaining: Remaining,
  slice: TimeSlice,
): Progress {
  return changeEach(remaining, slice, (at) => {
    const match = findByKey(view, collection, remaining.idKeys[at], statement.filter);
    return match === undefined ? NO_CHANGE : statement.change(view, collection, match);
  });
}

/** Finds all documents before the first change, so that a change cannot make one match again. */
function findMatches(
  view: WriteView,
  collection: Collection,
  query: Query,
  slice: TimeSlice,
): Match[] | 'late' {
  const matches: Match[] = [];
  for (const match of runQuery(() => view, collection, query)) {
    if (match !== undefined) matches.push(match);
    else if (slice.isOver()) return 'late';
  }
  return matches;
}

function changeEach(
  { idKeys, from }: Remaining,
  slice: TimeSlice,
  change: (at: number) => WriteResult,
): Progress {
  let result = NO_CHANGE;
  for (let at = from; at < idKeys.length; at++) {
    const remaining = { idKeys, from: at };
    if (at > from && slice.isOver()) return { result, remaining };
    try {
      result = addResults(result, change(at));
    } catch (error) {
      if (error instanceof KeyLockedError) return { result, remaining, lockedBy: error.by };
      if (!(error instanceof StoreError) || error.labels !== undefined) throw error;
      return { result, failure: error };
    }
  }
  return { result };
}

const MAX_KEYS_BYTES = 100 * 1024 * 1024;
/** Memory per key in addition to its bytes. */
const KEY_OVERHEAD_BYTES = 100;

/** Keys of the documents of one statement. */
export class MatchKeys {
  readonly idKeys: Buffer[] = [];
  private bytes = 0;

  /** @throws StoreError 292 too much memory */
  readonly add = ({ idKey }: Match): void => {
    this.bytes += idKey.length + KEY_OVERHEAD_BYTES;
    if (this.bytes > MAX_KEYS_BYTES)
      throw new StoreError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `the documents of one statement exceeded the memory limit of ${MAX_KEYS_BYTES} bytes`,
      );
    this.idKeys.push(idKey);
  };
}
