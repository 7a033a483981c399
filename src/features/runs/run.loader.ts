import type { GraphqlContext } from '../../platform/context';
import type { RunRecord } from './run.model';

/** Runs by id as the actor may see them, read together with all others the request asks for. */
export function runLoader(context: GraphqlContext) {
  return context.loader<number, RunRecord>('runs', (ids) =>
    context.services.runs.byIds(context.actor, ids),
  );
}
