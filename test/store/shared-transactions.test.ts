import fc from 'fast-check';
import { createSharedTransactions } from '../../src/platform/store/shared-transactions';
import type { Store, Tx } from '../../src/platform/store/store';
import { rounds } from '../support/rounds';

/** A list that transactions append to; some of them run again after a conflict. */
function storeOf(conflicts: readonly boolean[]) {
  const committed: number[] = [];
  const sizes: number[] = [];
  let writes: number[] = [];
  const refused: Error[] = [];
  let begun = 0;
  const store: Pick<Store, 'transaction'> = {
    async transaction(work) {
      let later: (() => void | Promise<void>)[] = [];
      const attempt = async () => {
        writes = [];
        later = [];
        refused.length = 0;
        const tx = {
          session: undefined as never,
          later: undefined as never,
          changed: null as never,
        };
        const result = await work({ ...tx, afterCommit: (one) => void later.push(one) });
        for (const error of refused) throw error;
        return result;
      };
      if (conflicts[(begun += 1) % conflicts.length]) await attempt();
      const result = await attempt();
      await new Promise((resolve) => setImmediate(resolve));
      sizes.push(writes.length);
      committed.push(...writes);
      for (const one of later) await one();
      return result;
    },
  };
  return {
    store,
    committed,
    sizes,
    write: (value: number) => writes.push(value),
    /** The commit fails. */
    refuse: (error: Error) => refused.push(error),
  };
}

it('work in shared transactions runs once, in order, fails separately and is notified after its commit', async () => {
  const piece = fc.record({
    fails: fc.constantFrom('not', 'not', 'not', 'in the work', 'at the commit'),
    alone: fc.boolean(),
    waits: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 60 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
      async (pieces, conflicts) => {
        const { store, committed, sizes, write, refuse } = storeOf(conflicts);
        const batcher = createSharedTransactions(store);
        const notified: number[] = [];
        const outcomes = await Promise.allSettled(
          pieces.map(({ fails, alone, waits }, nth) =>
            batcher[alone ? 'alone' : 'together'](async (tx: Tx) => {
              write(nth);
              if (waits) await new Promise((resolve) => setImmediate(resolve));
              if (fails === 'in the work') throw new Error(`no ${nth}`);
              if (fails === 'at the commit') refuse(new Error(`no ${nth}`));
              tx.afterCommit(() => void notified.push(nth));
              return nth;
            }),
          ),
        );
        const succeeded = pieces.flatMap(({ fails }, nth) => (fails === 'not' ? [nth] : []));
        expect(
          outcomes.map((outcome) =>
            outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
          ),
        ).toEqual(pieces.map(({ fails }, nth) => (fails === 'not' ? nth : `no ${nth}`)));
        expect([committed, notified]).toEqual([succeeded, succeeded]);
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(16);
      },
    ),
    { numRuns: rounds(300) },
  );
});

it('queued work shares a transaction unless it must run alone', async () => {
  const { store, sizes, write } = storeOf([false]);
  const batcher = createSharedTransactions(store);
  const add = (nth: number) => async (): Promise<void> => void write(nth);
  await Promise.all([
    ...Array.from({ length: 40 }, (_, nth) => batcher.together(add(nth))),
    batcher.alone(add(40)),
    batcher.together(add(41)),
    batcher.together(add(42)),
  ]);
  expect(sizes).toEqual([1, 16, 16, 7, 1, 2]);
});

it.each(['at the commit', 'in the work'])(
  'a store failure %s is not retried for each piece of work',
  async (stage) => {
    let attempts = 0;
    const outOfReach = (): Error =>
      Object.assign(new Error('out of reach'), { name: 'MongoNetworkError' });
    const batcher = createSharedTransactions({
      async transaction(work) {
        attempts += 1;
        const tx = {
          session: undefined as never,
          later: undefined as never,
          changed: null as never,
        };
        await work({ ...tx, afterCommit: () => undefined });
        throw outOfReach();
      },
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 17 }, () =>
        batcher.together(async () => {
          if (stage === 'in the work') throw outOfReach();
        }),
      ),
    );
    expect([attempts, new Set(outcomes.map(({ status }) => status))]).toEqual([
      2,
      new Set(['rejected']),
    ]);
  },
);
