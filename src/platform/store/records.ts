import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { Tx } from './store';

/** Inserts a record. Returns it as stored (after casting by the schema). */
export async function insertRecord<R>(model: Model<R>, record: R, tx?: Tx): Promise<R> {
  const document = new model(record);
  await document.save({ session: tx?.session });
  return document.toObject();
}

/**
 * Sets some fields of a record and removes others. Returns the stored record.
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
  const stored = await model
    .findOneAndUpdate(
      { _id: id } as QueryFilter<R>,
      { $set: set, ...(removed.length > 0 && { $unset: unset }) } as UpdateQuery<R>,
      { session: tx.session, returnDocument: 'after' },
    )
    .lean<R>();
  if (!stored)
    throw new Error(
      `The record ${String(id)} of ${model.collection.name} went away within its transaction.`,
    );
  return stored;
}
