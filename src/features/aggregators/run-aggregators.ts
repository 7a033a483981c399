import type { RunAggregators } from '../../engine';
import type { AggregatorReads } from './aggregator-reads';

/** Aggregators as runs are given them: as they are when the run begins. */
export function createRunAggregators({ byIds }: Pick<AggregatorReads, 'byIds'>) {
  return {
    /** Those that are there, by id; null for one that is archived. */
    async open(ids: readonly number[]): Promise<RunAggregators> {
      if (ids.length === 0) return new Map();
      const found = (await byIds(ids)).filter((record) => record !== null);
      return new Map(found.map(({ _id, name, script, args, active }) => [_id, active ? { name, script, args: args.map(({ id, name: argument }) => ({ id, name: argument })) } : null]));
    },
  };
}
