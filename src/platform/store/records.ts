import type { Model, ProjectionType, QueryFilter } from 'mongoose';
import type { RecordSchema } from './schema';
import type { Tx } from './store';
import { copyFields, copySomeFields } from './stored-fields';
import type { FieldCopies } from './stored-fields';
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
  model: Model<R>,
  key: { readonly nameKey: string } | { readonly titleKey: string },
  id: number | null,
  tx: Tx,
): Promise<boolean> {
  // Both kinds of record have these fields.
  const records = model as unknown as Model<Named>;
  return (
    (await records
      .exists({ ...key, ...(id === null ? {} : { _id: { $ne: id } }) })
      .session(tx.session)) !== null
  );
}

const BATCH = 200;

/**
 * Yields all records of a collection by id, in batches. Records that are inserted or deleted during
 * the iteration may be missing; none is returned twice.
 */
export async function* everyRecord<T extends { readonly _id: number }>(
  model: Model<T>,
  filter: Readonly<Record<string, unknown>> = {},
  projection: Readonly<Record<string, 0 | 1>> | null = null,
  batch = BATCH,
): AsyncGenerator<T[], void, void> {
  for (let last: number | null = null; ;) {
    const records: T[] = await model
      .find(
        { ...filter, ...(last !== null && { _id: { $gt: last } }) } as QueryFilter<T>,
        projection,
      )
      .sort({ _id: 1 })
      .limit(batch)
      .lean<T[]>();
    if (records.length > 0) yield records;
    if (records.length < batch) return;
    last = records[records.length - 1]._id;
  }
}

/** Reads a record, or null. Outside of a transaction it may come from memory. */
export async function recordById<R extends { readonly _id: unknown }>(
  model: Model<R>,
  id: R['_id'],
  tx?: Tx,
): Promise<R | null> {
  if (!tx) return model.findById(id).lean<R>();
  return (await model.collection.findOne({ _id: id } as object, {
    session: tx.session,
  })) as R | null;
}

interface RecordsByIds<R> {
  readonly tx?: Tx;
  /** Fields to read. Default: all. */
  readonly projection?: ProjectionType<R>;
  /** Records that do not match this filter are treated as missing. */
  readonly within?: Readonly<Record<string, unknown>>;
}

/** Reads records by id in one query; returns them in the given order, null for missing ones. */
export async function recordsByIds<R extends { readonly _id: number | string }>(
  model: Model<R>,
  ids: readonly R['_id'][],
  { tx, projection, within = {} }: RecordsByIds<R> = {},
): Promise<(R | null)[]> {
  const records = await model
    .find({ ...within, _id: { $in: [...new Set(ids)] } } as QueryFilter<R>, projection, {
      session: tx?.session,
    })
    .lean<R[]>();
  const byId = new Map(records.map((record) => [record._id, record]));
  return ids.map((id) => byId.get(id) ?? null);
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

const copiesOf = <R>(model: Model<R>): FieldCopies => (model.schema as RecordSchema<R>).copies;

/**
 * Inserts a record. Returns it as stored, with defaults of missing fields.
 * @throws TypeError a field is unknown, missing or has another type
 */
export async function insertRecord<R>(model: Model<R>, record: R & object, tx?: Tx): Promise<R> {
  const stored = copyFields(copiesOf(model), record);
  await model.collection.insertOne(stored, { session: tx?.session, ignoreUndefined: true });
  return stored as R;
}

/**
 * Sets some fields of a record (undefined: unchanged) and removes others. Returns the stored
 * record.
 * @throws Error the record does not exist; read it in the same transaction first
 */
export async function changeRecord<R extends { readonly _id: unknown }>(
  model: Model<R>,
  id: R['_id'],
  set: Partial<Omit<R, '_id'>>,
  tx: Tx,
  removed: readonly (keyof R & string)[] = [],
): Promise<R> {
  const unset = Object.fromEntries(removed.map((field) => [field, 1]));
  const stored = await model.collection.findOneAndUpdate(
    { _id: id } as object,
    { $set: copySomeFields(copiesOf(model), set), ...(removed.length > 0 && { $unset: unset }) },
    { session: tx.session, returnDocument: 'after', ignoreUndefined: true },
  );
  if (!stored)
    throw new Error(
      `The record ${String(id)} of ${model.collection.name} went away within its transaction.`,
    );
  return stored as unknown as R;
}
