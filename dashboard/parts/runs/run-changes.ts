import type { RunRowFragment, RunsQuery } from '../../generated/operations';

type Page = RunsQuery['runs'];
interface RunChanges {
  readonly changed: readonly RunRowFragment[];
  readonly removedIds: readonly string[];
}

const compareNewestFirst = (one: RunRowFragment, other: RunRowFragment): number =>
  one.queuedAt === other.queuedAt
    ? other.databaseId - one.databaseId
    : one.queuedAt < other.queuedAt
      ? 1
      : -1;

/**
 * Applies a change to a page of runs. New runs are inserted on the first page only. The total is
 * estimated from the visible changes.
 */
export function applyRunChanges(
  { nodes, pageInfo, totalCount }: Page,
  { changed, removedIds }: RunChanges,
  { size, insertsNew }: { size: number; insertsNew: boolean },
): Page {
  const removed = new Set(removedIds);
  const updated = new Map(changed.map((run) => [run.databaseId, run]));
  const remaining = nodes
    .filter((run) => !removed.has(run.id))
    .map((run) => updated.get(run.databaseId) ?? run);
  const total = Math.max(remaining.length, totalCount - (nodes.length - remaining.length));
  if (!insertsNew) return { nodes: remaining, pageInfo, totalCount: total };
  const keptIds = new Set(remaining.map(({ databaseId }) => databaseId));
  const added = changed.filter((run) => !keptIds.has(run.databaseId));
  const all = [...remaining, ...added].sort(compareNewestFirst);
  return {
    nodes: all.slice(0, size),
    pageInfo: { ...pageInfo, hasNextPage: pageInfo.hasNextPage || all.length > size },
    // A run that enters the page may have been counted on a later page.
    totalCount: pageInfo.hasNextPage ? Math.max(total, all.length) : all.length,
  };
}

/** Returns whether the page should be reloaded, because runs left it and more exist. */
export const isUnderfilled = (
  { nodes, pageInfo }: Pick<Page, 'nodes' | 'pageInfo'>,
  size: number,
): boolean => nodes.length < size && pageInfo.hasNextPage;
