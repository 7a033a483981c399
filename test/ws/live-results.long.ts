import { SubscriptionResults } from '../../src/platform/graphql/subscriptions/subscription-results';
import { WrittenData } from '../../src/platform/graphql/plans/text';
import type { Outcome } from '../../src/platform/graphql/operations/error-format';

const [READERS, EVENTS, WORK_MS] = [20, 20, 1];

/** Never waits, so that only LiveResults can yield. */
async function* source(): AsyncGenerator<number> {
  for (let nth = 0; nth < EVENTS; nth += 1) yield nth;
}

function answer(nth: unknown): Promise<Outcome> {
  for (const from = performance.now(); performance.now() - from < WORK_MS;);
  return Promise.resolve({ data: new WrittenData(String(nth), true) });
}

it('LiveResults yields the event loop while many subscriptions are served at once', async () => {
  let iterations = 0;
  let isOver = false;
  const count = (): void => {
    iterations += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const read = await Promise.all(
    Array.from({ length: READERS }, async () => {
      const results = new SubscriptionResults(source(), new AbortController(), answer, () => {
        throw new Error('unexpected');
      });
      const seen: unknown[] = [];
      for await (const { data } of results) seen.push(Number(data?.text));
      return seen;
    }),
  );
  isOver = true;
  expect(read).toEqual(
    Array.from({ length: READERS }, () => Array.from({ length: EVENTS }, (_, nth) => nth)),
  );
  // 400 ms of work would be a single iteration without yielding.
  expect(iterations).toBeGreaterThan(20);
});
