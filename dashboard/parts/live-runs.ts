import { useEffect } from 'preact/hooks';
import { useAsked, useFollowed, useSoon } from '../api/hooks';
import type { Asked } from '../api/hooks';
import { RunsDocument, WatchRunsDocument } from '../generated/operations';
import type { RunFilter, RunsQuery, RunsQueryVariables } from '../generated/operations';
import { changedPage, isShort } from './changed-runs';

/** Minimum interval between reloads of the count while the list changes, ms. */
const COUNT_MS = 5_000;

export interface LiveRuns {
  readonly filter: RunFilter;
  readonly includeTest: boolean;
  readonly size: number;
  readonly after?: string | null;
  readonly before?: string | null;
  /** Key of the query if the filter changes with time, as in `useAsked`. */
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
}: LiveRuns): Asked<RunsQuery> {
  const variables: RunsQueryVariables = {
    filter,
    includeTest,
    ...(before === null ? { first: size, after } : { last: size, before }),
  };
  const asked = useAsked(RunsDocument, variables, topic);
  const countAgain = useSoon(asked.again, COUNT_MS);
  useFollowed(
    WatchRunsDocument,
    { filter, includeTest },
    {
      next({ runsChanged }) {
        if (runsChanged.changed.length === 0 && runsChanged.removedIds.length === 0) {
          asked.again();
          return;
        }
        const takesNew = after === null && before === null;
        asked.change((data) => ({
          ...data,
          runs: changedPage(data.runs, runsChanged, { size, takesNew }),
        }));
        countAgain();
      },
      refused: asked.again,
    },
  );
  const runs = asked.data?.runs;
  const rowsOfShort = runs && isShort(runs, size) ? runs.nodes.length : null;
  useEffect(() => {
    if (rowsOfShort !== null) asked.again();
  }, [rowsOfShort]);
  return asked;
}
