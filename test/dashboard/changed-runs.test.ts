import { applyRunChanges, isUnderfilled } from '../../dashboard/parts/runs/run-changes';
import type { RunRowFragment } from '../../dashboard/generated/operations';

type Page = Parameters<typeof applyRunChanges>[0];

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
  stepCount: null,
  warnings: 0,
  error: null,
  viewerCan: { cancel: true, start: true },
});
const FIRST = { size: 3, insertsNew: true };
const page = (
  ids: readonly number[],
  totalCount: number,
  hasNextPage = totalCount > ids.length,
): Page => ({
  nodes: ids.map((id) => run(id)),
  totalCount,
  pageInfo: { hasNextPage, hasPreviousPage: false, startCursor: null, endCursor: null },
});
const removalOf = (...ids: number[]) => ({ changed: [], removedIds: ids.map((id) => `run${id}`) });
const additionOf = (...ids: number[]) => ({ changed: ids.map((id) => run(id)), removedIds: [] });
const shown = ({ nodes, totalCount }: Page): unknown => [
  nodes.map(({ databaseId }) => databaseId),
  totalCount,
];

it('a page of runs is short when all its runs end together', () => {
  const left = applyRunChanges(page([40, 39, 38], 40), removalOf(40, 39, 38), FIRST);
  expect(shown(left)).toEqual([[], 37]);
  expect(isUnderfilled(left, 3)).toBe(true);
  expect(isUnderfilled(applyRunChanges(page([3, 2, 1], 3), removalOf(3), FIRST), 3)).toBe(false);
});

it('a page of runs is short when a run ends that pushed another one off the page', () => {
  const full = applyRunChanges(page([3, 2], 2), additionOf(4, 5), FIRST);
  expect(shown(full)).toEqual([[5, 4, 3], 4]);
  expect(isUnderfilled(applyRunChanges(full, removalOf(5), FIRST), 3)).toBe(true);
});

it('a page of runs is empty after its last run ends and shows the next run', () => {
  const none = applyRunChanges(page([1], 1), removalOf(1), FIRST);
  expect(shown(none)).toEqual([[], 0]);
  expect(shown(applyRunChanges(none, additionOf(2), FIRST))).toEqual([[2], 1]);
});

it('a page of runs does not count an older run twice', () => {
  expect(shown(applyRunChanges(page([40, 39, 38], 40), additionOf(12), FIRST))).toEqual([
    [40, 39, 38],
    40,
  ]);
});

it('a later page shows changes but adds no new runs', () => {
  const later = applyRunChanges(
    page([6, 5, 4], 9),
    { changed: [run(9), run(5, 'FAILED')], removedIds: ['run6'] },
    { size: 3, insertsNew: false },
  );
  expect(shown(later)).toEqual([[5, 4], 8]);
  expect(later.nodes[0]?.state).toBe('FAILED');
});
