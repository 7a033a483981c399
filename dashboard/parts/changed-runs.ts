import type { RunRowFragment, RunsQuery } from '../generated/operations';

type Page = RunsQuery['runs'];
type Change = {
  readonly changed: readonly RunRowFragment[];
  readonly removedIds: readonly string[];
};

const newestFirst = (one: RunRowFragment, other: RunRowFragment): number =>
  one.queuedAt === other.queuedAt
    ? other.databaseId - one.databaseId
    : one.queuedAt < other.queuedAt
      ? 1
      : -1;

/** A page of runs with a change made to it. What is new comes in on the first page only. How many there are is counted as far as that is seen from here. */
export function changedPage(
  { nodes, pageInfo, totalCount }: Page,
  { changed, removedIds }: Change,
  { size, takesNew }: { size: number; takesNew: boolean },
): Page {
  const removed = new Set(removedIds);
  const told = new Map(changed.map((run) => [run.databaseId, run]));
  const kept = nodes
    .filter((run) => !removed.has(run.id))
    .map((run) => told.get(run.databaseId) ?? run);
  const left = Math.max(kept.length, totalCount - (nodes.length - kept.length));
  if (!takesNew) return { nodes: kept, pageInfo, totalCount: left };
  const known = new Set(kept.map(({ databaseId }) => databaseId));
  const come = changed.filter((run) => !known.has(run.databaseId));
  const all = [...kept, ...come].sort(newestFirst);
  return {
    nodes: all.slice(0, size),
    pageInfo: { ...pageInfo, hasNextPage: pageInfo.hasNextPage || all.length > size },
    // One that comes may have been there already, behind this page.
    totalCount: pageInfo.hasNextPage ? Math.max(left, all.length) : all.length,
  };
}

/** Whether there are runs that had better stand on this page: those on it have gone. */
export const isShort = (
  { nodes, pageInfo }: Pick<Page, 'nodes' | 'pageInfo'>,
  size: number,
): boolean => nodes.length < size && pageInfo.hasNextPage;
