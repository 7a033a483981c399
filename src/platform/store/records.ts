import type { Collection } from './collection';
import type { Tx } from './store';
import { BadInput, Conflict } from '../errors/errors';
import type { InputPath } from '../errors/errors';

/** Maximum number of records (or fields of a record) that one all-or-nothing request may change. */
export const MOST_AT_ONCE = 1_000;

/**
 * Removes duplicates from the ids or names of an all-or-nothing request; keeps the order.
 * @param plural name of the things, for the error message: `users`
 * @param keyOf two ids with the same key name the same record
 * @throws BadInput more than MOST_AT_ONCE ids
 */
export function eachOnce<T>(
  ids: readonly T[],
  plural: string,
  keyOf: (id: T) => unknown = (id) => id,
): T[] {
  const firsts = new Map<unknown, T>();
  for (const id of ids) {
    const key = keyOf(id);
    if (!firsts.has(key)) firsts.set(key, id);
  }
  const unique = [...firsts.values()];
  if (unique.length > MOST_AT_ONCE)
    throw new BadInput('BAD_REQUEST', `At most ${MOST_AT_ONCE} ${plural} at once.`, {
      path: ['ids'],
      reason: 'LIST_TOO_LONG',
    });
  return unique;
}

/** Returns whether a path points to an entry of `ids`. */
export const isOfEntry = (path: InputPath): boolean => path[0] === 'ids' && path.length > 1;

/** Maps an id to its path in the input. */
export type PlaceOf = (id: number) => InputPath;

/** For requests with a single `id`, and for requests with a list `ids`. */
export const THE_ID: PlaceOf = () => ['id'];
export const placesIn =
  <T>(ids: readonly T[]): ((id: T) => InputPath) =>
  (id) => ['ids', ids.indexOf(id)];

interface Named {
  readonly _id: number;
  readonly nameKey?: string;
  readonly titleKey?: string;
}

/**
 * Returns whether a record other than `id` (null: any) has this key. The unique index is what
 * enforces it; this check allows reporting the problem together with others.
 * @param key value by the field with the unique index
 */
export async function isTaken<R>(
  collection: Collection<R>,
  key: { readonly nameKey: string } | { readonly titleKey: string },
  id: number | null,
  tx: Tx,
): Promise<boolean> {
  // Both kinds of record have these fields.
  const records = collection as unknown as Collection<Named>;
  return records.exists({ ...key, ...(id === null ? {} : { _id: { $ne: id } }) }, tx);
}

const BATCH = 200;

/**
 * Yields all records of a collection by id, in batches. Records that are inserted or deleted during
 * the iteration may be missing; none is returned twice.
 */
export async function* everyRecord<T extends { readonly _id: number }>(
  collection: Collection<T>,
  filter: Readonly<Record<string, unknown>> = {},
  projection: Readonly<Record<string, 0 | 1>> | null = null,
  batch = BATCH,
): AsyncGenerator<T[], void, void> {
  for (let last: number | null = null; ;) {
    const records: T[] = await collection.find(
      { ...filter, ...(last !== null && { _id: { $gt: last } }) },
      { fields: projection, sort: { _id: 1 }, limit: batch },
    );
    if (records.length > 0) yield records;
    if (records.length < batch) return;
    last = records[records.length - 1]._id;
  }
}

/** Version (or acceptable versions) that the caller has seen. Null, undefined: any version. */
export type ExpectedVersion = number | readonly number[] | null | undefined;

/**
 * Call with the record as read in the transaction that changes or deletes it, so that only one of
 * two callers that saw the same version succeeds.
 * @throws Conflict CONFLICT the record has another version
 */
export function requireVersion(
  thing: string,
  { version }: { readonly version: number },
  expected: ExpectedVersion,
): void {
  if (expected === null || expected === undefined) return;
  const versions = typeof expected === 'number' ? [expected] : expected;
  if (versions.includes(version)) return;
  const seen = versions.length === 0 ? 'the one expected' : versions.join(' or ');
  throw new Conflict('CONFLICT', `The ${thing} has version ${version}, not ${seen}.`, {
    path: ['expectedVersion'],
  });
}
