import { ChangedIds, resolvedAfter } from '../../src/platform/store/lists/live-list';

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, nth) => from + nth);
const NEVER_MS = 3_600_000;

it('ChangedIds keeps each id once until it is taken', () => {
  const changes = new ChangedIds();
  changes.add([1, 2]);
  changes.add([2, 3]);
  expect(changes.take()).toEqual(new Set([1, 2, 3]));
  expect(changes.take()).toEqual(new Set());
});

it('ChangedIds reports an overflow above 1,000 ids and then starts again', () => {
  const changes = new ChangedIds();
  changes.add(range(0, 1_000));
  expect(changes.take()?.size).toBe(1_000);
  for (let from = 0; from < 100_000; from += 500) changes.add(range(from, 500));
  expect(changes.take()).toBeNull();
  changes.add([7]);
  expect(changes.take()).toEqual(new Set([7]));
});

it('ChangedIds wakes a waiting reader on a change, on abort and when a change was missed', async () => {
  const changes = new ChangedIds();
  const leaving = new AbortController();
  const woken = changes.next(leaving.signal, NEVER_MS);
  changes.add([1]);
  await woken;
  await changes.next(leaving.signal, NEVER_MS);
  changes.take();
  const left = changes.next(leaving.signal, NEVER_MS);
  leaving.abort();
  await left;
  await resolvedAfter(leaving.signal, NEVER_MS);
  expect(changes.take()).toEqual(new Set());
});
