import { knownRecords } from '../../platform/store/known-records';
import type { Store } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { aggregatorModel } from './aggregator.model';
import type { AggregatorRecord } from './aggregator.model';

type Named = Pick<AggregatorRecord, '_id' | 'name' | 'nameKey'>;

/** The aggregators there are, for workflows whose methods name them, and for files that tell them by their names. */
export function createKnownAggregators(store: Store) {
  const aggregators = aggregatorModel(store);
  return {
    ...knownRecords(aggregators),

    /** What those are called that are there, by id. */
    async names(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
      if (ids.length === 0) return new Map();
      const found = await aggregators
        .find({ _id: { $in: [...new Set(ids)] } }, { name: 1 })
        .lean<Named[]>();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    /** The ids of those that are there, by folded name. */
    async idsOf(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (names.length === 0) return new Map();
      const found = await aggregators
        .find({ nameKey: { $in: [...new Set(names.map(fold))] } }, { nameKey: 1 })
        .lean<Named[]>();
      return new Map(found.map(({ _id, nameKey }) => [nameKey, _id]));
    },
  };
}
