import fc from 'fast-check';
import { createSharedTransactions } from '../../src/platform/store/shared-transactions';
import type { Store, Tx } from '../../src/platform/store/store';
import { rounds } from '../support/rounds';

/** A list that transactions append to; some of them meet a conflict at first, and are run again. */
function storeOf(conflicts: readonly boolean[]) {
  const committed: number[] = [];
  const sizes: number[] = [];
  let writes: number[] = [];
  let begun = 0;
  const store: Pick<Store, 'transaction'> = {
    async transaction(work) {
      let later: (() => void | Promise<void>)[] = [];
      const attempt = async () => {
        writes = [];
        later = [];
        return work({ session: undefined as never, afterCommit: (one) => void later.push(one) });
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
  return { store, committed, sizes, write: (value: number) => writes.push(value) };
}

it('each piece of work is done once and in order, fails alone, and is told after its commit', async () => {
  const piece = fc.record({ fails: fc.boolean(), alone: fc.boolean(), waits: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 60 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
      async (pieces, conflicts) => {
        const { store, committed, sizes, write } = storeOf(conflicts);
        const turns = createSharedTransactions(store);
        const told: number[] = [];
        const outcomes = await Promise.allSettled(
          pieces.map(({ fails, alone, waits }, nth) =>
            turns[alone ? 'alone' : 'together'](async (tx: Tx) => {
              write(nth);
              if (waits) await new Promise((resolve) => setImmediate(resolve));
              if (fails) throw new Error(`no ${nth}`);
              tx.afterCommit(() => void told.push(nth));
              return nth;
            }),
          ),
        );
        const well = pieces.flatMap(({ fails }, nth) => (fails ? [] : [nth]));
        expect(
          outcomes.map((outcome) =>
            outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as Error).message,
          ),
        ).toEqual(pieces.map(({ fails }, nth) => (fails ? `no ${nth}` : nth)));
        expect([committed, told]).toEqual([well, well]);
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(16);
      },
    ),
    { numRuns: rounds(300) },
  );
});

it('what waits shares a transaction, and what is to be alone is', async () => {
  const { store, sizes, write } = storeOf([false]);
  const turns = createSharedTransactions(store);
  const add = (nth: number) => async (): Promise<void> => void write(nth);
  await Promise.all([
    ...Array.from({ length: 40 }, (_, nth) => turns.together(add(nth))),
    turns.alone(add(40)),
    turns.together(add(41)),
    turns.together(add(42)),
  ]);
  expect(sizes).toEqual([1, 16, 16, 7, 1, 2]);
});

it.each(['at the commit', 'in the work'])(
  'a store that fails %s is asked once for all, and not again for each',
  async (where) => {
    let asked = 0;
    const outOfReach = (): Error =>
      Object.assign(new Error('out of reach'), { name: 'MongoNetworkError' });
    const turns = createSharedTransactions({
      async transaction(work) {
        asked += 1;
        await work({ session: undefined as never, afterCommit: () => undefined });
        throw outOfReach();
      },
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 17 }, () =>
        turns.together(async () => {
          if (where === 'in the work') throw outOfReach();
        }),
      ),
    );
    expect([asked, new Set(outcomes.map(({ status }) => status))]).toEqual([
      2,
      new Set(['rejected']),
    ]);
  },
);
