import { changedPage, isShort } from '../../dashboard/parts/changed-runs';
import type { RunRowFragment } from '../../dashboard/generated/operations';

type Page = Parameters<typeof changedPage>[0];

const run = (databaseId: number, state: RunRowFragment['state'] = 'RUNNING'): RunRowFragment => ({
  id: `run${databaseId}`,
  databaseId,
  state,
  test: false,
  trigger: 'MANUAL',
  workflowTitle: 'Orders',
  workflow: null,
  schedule: null,
  queuedAt: new Date(databaseId * 1_000).toISOString(),
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  steps: null,
  error: null,
  viewerCan: { cancel: true, start: true },
});
const FIRST = { size: 3, takesNew: true };
const page = (
  ids: readonly number[],
  totalCount: number,
  hasNextPage = totalCount > ids.length,
): Page => ({
  nodes: ids.map((id) => run(id)),
  totalCount,
  pageInfo: { hasNextPage, hasPreviousPage: false, startCursor: null, endCursor: null },
});
const gone = (...ids: number[]) => ({ changed: [], removedIds: ids.map((id) => `run${id}`) });
const come = (...ids: number[]) => ({ changed: ids.map((id) => run(id)), removedIds: [] });
const shown = ({ nodes, totalCount }: Page): unknown => [
  nodes.map(({ databaseId }) => databaseId),
  totalCount,
];

it('a page of runs is short when all its runs end together', () => {
  const left = changedPage(page([40, 39, 38], 40), gone(40, 39, 38), FIRST);
  expect(shown(left)).toEqual([[], 37]);
  expect(isShort(left, 3)).toBe(true);
  expect(isShort(changedPage(page([3, 2, 1], 3), gone(3), FIRST), 3)).toBe(false);
});

it('a page of runs is short when a run ends that pushed another one off the page', () => {
  const full = changedPage(page([3, 2], 2), come(4, 5), FIRST);
  expect(shown(full)).toEqual([[5, 4, 3], 4]);
  expect(isShort(changedPage(full, gone(5), FIRST), 3)).toBe(true);
});

it('a page of runs is empty after its last run ends and shows the next run', () => {
  const none = changedPage(page([1], 1), gone(1), FIRST);
  expect(shown(none)).toEqual([[], 0]);
  expect(shown(changedPage(none, come(2), FIRST))).toEqual([[2], 1]);
});

it('a page of runs does not count an older run twice', () => {
  expect(shown(changedPage(page([40, 39, 38], 40), come(12), FIRST))).toEqual([[40, 39, 38], 40]);
});

it('a later page shows changes but adds no new runs', () => {
  const later = changedPage(
    page([6, 5, 4], 9),
    { changed: [run(9), run(5, 'FAILED')], removedIds: ['run6'] },
    { size: 3, takesNew: false },
  );
  expect(shown(later)).toEqual([[5, 4], 8]);
  expect(later.nodes[0]?.state).toBe('FAILED');
});
