import type { Model } from 'mongoose';
import type { Tx } from './store';

/** A record that others name. */
interface Claimed {
  readonly _id: number;
  /** Counts those who named it: whoever does writes it, so that a deletion beside it conflicts (docs/adr/0010). */
  readonly claims: number;
}

/** What others ask of records that they name by id. */
export function knownRecords<R extends Claimed>(given: Model<R>) {
  // What the queries need of a record, whichever it is.
  const records = given as unknown as Model<Claimed>;
  return {
    /** Those of these that are there. */
    async known(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>> {
      const found = await records
        .find({ _id: { $in: [...ids] } }, { _id: 1 }, { session: tx?.session })
        .lean<Pick<Claimed, '_id'>[]>();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Writes those that are there. */
    async claim(ids: readonly number[], tx: Tx): Promise<void> {
      if (ids.length > 0)
        await records.updateMany(
          { _id: { $in: [...ids] } },
          { $inc: { claims: 1 } },
          { session: tx.session },
        );
    },
  };
}
