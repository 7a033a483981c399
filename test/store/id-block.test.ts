import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { IdBlock } from '../../src/platform/store/store';
import { rounds } from '../support/rounds';

it('IdBlock hands out unique ascending ids to concurrent callers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 30 }),
      async (counts) => {
        let last = 0;
        const block = new IdBlock(async (count) => {
          await setImmediate();
          last += count;
          return last;
        });
        const blocks = await Promise.all(
          counts.map((count, at) =>
            at % 2 === 0 ? block.next().then((id) => [id]) : block.nextMany(count),
          ),
        );
        expect(blocks.map(({ length }) => length)).toEqual(
          counts.map((count, at) => (at % 2 === 0 ? 1 : count)),
        );
        const ids = blocks.flat();
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.every((id) => id > 0 && id <= last)).toBe(true);
        for (const together of blocks)
          expect(together).toEqual([...together].sort((a, b) => a - b));
      },
    ),
    { numRuns: rounds(300) },
  );
});
