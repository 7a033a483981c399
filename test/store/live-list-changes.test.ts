import { NotedChanges, resolvedAfter } from '../../src/platform/store/live-list';

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, nth) => from + nth);
const NEVER_MS = 3_600_000;

it('NotedChanges keeps each id once until it is taken', () => {
  const changes = new NotedChanges();
  changes.note([1, 2]);
  changes.note([2, 3]);
  expect(changes.take()).toEqual(new Set([1, 2, 3]));
  expect(changes.take()).toEqual(new Set());
});

it('NotedChanges reports an overflow above 1,000 ids and then starts again', () => {
  const changes = new NotedChanges();
  changes.note(range(0, 1_000));
  expect(changes.take()?.size).toBe(1_000);
  for (let from = 0; from < 100_000; from += 500) changes.note(range(from, 500));
  expect(changes.take()).toBeNull();
  changes.note([7]);
  expect(changes.take()).toEqual(new Set([7]));
});

it('NotedChanges wakes a waiting reader on a change, on abort and when a change was missed', async () => {
  const changes = new NotedChanges();
  const leaving = new AbortController();
  const woken = changes.next(leaving.signal, NEVER_MS);
  changes.note([1]);
  await woken;
  await changes.next(leaving.signal, NEVER_MS);
  changes.take();
  const left = changes.next(leaving.signal, NEVER_MS);
  leaving.abort();
  await left;
  await resolvedAfter(leaving.signal, NEVER_MS);
  expect(changes.take()).toEqual(new Set());
});
