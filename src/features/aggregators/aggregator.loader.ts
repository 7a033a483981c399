import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { AggregatorRecord } from './aggregator.model';
import { aggregatorPolicy } from './aggregator.policy';

/** Aggregators by id, batched per request. */
export function aggregatorLoader(context: GraphqlContext) {
  return context.loader<number, AggregatorRecord>('aggregators', (ids) =>
    context.services.aggregators.byIds(ids),
  );
}

/** The aggregator of a link; null if there is none, it is deleted, or the user may not read it. */
export async function linkedAggregator(
  context: GraphqlContext,
  id: number | null,
): Promise<AggregatorRecord | null> {
  return id !== null && allows(aggregatorPolicy.read, context.actor)
    ? aggregatorLoader(context).load(id)
    : null;
}
