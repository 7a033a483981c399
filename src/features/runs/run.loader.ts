import type { RecordedExchange } from '../../engine';
import type { GraphqlContext } from '../../platform/context';
import type { RunRecord } from './run.model';

/** Loads runs by id as far as the actor may see them, batched per request. */
export function runLoader(context: GraphqlContext) {
  return context.loader<number, RunRecord>('runs', (ids) =>
    context.services.runs.byIds(context.actor, ids),
  );
}

/** Loads the newest runs of workflows that are not tests, as far as the actor may see them. */
export function lastRunLoader(context: GraphqlContext) {
  return context.loader<number, RunRecord>('lastRuns', (workflowIds) =>
    context.services.runs.newestOfWorkflows(context.actor, workflowIds),
  );
}

/** The same for runs that succeeded. */
export function lastSucceededRunLoader(context: GraphqlContext) {
  return context.loader<number, RunRecord>('lastSucceededRuns', (workflowIds) =>
    context.services.runs.newestOfWorkflows(context.actor, workflowIds, { state: 'SUCCEEDED' }),
  );
}

/** Loads what the steps that ended runs sent and received, batched per request. */
export function exchangeLoader(context: GraphqlContext) {
  return context.loader<number, RecordedExchange>('runExchanges', (ids) =>
    context.services.runExchanges.byIds(ids),
  );
}
