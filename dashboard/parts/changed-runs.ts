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

/**
 * Applies a change to a page of runs. New runs are inserted on the first page only. The total is
 * estimated from the visible changes.
 */
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
    // A run that enters the page may have been counted on a later page.
    totalCount: pageInfo.hasNextPage ? Math.max(left, all.length) : all.length,
  };
}

/** Returns whether the page should be reloaded, because runs left it and more exist. */
export const isShort = (
  { nodes, pageInfo }: Pick<Page, 'nodes' | 'pageInfo'>,
  size: number,
): boolean => nodes.length < size && pageInfo.hasNextPage;
