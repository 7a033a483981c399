import { knownRecords } from '../../platform/store/known-records';
import type { Store } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { aggregatorModel } from './aggregator.model';
import type { AggregatorRecord } from './aggregator.model';

type Named = Pick<AggregatorRecord, '_id' | 'name' | 'nameKey'>;

/** Looks up aggregators by id for workflows, and by name for files. */
export function createKnownAggregators(store: Store) {
  const aggregators = aggregatorModel(store);
  return {
    ...knownRecords(aggregators),

    /** Names of the existing aggregators, by id. */
    async names(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
      if (ids.length === 0) return new Map();
      const found = await aggregators
        .find({ _id: { $in: [...new Set(ids)] } }, { name: 1 })
        .lean<Named[]>();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },

    /** Ids of the existing aggregators, by folded name. */
    async idsOf(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (names.length === 0) return new Map();
      const found = await aggregators
        .find({ nameKey: { $in: [...new Set(names.map(fold))] } }, { nameKey: 1 })
        .lean<Named[]>();
      return new Map(found.map(({ _id, nameKey }) => [nameKey, _id]));
    },
  };
}
