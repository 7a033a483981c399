import type { Model } from 'mongoose';
import type { InputPath } from '../../platform/errors/errors';
import { everyRecord, recordsByIds } from '../../platform/store/records';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import type { Tx } from '../../platform/store/store';
import { titleSearch } from '../../platform/store/title-search';
import { fold } from '../../platform/text/fold';
import type { AggregatorRecord } from './aggregator.model';
import { aggregatorNotFound } from './aggregator.rules';

export type AggregatorReads = ReturnType<typeof createAggregatorReads>;

export function createAggregatorReads(aggregators: Model<AggregatorRecord>) {
  const byId = (id: number, tx?: Tx): Promise<AggregatorRecord | null> =>
    aggregators.findById(id, null, { session: tx?.session }).lean<AggregatorRecord>();

  return {
    byId,

    /** @throws NotFound AGGREGATOR_NOT_FOUND */
    async get(id: number, tx?: Tx, path: InputPath = ['id']): Promise<AggregatorRecord> {
      const record = await byId(id, tx);
      if (!record) throw aggregatorNotFound(id, path);
      return record;
    },

    /** In the given order; null if missing. One query. */
    async byIds(ids: readonly number[]): Promise<(AggregatorRecord | null)[]> {
      return recordsByIds(aggregators, ids);
    },

    page: (query: PageQuery): Promise<Page<AggregatorRecord>> =>
      pageOf<AggregatorRecord>(aggregators, query),

    searchTitles: titleSearch(aggregators, { title: 'name', key: 'nameKey' }),

    /** All aggregators by id, streamed. */
    async *list(): AsyncGenerator<AggregatorRecord, void, void> {
      for await (const records of everyRecord(aggregators)) yield* records;
    },

    /** Returns whether an aggregator has this name, without regard to case. */
    async exists(name: string): Promise<boolean> {
      return (await aggregators.exists({ nameKey: fold(name) })) !== null;
    },
  };
}
