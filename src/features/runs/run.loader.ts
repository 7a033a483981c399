import type { RecordedExchange } from '../../engine';
import type { GraphqlContext } from '../../platform/context';
import type { RunRecord } from './run.model';

/** Loads runs by id as far as the actor may see them, batched per request. */
export function runLoader(context: GraphqlContext) {
  return context.loader<number, RunRecord>('runs', (ids) =>
    context.services.runs.byIds(context.actor, ids),
  );
}

/** Loads what the steps that ended runs sent and received, batched per request. */
export function exchangeLoader(context: GraphqlContext) {
  return context.loader<number, RecordedExchange>('runExchanges', (ids) =>
    context.services.runExchanges.byIds(ids),
  );
}
