import { useAsked, useFollowed, useSoon } from '../api/hooks';
import type { Asked } from '../api/hooks';
import { RunsDocument, WatchRunsDocument } from '../generated/operations';
import type { RunFilter, RunRowFragment, RunsQuery, RunsQueryVariables } from '../generated/operations';

type Change = { readonly changed: readonly RunRowFragment[]; readonly removedIds: readonly string[] };

/** While a list changes, its count is read anew this often, ms. */
const COUNT_MS = 5_000;

const newestFirst = (one: RunRowFragment, other: RunRowFragment): number =>
  (one.queuedAt === other.queuedAt ? other.databaseId - one.databaseId : one.queuedAt < other.queuedAt ? 1 : -1);

/** A page of runs with a change made to it. What is new comes in on the first page only. */
export function changedRuns(runs: readonly RunRowFragment[], { changed, removedIds }: Change, { size, takesNew }: { size: number; takesNew: boolean }): RunRowFragment[] {
  const removed = new Set(removedIds);
  const told = new Map(changed.map((run) => [run.databaseId, run]));
  const kept = runs.filter((run) => !removed.has(run.id)).map((run) => told.get(run.databaseId) ?? run);
  if (!takesNew) return kept;
  const known = new Set(kept.map(({ databaseId }) => databaseId));
  return [...kept, ...changed.filter((run) => !known.has(run.databaseId))].sort(newestFirst).slice(0, size);
}

export interface LiveRuns {
  readonly filter: RunFilter;
  readonly includeTest: boolean;
  readonly size: number;
  readonly after?: string | null;
  readonly before?: string | null;
}

/**
 * A page of runs, kept as it is at the service. The list is read when the subscription says that it listens, so nothing is missed, also after
 * the connection was lost.
 */
export function useLiveRuns({ filter, includeTest, size, after = null, before = null }: LiveRuns): Asked<RunsQuery> {
  const variables: RunsQueryVariables = { filter, includeTest, ...(before === null ? { first: size, after } : { last: size, before }) };
  const asked = useAsked(RunsDocument, variables);
  const countAgain = useSoon(asked.again, COUNT_MS);
  useFollowed(WatchRunsDocument, { filter, includeTest }, {
    next({ runsChanged }) {
      if (runsChanged.changed.length === 0 && runsChanged.removedIds.length === 0) {
        asked.again();
        return;
      }
      const takesNew = after === null && before === null;
      asked.change((data) => ({ ...data, runs: { ...data.runs, nodes: changedRuns(data.runs.nodes, runsChanged, { size, takesNew }) } }));
      countAgain();
    },
  });
  return asked;
}
