import { useEffect } from 'preact/hooks';
import { useQuery, useSubscription, useThrottle } from '../../api/hooks';
import type { QueryResult } from '../../api/hooks';
import { reportChangedRuns } from '../../failure-badge';
import { RunsDocument, WatchRunsDocument } from '../../generated/operations';
import type { RunFilter, RunsQuery, RunsQueryVariables } from '../../generated/operations';
import { applyRunChanges, isUnderfilled } from './run-changes';

/** Minimum interval between reloads of the count while the list changes, ms. */
const RELOAD_INTERVAL_MS = 5_000;

interface LiveRunsOptions {
  readonly filter: RunFilter;
  readonly includeTest: boolean;
  readonly size: number;
  readonly after?: string | null;
  readonly before?: string | null;
  /** Key of the query if the filter changes with time, as in `useQuery`. */
  readonly topic?: string;
}

/**
 * A page of runs that is updated by a subscription. The list is loaded once the subscription is
 * active, also after a lost connection, so that no change is missed.
 */
export function useLiveRuns({
  filter,
  includeTest,
  size,
  after = null,
  before = null,
  topic,
}: LiveRunsOptions): QueryResult<RunsQuery> {
  const variables: RunsQueryVariables = {
    filter,
    includeTest,
    ...(before === null ? { first: size, after } : { last: size, before }),
  };
  const query = useQuery(RunsDocument, variables, topic);
  const reloadCount = useThrottle(query.reload, RELOAD_INTERVAL_MS);
  useSubscription(
    WatchRunsDocument,
    { filter, includeTest },
    {
      onData({ runsChanged }) {
        reportChangedRuns(runsChanged.changed);
        if (runsChanged.changed.length === 0 && runsChanged.removedIds.length === 0) {
          query.reload();
          return;
        }
        const insertsNew = after === null && before === null;
        query.update((data) => ({
          ...data,
          runs: applyRunChanges(data.runs, runsChanged, { size, insertsNew }),
        }));
        reloadCount();
      },
      onForbidden: query.reload,
    },
  );
  const runs = query.data?.runs;
  const underfilledRows = runs && isUnderfilled(runs, size) ? runs.nodes.length : null;
  useEffect(() => {
    if (underfilledRows !== null) query.reload();
  }, [underfilledRows]);
  return query;
}
