import { fold } from '../text/fold';
import type { Migration } from './migrations';

/** Where a collection keeps a name, or a list of names, and is to keep what they are found by. Names need not be unique. */
export interface FoldedField {
  readonly collection: string;
  readonly text: string;
  readonly key: string;
}

const BATCH = 500;

const keyOf = (text: unknown): string | string[] =>
  (Array.isArray(text) ? [...new Set(text.map((one) => fold(String(one))))].sort() : fold(String(text)));

/** Gives records the folded names that they do not have yet; begun again it goes on where it was. */
export const foldField = ({ collection, text, key }: FoldedField): Migration => ({
  name: `${key} of ${collection}`,
  async run({ store, requireLease }) {
    const records = store.connection.collection<{ _id: number } & Record<string, unknown>>(collection);
    for (let last = 0; ;) {
      const batch = await records.find({ _id: { $gt: last } as never, [key]: { $exists: false } } as never, { projection: { [text]: 1 } }).sort({ _id: 1 }).limit(BATCH).toArray();
      // A record that was written meanwhile knows better.
      if (batch.length > 0) await records.bulkWrite(batch.map((record) => ({ updateOne: { filter: { _id: record._id, [key]: { $exists: false } } as never, update: { $set: { [key]: keyOf(record[text]) } } as never } })));
      requireLease();
      if (batch.length < BATCH) return;
      last = batch[batch.length - 1]?._id ?? last;
    }
  },
});
