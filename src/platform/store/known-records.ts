import type { Collection } from './collection';
import type { Tx } from './store';

/** A record that other records reference. */
interface Claimed {
  readonly _id: number;
  /**
   * Number of references ever made. A transaction that adds a reference increments it, so that a
   * concurrent deletion of this record conflicts (docs/adr/0010).
   */
  readonly claims: number;
}

/** Checks and claims referenced records by id. */
export function knownRecords<R extends Claimed>(collection: Collection<R>) {
  // All collections passed here have these fields.
  const records = collection as unknown as Collection<Claimed>;
  return {
    /** Returns which of these ids exist. */
    async findExisting(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>> {
      const rows = await records.find<Pick<Claimed, '_id'>>(
        { _id: { $in: [...ids] } },
        { tx, fields: { _id: 1 } },
      );
      return new Set(rows.map(({ _id }) => _id));
    },

    /** Increments `claims` of those that exist. */
    async claim(ids: readonly number[], tx: Tx): Promise<void> {
      if (ids.length > 0)
        await records.updateMany({ _id: { $in: [...ids] } }, { $inc: { claims: 1 } }, tx);
    },
  };
}
